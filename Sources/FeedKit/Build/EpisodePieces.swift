private import Glibc
import PodcastModel

/// The episodes of a feed while it is read, in pieces of 512: a growing array would be in memory twice.
final class EpisodePieces {
  private var pieces: [UnsafeMutablePointer<FeedEpisode>] = []
  private var count = 0
  private static let size = 512

  deinit { _ = takeAll() }

  /// Appends an episode that is completed in its final memory, because moving one is expensive.
  func append(_ complete: (inout FeedEpisode) -> Void) {
    if count == pieces.count * Self.size {
      pieces.append(pieces.isEmpty ? .allocate(capacity: Self.size) : Self.mapped())
    }
    let episode = pieces[pieces.count - 1] + count % Self.size
    episode.initialize(to: FeedEpisode())
    count += 1
    complete(&episode.pointee)
  }

  /// All episodes as one array. Each piece is freed as soon as its episodes have moved.
  func takeAll() -> [FeedEpisode] {
    // All empty arrays share their storage, and this initializer writes its count: harmless, but a data race to the
    // thread sanitizer.
    guard count > 0 else { return [] }
    let episodes = [FeedEpisode](unsafeUninitializedCapacity: count) { all, moved in
      for (number, piece) in pieces.enumerated() {
        let some = min(Self.size, count - moved)
        (all.baseAddress! + moved).moveInitialize(from: piece, count: some)
        if number == 0 { piece.deallocate() } else { munmap(piece, Self.bytes) }
        moved += some
      }
    }
    pieces = []
    count = 0
    return episodes
  }

  // MARK: Memory that goes back to the system at once

  private static var bytes: Int { size * MemoryLayout<FeedEpisode>.stride }

  private static func mapped() -> UnsafeMutablePointer<FeedEpisode> {
    let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let memory, memory != MAP_FAILED else { fatalError("there is no memory left") }
    return memory.bindMemory(to: FeedEpisode.self, capacity: size)
  }
}
