/// How an episode sounds.
package struct Sound: Hashable, Sendable {
  /// How much of a silence is taken out: by the map of a measured file, otherwise by speeding through it.
  package enum Trim: String, CaseIterable, Sendable {
    case off, mild, medium, max

    /// The level after this one, and from the last to the first.
    package var next: Self {
      let all = Self.allCases
      return all[(all.firstIndex(of: self)! + 1) % all.count]
    }
  }

  /// 1 is the media file's own.
  package var speed = 1.0
  /// How much silence is shortened.
  package var trim = Trim.off
  /// Evens out quiet and loud voices, without delay.
  package var boost = false
  /// The same on both ears.
  package var isMono = false
  /// In percent; 100 is the media file's own.
  package var volume = 100.0

  /// As the publisher made it.
  package init() {}

  /// The range of `speed`.
  package static let speeds = 0.5...5.0
  /// The range of `volume`.
  package static let volumes = 0.0...200.0
}
