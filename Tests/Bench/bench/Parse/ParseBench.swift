import FeedKit
import PodcastModel

/// FeedKit beside libxml2 with empty callbacks on the same document, beside other parsers, and with hostile feeds.
enum ParseBench {
  static func run(_ arguments: [String]) throws {
    let rounds = arguments.first.flatMap { Int($0) } ?? Effort.rounds(7)
    for episodes in Effort.size([300, 5000], brief: [20]) {
      let feed = GeneratedFeed.bytes(episodes: episodes)
      Report.title("reading a feed of \(episodes) episodes, \(feed.count) bytes")
      let empty = inTurns(rounds, feed)
      try ParsePeers.run(feed, over: empty)
    }
    let workspace = try Workspace()
    defer { workspace.remove() }
    try EndlessFeeds.run(workspace)
  }

  /// Returns the median of the first reader, which is the baseline of the others.
  private static func inTurns(_ rounds: Int, _ feed: [UInt8]) -> Double {
    let readers: [(name: String, read: ([UInt8]) -> Void)] = [
      ("libxml2 SAX2, doing nothing", EmptyLoop.parse), ("FeedKit, everything kept", keepEverything),
    ]
    var times = readers.map { _ in [Double]() }
    for _ in 0..<rounds {
      for (index, reader) in readers.enumerated() {
        times[index].append(Measured.processorTime { reader.read(feed) })
      }
    }
    let medians = times.map(Amount.median)
    for (reader, time) in zip(readers, medians) { report(reader.name, time, over: medians[0]) }
    return medians[0]
  }

  static func report(_ name: String, _ time: Double, over baseline: Double) {
    let nothing = Figure.Peer(name: "libxml2 doing nothing", values: [.processor: baseline])
    var figure = Figure(name, [.processor: time], beside: time == baseline ? nil : nothing)
    figure.isHeadline = time != baseline
    Report.tell(figure)
  }

  static let chunk = 16 << 10

  static func keepEverything(_ feed: [UInt8]) {
    let episodes = parse(feed)?.episodes.count ?? 0
    precondition(episodes > 0)
  }

  private static func parse(_ feed: [UInt8]) -> Feed? {
    do throws(FeedError) {
      let parser = try FeedParser(baseURL: "https://example.org/feed.xml")
      try parser.parse(feed[...], inChunksOf: chunk)
      return try parser.finish()
    } catch {
      print("failed: \(error)")
      return nil
    }
  }
}
