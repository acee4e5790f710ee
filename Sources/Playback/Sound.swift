/// How an episode sounds.
package struct Sound: Hashable, Sendable {
  /// Speeds through silence instead of cutting it out, so that the position stays exact.
  package enum Trim: String, CaseIterable, Sendable { case off, mild, medium, max }

  package var speed = 1.0
  package var trim = Trim.off
  /// Evens out quiet and loud voices, without delay.
  package var boost = false
  package var isMono = false
  /// In percent; 100 is the medium's own.
  package var volume = 100.0

  package init() {}

  package static let speeds = 0.5...5.0
  package static let volumes = 0.0...200.0
}

extension Sound {
  /// libmpv's chain of audio filters. Labels let each be found again.
  var filterChain: String {
    var filters: [String] = []
    if let silence = trim.silence {
      filters.append("@silence:lavfi=[silencedetect=n=\(silence.threshold)dB:d=\(silence.shortest)]")
    }
    if isMono { filters.append("@mono:lavfi=[aformat=channel_layouts=mono]") }
    if boost {
      filters.append(
        "@boost:lavfi=[acompressor=threshold=0.1:ratio=4:attack=5:release=100:makeup=3,alimiter=limit=0.95]")
    }
    // libmpv's own is silent beyond a speed of 4. At the medium's own speed it would be work for nothing, unless
    // silence goes by faster. Without it the samples have its format all the same: so the device stays open as it is
    // when the speed changes.
    filters.append(speed != 1 || trim != .off ? Self.tempo : "format=format=float")
    return filters.joined(separator: ",")
  }

  /// Through silence, at most.
  static let fastest = 8.0

  /// With the short windows of libmpv's later releases: voices sound less doubled, and less is computed.
  private static let tempo = "scaletempo2=max-speed=\(fastest):search-interval=40:window-size=12"
}

extension Sound.Trim {
  struct Silence {
    /// Decibels below full scale.
    var threshold: Int
    /// Seconds.
    var shortest: Double
    /// How much faster it goes by.
    var factor: Double
  }

  var silence: Silence? {
    switch self {
    case .off: nil
    case .mild: Silence(threshold: -45, shortest: 0.6, factor: 2)
    case .medium: Silence(threshold: -42, shortest: 0.4, factor: 3)
    case .max: Silence(threshold: -38, shortest: 0.25, factor: 3.5)
    }
  }
}

/// Decides the speed while silence is trimmed, and counts what that saves. Pure; the clock is the caller's.
struct SilenceTrimmer {
  private var sound: Sound
  private var isSilent = false
  private var last: (position: Duration, now: Duration)?
  private var balance = Duration.zero

  init(_ sound: Sound) { self.sound = sound }

  /// What the engine has to play at now.
  var speed: Double {
    guard isSilent, let silence = sound.trim.silence else { return sound.speed }
    return min(Sound.fastest, sound.speed * silence.factor)
  }

  /// How much longer it would have taken without trimming.
  var saved: Duration { max(.zero, balance) }

  mutating func change(_ sound: Sound) {
    last = nil
    self.sound = sound
    if sound.trim == .off { isSilent = false }
  }

  mutating func silence(_ isSilent: Bool) {
    self.isSilent = isSilent && sound.trim != .off
  }

  /// Compared with the clock rather than added up from the silences: a new speed is heard only when what was
  /// prepared before it has been played.
  mutating func played(to position: Duration, at now: Duration) {
    defer { last = (position, now) }
    guard let last, sound.trim != .off else { return }
    balance += (position - last.position) / sound.speed - (now - last.now)
  }

  /// A pause or a wait for bytes: the clock goes on, the position does not.
  mutating func pause() { last = nil }

  /// A new place: what lies between was not played.
  mutating func jump() {
    last = nil
    isSilent = false
  }
}
