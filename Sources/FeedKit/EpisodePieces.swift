import PodcastModel

/// The episodes of a feed while it is read, in pieces: a long array that grows is twice in memory.
final class EpisodePieces {
  private var pieces: [UnsafeMutablePointer<FeedEpisode>] = []
  private var count = 0
  private static let size = 512

  deinit { _ = takeAll() }

  /// One more, made where it stays: an episode is too large to be moved for nothing.
  func append(_ complete: (inout FeedEpisode) -> Void) {
    if count == pieces.count * Self.size { pieces.append(.allocate(capacity: Self.size)) }
    let place = pieces[pieces.count - 1] + count % Self.size
    place.initialize(to: FeedEpisode())
    count += 1
    complete(&place.pointee)
  }

  /// All of them as one. Each piece is given up as soon as its episodes have moved.
  func takeAll() -> [FeedEpisode] {
    let episodes = [FeedEpisode](unsafeUninitializedCapacity: count) { all, moved in
      for piece in pieces {
        let some = min(Self.size, count - moved)
        (all.baseAddress! + moved).moveInitialize(from: piece, count: some)
        piece.deallocate()
        moved += some
      }
    }
    pieces = []
    count = 0
    return episodes
  }
}
