internal import PodcastModel
internal import PodcastStore

/// The middle of several runs, each on a library opened anew when `isCold`.
private func median(of runs: Int = 21, _ work: () async throws -> Void) async rethrows -> Duration {
  var times: [Duration] = []
  for _ in 0..<runs { times.append(try await ContinuousClock().measure(work)) }
  return times.sorted()[runs / 2]
}

private func report(_ name: String, _ time: Duration) {
  let microseconds = time.components.seconds * 1_000_000 + time.components.attoseconds / 1_000_000_000_000
  print("\(name)\t\(Double(microseconds) / 1000) ms")
}

func benchStore(_ arguments: [String]) async throws {
  guard let path = arguments.first else { return }
  report(
    "open, playlist 50",
    try await median {
      let store = try PodcastStore(path: path, access: .readOnly)
      _ = try await store.playlist(limit: 50)
    })
  let store = try PodcastStore(path: path)
  report("playlist 50", try await median { _ = try await store.playlist(limit: 50) })
  report("podcasts", try await median { _ = try await store.podcasts() })
  report("resumable", try await median { _ = try await store.resumable() })
  try await benchMerge(store)
  await store.close()
}

private func benchMerge(_ store: PodcastStore) async throws {
  var generator = LibraryGenerator(seed: 77)
  let feed = generator.feed(999_999, episodes: 5000)
  let url = "https://merge.example/feed.xml"
  var first = MergeResult?.none
  report(
    "first merge of 5000", try await ContinuousClock().measure { first = try await store.subscribe(to: feed, at: url) })
  report("unchanged merge of 5000", try await median { _ = try await store.subscribe(to: feed, at: url) })
  if let podcast = first?.podcast {
    report(
      "unsubscribe, deleting 5000",
      try await ContinuousClock().measure { try await store.unsubscribe(podcast, deleting: true) })
  }
}

/// Does what `podcli playlist -n 50` asks of the library, once: for counting instructions.
func listOnce(_ arguments: [String]) async throws {
  guard let path = arguments.first else { return }
  let store = try PodcastStore(path: path, access: .readOnly)
  for entry in try await store.playlist(limit: 50) { print(entry.episode.title) }
}
