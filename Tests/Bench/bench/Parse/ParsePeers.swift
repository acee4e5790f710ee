/// Other programs that parse feeds, or at least XML, where they are installed.
enum ParsePeers {
  /// The command that parses the file, and the command that only starts the program, whose time is subtracted.
  private struct Peer {
    var name: String
    var program: String
    var start: [String]
    var read: [String]

    static func python(_ name: String, _ module: String, _ expression: String) -> Peer {
      Peer(
        name: name, program: "python3", start: ["-c", "import \(module)"],
        read: ["-c", "import sys, \(module)\n\(expression)"])
    }
  }

  private static let peers = [
    Peer(name: "xmllint --stream", program: "xmllint", start: ["--version"], read: ["--stream", "--noout"]),
    .python("lxml, a tree", "lxml.etree", "lxml.etree.parse(sys.argv[1])"),
    .python("lxml, event by event", "lxml.etree", "for _, e in lxml.etree.iterparse(sys.argv[1]): e.clear()"),
    .python("podcastparser", "podcastparser", "podcastparser.parse('http://example.org/', open(sys.argv[1], 'rb'))"),
    .python("feedparser", "feedparser", "feedparser.parse(sys.argv[1])"),
  ]

  static func run(_ feed: [UInt8], over baseline: Double) throws {
    let workspace = try Workspace()
    defer { workspace.remove() }
    let path = try workspace.write(feed, to: "feed.xml")
    for peer in peers { try run(peer, path, over: baseline, workspace) }
  }

  private static func run(_ peer: Peer, _ path: String, over baseline: Double, _ workspace: Workspace) throws {
    // The first start reads the program from the disk and is not counted.
    guard let first = try? Measured.run(peer.program, peer.start, in: workspace), first.status == 0 else {
      return print("  \(peer.name): not installed")
    }
    var (starts, wholes): ([Double], [Double]) = ([], [])
    // One run is enough for a program that takes over a second: it varies little.
    while wholes.isEmpty || (wholes.count < Effort.rounds(7) && wholes[0] < 1) {
      let whole = try Measured.run(peer.program, peer.read + [path], in: workspace)
      guard whole.status == 0 else { return print("  \(peer.name): fails") }
      wholes.append(whole.processor)
      starts.append(try Measured.run(peer.program, peer.start, in: workspace).processor)
    }
    let time = Amount.median(wholes) - Amount.median(starts)
    guard time > 0 else { return print("  \(peer.name): too little beside its start") }
    ParseBench.report(peer.name, time, over: baseline)
  }
}
