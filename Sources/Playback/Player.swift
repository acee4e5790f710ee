/// Plays one medium at a time and reports time and end. Calls never block; what they do shows up in the events.
package protocol Player: AnyObject, Sendable {
  var snapshot: PlaybackSnapshot { get }

  /// Replaces what is playing.
  @discardableResult
  func load(_ media: MediaSource, _ options: LoadOptions) throws(PlaybackError) -> MediaID
  /// Opens it before what plays now has come to its end, and plays it right behind that end. One at a time.
  func queue(_ media: MediaSource, _ options: LoadOptions) throws(PlaybackError) -> MediaID
  /// What was queued is not to be played after all, not even where it has just begun.
  func unqueue(_ media: MediaID)
  func setPaused(_ isPaused: Bool)
  func seek(to position: Duration)
  func seek(by offset: Duration)
  /// Takes effect at once, and holds for what is loaded later, too.
  func setSound(_ sound: Sound)
  /// From what it is by then: two changes in a row are both made.
  func changeSound(_ change: @escaping @Sendable (inout Sound) -> Void)
  /// A factor on the volume, for fading out. It holds until another is told.
  func fade(to factor: Double)
  /// `steps` chapters on, or back when negative.
  func skipChapters(_ steps: Int)
  func stop()

  /// Everything from now on. Any number of listeners; each hears all of it.
  func events() -> PlaybackEvents

  /// The position, whenever it has moved by `interval` or jumped.
  func observeTime(every interval: Duration, _ handler: @escaping @Sendable (Duration) -> Void) -> Observation
  /// Each of `times` when playback runs over it; a seek over it does not count.
  func observeBoundaries(_ times: [Duration], _ handler: @escaping @Sendable (Duration) -> Void) -> Observation
  func observeEnd(_ handler: @escaping @Sendable (MediaID, EndReason) -> Void) -> Observation

  /// Silences the player and frees it. Later calls do nothing.
  func close()
}

package struct LoadOptions: Hashable, Sendable {
  package var start: Duration?
  package var isPaused: Bool
  /// Shown by the system's mixer.
  package var title: String?
  /// In this medium a time is a place in the file, so that nothing before it has to be read.
  package var isScalable: Bool
  /// It may begin in the middle of something longer: its first moment is then not 0.
  package var keepsTimes: Bool

  package init(
    start: Duration? = nil, isPaused: Bool = false, title: String? = nil, isScalable: Bool = false,
    keepsTimes: Bool = false
  ) {
    self.start = start
    self.isPaused = isPaused
    self.title = title
    self.isScalable = isScalable
    self.keepsTimes = keepsTimes
  }
}
