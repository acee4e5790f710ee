import PodcastModel

/// The episodes of a feed while it is read, in pieces: a long array that grows is twice in memory.
struct EpisodePieces {
  private var pieces: [[FeedEpisode]] = [[]]
  private static let size = 512

  mutating func append(_ episode: consuming FeedEpisode) {
    if pieces[pieces.count - 1].count == Self.size {
      pieces.append([])
      pieces[pieces.count - 1].reserveCapacity(Self.size)
    }
    pieces[pieces.count - 1].append(episode)
  }

  /// All of them as one. Each piece is given up as soon as its episodes have moved.
  mutating func takeAll() -> [FeedEpisode] {
    var all = pieces[0]
    all.reserveCapacity((pieces.count - 1) * Self.size + pieces[pieces.count - 1].count)
    for index in pieces.indices.dropFirst() {
      all += pieces[index]
      pieces[index] = []
    }
    pieces = [[]]
    return all
  }
}
