import Glibc
internal import PodcastModel
private import PodcastStore
private import Podcatcher
private import TestSupport

/// Sharing through a folder: the first read of ten machines' files, the check with nothing new, and the price of each
/// command that shares; and moving in with the states of many episodes.
enum SyncBench {
  static func run(_ parts: [String]) async throws {
    if parts.isEmpty || parts.contains("folder") { try await SharedFolder().run() }
    if parts.isEmpty || parts.contains("import") { try await importStates() }
  }

  // MARK: Moving in

  /// Of podcasts that are here already, without the network.
  private static func importStates() async throws {
    let (podcasts, episodes) = (10, Effort.size(500, brief: 5))
    Report.title("Moving in with the states of \(podcasts * episodes) episodes, without the network")
    let workspace = try Workspace()
    defer { workspace.remove() }
    let document = try workspace.write(portCast(podcasts, episodes), to: "moved.portcast.json")
    var runs: [Measured] = []
    for _ in 0..<Effort.rounds(3) {
      try workspace.clearLibrary()
      try await makeLibrary([workspace.library + "/library.db", "\(podcasts)", "\(episodes)"])
      runs.append(try Measured.run(workspace.podcli, ["--offline", "-q", "import", document], in: workspace))
    }
    var figure = Figure("podcli import", of: runs, goal: "1 s")
    figure.isHeadline = true
    Report.tell(figure)
  }

  private static func portCast(_ podcasts: Int, _ episodes: Int) -> String {
    // Later than what the library has.
    let heard = Timestamp(seconds: Timestamp.now.seconds + 60).description
    let subscriptions = (1...podcasts).map {
      #"{"subscriptionId":"\#($0)","feedUrl":"https://podcast\#($0).example/feed.xml"}"#
    }
    let states = (1...podcasts).flatMap { podcast in
      (1...episodes).map { number in
        let state =
          number % 2 == 0
          ? #""status":"completed""# : #""status":"in_progress","positionSeconds":\#(60 + number % 200)"#
        return
          #"{"subscriptionRef":{"feedUrl":"https://podcast\#(podcast).example/feed.xml"},"guid":"podcast\#(podcast)-episode-\#(number)",\#(state),"lastPlayedAt":"\#(heard)"}"#
      }
    }
    return #"{"portcast":"0.1.0","subscriptions":["# + subscriptions.joined(separator: ",") + #"],"episodes":["#
      + states.joined(separator: ",") + "]}"
  }
}

/// A folder with the files of ten other machines.
private struct SharedFolder {
  private static let machines = 10
  private let podcasts = 10
  private let episodes = Effort.size(1000, brief: 10)
  private let workspace: Workspace
  private let folder: String
  private var files: String { folder + "/podcli-sync-1" }

  init() throws {
    workspace = try Workspace()
    folder = workspace.folder + "/shared"
  }

  func run() async throws {
    defer { workspace.remove() }
    try await makeLibrary([workspace.library + "/library.db", "\(podcasts)", "\(episodes)"])
    let before = try commands()
    mkdir(folder, 0o700)
    mkdir(files, 0o700)
    for machine in 0..<Self.machines { _ = try workspace.write(lines(of: machine), to: name(machine)) }
    try settleFiles()
    Report.title("A folder with \(Self.machines * podcasts * episodes) lines of \(Self.machines) machines")
    tell("the first read", [try podcli("sync", "folder", folder, "-q")], goal: "2 s")
    try settleFiles()
    _ = try podcli("sync", "-q")
    try settleFiles()
    _ = try podcli("sync", "-q")
    try await check()
    let after = try commands()
    for (name, runs) in after {
      var figure = Figure("podcli " + name, of: runs)
      figure.beside = before.first { $0.name == name }.map { Figure.Peer(name: "without a folder", of: $0.runs) }
      Report.tell(figure)
    }
  }

  private func podcli(_ words: String...) throws -> Measured {
    try Measured.run(workspace.podcli, words, in: workspace)
  }

  private func tell(_ name: String, _ runs: [Measured], goal: String) {
    var figure = Figure(name, of: runs, goal: goal)
    figure.isHeadline = true
    Report.tell(figure)
  }

  /// Of what every command asks that wrote nothing: is anything new?
  private func check() async throws {
    let home = workspace.library
    guard let paths = Paths(environment: Environment { $0 == "PODCLI_HOME" || $0 == "HOME" ? home : nil }) else {
      return
    }
    let live = Live(paths: paths, audioOutput: "null")
    let store = try live.store(.readWrite)
    let syncer = live.syncer(store: store)
    var times: [Double] = []
    for _ in 0..<Effort.size(200, brief: 2) {
      let start = ContinuousClock.now
      await syncer.runQuietly()
      times.append((ContinuousClock.now - start).inSeconds)
    }
    await store.close()
    times.sort()
    var figure = Figure(
      "nothing new, the check alone", [.half: times[times.count / 2], .most: times[times.count * 95 / 100]],
      runs: times.count, goal: "5 ms")
    figure.isHeadline = true
    Report.tell(figure)
  }

  /// `mark` in turns, so that each changes something.
  private func commands() throws -> [(name: String, runs: [Measured])] {
    var runs: [String: [Measured]] = [:]
    for round in 0..<Effort.rounds(20) {
      for words in [
        ["version"], ["playlist", "-n", "10"], ["mark", round % 2 == 0 ? "favourite" : "unfavourite", "7", "-q"],
      ] {
        runs[words[0], default: []].append(try Measured.run(workspace.podcli, words, in: workspace))
      }
    }
    return ["version", "playlist", "mark"].map { ($0, runs[$0] ?? []) }
  }

  // MARK: Files

  private func name(_ machine: Int) -> String { "shared/podcli-sync-1/\(device(machine)).jsonl" }

  private func device(_ machine: Int) -> String { "00000000000000" + (machine < 10 ? "0" : "") + "\(machine)" }

  /// Each machine has heard every episode, each later than the one before.
  private func lines(of machine: Int) -> String {
    var text = #"{"podcli-sync":1,"device":"\#(device(machine))","enc":"none"}"# + "\n"
    for podcast in 1...podcasts {
      for number in 1...episodes {
        let at = 1_760_000_000 + machine * 1000 + number
        text +=
          #"{"k":"episode","p":"podcast\#(podcast).example/feed.xml","g":"podcast\#(podcast)-episode-\#(number)","#
        text +=
          #""r":{"play":[\#(at)000,{"at":\#(at),"done":\#(number % 2),"len":3600000,"pos":\#(30_000 + machine)}]}}"#
        text += "\n"
      }
    }
    return text
  }

  /// A file of the last seconds is read again each time.
  private func settleFiles() throws {
    for name in names(in: files) {
      let past = timespec(tv_sec: time(nil) - 60, tv_nsec: 0)
      utimensat(AT_FDCWD, files + "/" + name, [past, past], 0)
    }
  }
}
