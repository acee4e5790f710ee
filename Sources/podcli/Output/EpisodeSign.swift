import PodcastModel

/// The sign before an episode in lists.
enum EpisodeSign {
  /// `▶` current, `★` favourite, `●` new, `◐` begun, `✓` played.
  static func of(_ entry: EpisodeEntry) -> String {
    if entry.status.isCurrentlyPlaying { return "▶" }
    if entry.isFavourite { return "★" }
    if isPlayed(entry.status) { return "✓" }
    return entry.status.lastListenTime == nil ? "●" : "◐"
  }

  /// And not begun again.
  static func isPlayed(_ status: EpisodeStatus) -> Bool { status.hasCompleted && status.lastListenTime == nil }
}
