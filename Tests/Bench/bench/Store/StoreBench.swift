import Glibc
internal import PodcastModel
internal import PodcastStore

/// The library: queries, merging a refreshed feed, and the latency of saving a position meanwhile.
///
/// The two libraries are generated if they are missing, which takes minutes, and kept for the next run.
enum StoreBench {
  static func run(_ arguments: [String]) async throws {
    let workspace = try Workspace()
    defer { workspace.remove() }
    let folder = arguments.first ?? (Effort.isBrief ? workspace.folder : "/tmp/podcli-bench-libraries")
    let parts = arguments.dropFirst()
    let small = try await library(folder + "/small", podcasts: Effort.size(50, brief: 10))
    let large = try await library(folder + "/large", podcasts: Effort.size(1000, brief: 20))
    func isWanted(_ part: String) -> Bool { parts.isEmpty || parts.contains(part) }
    if isWanted("questions") { try await QuestionBench(small: small, large: large).run() }
    if isWanted("listings") { try await QuestionBench(small: small, large: large).list() }
    if isWanted("merge") { try await MergeBench(library: large).run() }
    if isWanted("positions") { try await PositionBench(library: large).run() }
  }

  private static func library(_ home: String, podcasts: Int) async throws -> String {
    let path = home + "/library.db"
    guard access(path, F_OK) != 0 else {
      // A migration may have emptied its index.
      let store = try PodcastStore(path: path)
      try await store.indexForSearch()
      await store.close()
      return home
    }
    mkdir(home.split(separator: "/").dropLast().reduce(into: "") { $0 += "/" + $1 }, 0o700)
    mkdir(home, 0o700)
    try await makeLibrary([path, String(podcasts), String(Effort.size(1000, brief: 50))])
    return home
  }
}

/// Runs the query of `podcli playlist -n 50` once, for counting instructions.
func listOnce(_ arguments: [String]) async throws {
  guard let path = arguments.first else { return }
  let store = try PodcastStore(path: path, access: .readOnly)
  for entry in try await store.playlist(limit: 50) { print(entry.episode.title) }
}
