internal import PodcastStore

/// The moments of a fill at which marks of the user may have to follow to another rendition.
struct FillEvents: Sendable {
  /// Before the bytes of these ranges go. The record describes them.
  var isLeaving: @Sendable (MediaRecord, RangeMap, PartialFile) async -> Void = { _, _, _ in }
  /// The whole file has its name.
  var isWhole: @Sendable (MediaRecord) async -> Void = { _ in }
}
