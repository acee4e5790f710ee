/// Decides the speed while silence is trimmed, and counts what that saves. Pure; the clock is the caller's.
struct SilenceTrimmer {
  private var sound: Sound
  private var isSilent = false
  private var last: (position: Duration, now: Duration)?
  private var balance = Duration.zero
  /// Up to there, in seconds, silence is cut out, so its speed is that of the rest.
  private let mapped: Double

  init(_ sound: Sound, mapped: Double = 0) {
    self.sound = sound
    self.mapped = mapped
  }

  /// The same with a longer map, or none; what was saved stays.
  func fitted(mapped: Double) -> SilenceTrimmer {
    var other = SilenceTrimmer(sound, mapped: mapped)
    other.balance = balance
    return other
  }

  /// The speed for libmpv now.
  var speed: Double {
    guard isSilent, let silence = sound.trim.silence else { return sound.speed }
    return min(Sound.fastest, sound.speed * silence.factor)
  }

  /// The time by which playing was shorter than it would have been without trimming.
  var saved: Duration { max(.zero, balance) }

  mutating func change(_ sound: Sound) {
    last = nil
    self.sound = sound
    if sound.trim == .off { isSilent = false }
  }

  /// `seconds`: where playing is. What stays of a pause that was cut is heard as it is.
  mutating func silence(_ isSilent: Bool, at seconds: Double) {
    self.isSilent = isSilent && seconds >= mapped && sound.trim != .off
  }

  /// Compares with the clock rather than adding up the silences: a new speed is heard only after the sound that was
  /// decoded before it.
  mutating func played(to position: Duration, at now: Duration) {
    defer { last = (position, now) }
    guard let last, sound.trim != .off else { return }
    balance += (position - last.position) / sound.speed - (now - last.now)
  }

  /// A pause or a wait for bytes: the clock goes on, the position does not.
  mutating func pause() { last = nil }

  /// A seek: the time in between was not played.
  mutating func jump() {
    last = nil
    isSilent = false
  }
}
