/// Other programs that read feeds, or at least XML, where they are installed.
enum ParsePeers {
  /// How to read the file, and how to do all but that: a program has to start before it can read.
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
    let place = try Workplace()
    defer { place.remove() }
    let path = try place.write(feed, to: "feed.xml")
    for peer in peers { try run(peer, path, over: baseline, place) }
  }

  private static func run(_ peer: Peer, _ path: String, over baseline: Double, _ place: Workplace) throws {
    // The first of all starts reads the program from the disk.
    guard let first = try? Measured.run(peer.program, peer.start, in: place), first.status == 0 else {
      return print("  \(peer.name): not installed")
    }
    var (starts, wholes): ([Double], [Double]) = ([], [])
    // What takes long varies little.
    while wholes.isEmpty || (wholes.count < Effort.rounds(7) && wholes[0] < 1) {
      let whole = try Measured.run(peer.program, peer.read + [path], in: place)
      guard whole.status == 0 else { return print("  \(peer.name): fails") }
      wholes.append(whole.processor)
      starts.append(try Measured.run(peer.program, peer.start, in: place).processor)
    }
    let time = Amount.median(wholes) - Amount.median(starts)
    guard time > 0 else { return print("  \(peer.name): too little beside its start") }
    ParseBench.report(peer.name, time, over: baseline)
  }
}
