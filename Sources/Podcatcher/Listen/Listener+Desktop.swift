internal import Playback
internal import PodcastStore

/// The events of the desktop.
extension Listener {
  private static let headphonesNote = "headphones gone"

  /// Pauses, so that a room does not hear what was meant for one. Going on is left to the user.
  nonisolated func headphonesGone() {
    guard nowPlaying != nil || playing.opening != nil, !isPaused else { return }
    perform(.pause)
    playing.setNote(Self.headphonesNote)
    report(.headphonesGone)
  }

  /// Removes the note when it goes on.
  nonisolated func forgetHeadphones() {
    if status?.note == Self.headphonesNote { playing.setNote(nil) }
  }

  /// Before the machine sleeps or the process is stopped: returns when the position is on the disk; false when the library
  /// does not take it.
  @discardableResult
  package nonisolated func pauseAndSave() async -> Bool {
    perform(.pause)
    _ = await carryOut(.pause, within: .milliseconds(500))
    await publishStatus(isTick: false)
    do throws(StoreError) {
      try await saveNow()
      return true
    } catch {
      return false
    }
  }
}
