/// The object that media keys and media controls call: MPRIS 2.2, and the properties and the introspection of D-Bus.
final class MediaPlayerObject {
  let connection: BusConnection
  private let identity: MediaIdentity
  private var state = MediaState(playback: .stopped)
  private let position: @Sendable () -> Duration
  private let handle: @Sendable (DesktopEvent) -> Void

  init(
    _ connection: BusConnection, _ identity: MediaIdentity, position: @escaping @Sendable () -> Duration,
    handle: @escaping @Sendable (DesktopEvent) -> Void
  ) {
    self.connection = connection
    self.identity = identity
    self.position = position
    self.handle = handle
  }

  /// Takes calls, and owns the name; another player of that name keeps it, and this one's process number tells them apart.
  func appear(process: Int32) {
    connection.serve(self, at: MPRIS.path)
    let name = MPRIS.interface + "." + identity.name
    connection.requestName(name) { [unowned self] isOurs in
      if !isOurs { connection.requestName("\(name).instance\(process)") { _ in } }
    }
  }

  // MARK: Signals

  /// A new track is announced with everything that belongs to it in one signal. The clients set the position to 0 then, so
  /// that the true one follows.
  func show(_ new: MediaState, jumpedTo position: Duration?) {
    let isNew = new.track?.path != state.track?.path
    let old = Set(MPRIS.changing(state))
    let changes = MPRIS.changing(new).filter { isNew && MPRIS.ofTrack.contains($0.name) || !old.contains($0) }
    state = new
    if !changes.isEmpty {
      connection.emit(
        MPRIS.path, MPRIS.properties, "PropertiesChanged",
        [.string(MPRIS.player), .dictionary(changes), .strings([])])
    }
    if let position { jumped(to: position) }
  }

  func jumped(to position: Duration) {
    connection.emit(MPRIS.path, MPRIS.player, "Seeked", [.int64(MPRIS.microseconds(position))])
  }

  // MARK: Calls

  /// Negative or 0 leaves the answer to sd-bus.
  func answer(_ call: BusMessage) -> Int32 {
    switch (call.interface, call.member) {
    case ("org.freedesktop.DBus.Introspectable", "Introspect"): call.reply { $0.append(.string(MPRIS.introspection)) }
    case (MPRIS.properties, "Get"): get(call)
    case (MPRIS.properties, "GetAll"): getAll(call)
    case (MPRIS.properties, "Set"): set(call)
    case (MPRIS.interface, "Raise"): call.reply()
    case (MPRIS.interface, "Quit"): obey(.quit, call)
    case (MPRIS.player, let member?): control(member, call)
    default: 0
    }
  }

  private func control(_ member: String, _ call: BusMessage) -> Int32 {
    switch member {
    case "Play": obey(.play, call)
    case "Pause": obey(.pause, call)
    case "PlayPause": obey(.playPause, call)
    case "Stop": obey(.stop, call)
    case "Next": obey(.next, call)
    case "Previous": obey(.previous, call)
    case "Seek": seek(call)
    case "SetPosition": setPosition(call)
    case "OpenUri": call.refuse("NotSupported", "podcli plays the episodes of its library only")
    default: 0
    }
  }

  private func obey(_ event: DesktopEvent, _ call: BusMessage) -> Int32 {
    handle(event)
    return call.reply()
  }

  private func seek(_ call: BusMessage) -> Int32 {
    guard let offset = call.readInt64() else { return wrongArguments(call) }
    return obey(.seek(by: .microseconds(offset)), call)
  }

  /// A track that is over, and a position outside the one that plays, are ignored.
  private func setPosition(_ call: BusMessage) -> Int32 {
    guard let path = call.readPath(), let microseconds = call.readInt64() else { return wrongArguments(call) }
    let position = Duration.microseconds(microseconds)
    guard let track = state.track, path == track.path, position >= .zero, position <= track.length ?? position else {
      return call.reply()
    }
    return obey(.setPosition(position), call)
  }

  // MARK: Properties

  private func getAll(_ call: BusMessage) -> Int32 {
    guard let interface = call.readString() else { return wrongArguments(call) }
    guard let properties = properties(of: interface) else { return unknownInterface(interface, call) }
    return call.reply { $0.append(.dictionary(properties)) }
  }

  private func get(_ call: BusMessage) -> Int32 {
    guard let interface = call.readString(), let name = call.readString() else { return wrongArguments(call) }
    guard let properties = properties(of: interface) else { return unknownInterface(interface, call) }
    guard let property = properties.first(where: { $0.name == name }) else { return unknownProperty(name, call) }
    return call.reply { $0.appendVariant(property.value) }
  }

  private func set(_ call: BusMessage) -> Int32 {
    guard let interface = call.readString(), let name = call.readString() else { return wrongArguments(call) }
    guard let properties = properties(of: interface) else { return unknownInterface(interface, call) }
    guard properties.contains(where: { $0.name == name }) else { return unknownProperty(name, call) }
    guard name == "Rate" || name == "Volume" else { return call.refuse("PropertyReadOnly", "\(name) cannot be set") }
    guard let number = call.readVariantDouble(), number.isFinite else { return wrongArguments(call) }
    return obey(name == "Rate" ? .setRate(number) : .setVolume(max(0, number)), call)
  }

  private func properties(of interface: String) -> [BusProperty]? {
    switch interface {
    case MPRIS.interface: MPRIS.root(identity)
    case MPRIS.player: MPRIS.changing(state) + MPRIS.constant(identity) + [MPRIS.position(position())]
    default: nil
    }
  }

  private func wrongArguments(_ call: BusMessage) -> Int32 { call.refuse("InvalidArgs", "these arguments are wrong") }

  private func unknownProperty(_ name: String, _ call: BusMessage) -> Int32 {
    call.refuse("UnknownProperty", "there is no property \(name)")
  }

  private func unknownInterface(_ name: String, _ call: BusMessage) -> Int32 {
    call.refuse("UnknownInterface", "there is no interface \(name)")
  }
}
