/// The way of this process's sound: the sink that takes it, and the port of the sink.
struct SoundRoute: Hashable, Sendable {
  /// The number of the sink, never given to another.
  var sink: UInt32
  /// Absent where the sink has no ports.
  var port: String?
  /// For one listener: what it plays is not to be heard by others.
  var isPersonal: Bool
}

extension SoundRoute {
  /// The properties are those that PulseAudio's and PipeWire's devices carry.
  init(sink: UInt32, port: String?, formFactor: String?, bus: String?) {
    self.sink = sink
    self.port = port
    let name = port?.lowercased() ?? ""
    isPersonal =
      name.contains("headphone") || name.contains("headset")
      || formFactor.map(Self.formFactors.contains) ?? false || bus.map(Self.buses.contains) ?? false
  }

  private static let formFactors: Set<String> = ["headphone", "headset", "hands-free", "handset"]
  private static let buses: Set<String> = ["bluetooth", "usb"]
}

/// Finds out when the sound left the headphones. Pure.
struct HeadphoneWatch: Sendable {
  private var last: SoundRoute?

  /// Whether the sound went from headphones to something else. The server moves it when they are unplugged.
  mutating func isGone(at route: SoundRoute) -> Bool {
    defer { last = route }
    guard let last, last.isPersonal else { return false }
    return last.sink != route.sink || !route.isPersonal
  }
}
