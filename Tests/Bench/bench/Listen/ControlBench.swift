import Glibc
internal import PodcastModel
private import TestSupport

/// Controlling a player from other processes: the time to each answer, the control commands, and the processor time that
/// clients cost the player.
enum ControlBench {
  static func run(_ parts: [String]) async throws {
    let workspace = try Workspace()
    defer { workspace.remove() }
    let player = try await Player(workspace)
    defer { player.stop() }
    if parts.isEmpty || parts.contains("answers") { try await answers(player) }
    if parts.isEmpty || parts.contains("commands") { try commands(workspace) }
    if parts.isEmpty || parts.contains("clients") { try await clients(player) }
  }

  // MARK: Answers

  private static let requests = [
    #"{"do":"pause"}"#, #"{"do":"play"}"#, #"{"do":"seek","to":"+30"}"#, #"{"do":"speed","to":"+0.1"}"#,
    #"{"do":"toggle"}"#, #"{"do":"seek","to":"-10"}"#, #"{"do":"toggle"}"#, #"{"do":"speed","to":1}"#,
    #"{"do":"volume","to":"-5"}"#, #"{"do":"volume","to":100}"#, #"{"do":"seek","to":60}"#,
    #"{"do":"sleep","to":"30m"}"#,
    #"{"do":"sleep","to":"off"}"#, #"{"do":"trim"}"#, #"{"do":"trim","to":"off"}"#, #"{"do":"boost"}"#,
    #"{"do":"boost","to":"off"}"#, #"{"do":"bookmark"}"#, #"{"do":"status"}"#,
  ]

  /// Each request waits for the answer to the one before, while the episode plays.
  private static func answers(_ player: Player) async throws {
    Report.title("Requests to a player that plays, one after the other")
    let client = try await player.client()
    var times: [Double] = []
    var refused = 0.0
    while times.count < Effort.size(1_000, brief: requests.count) {
      let request = requests[times.count % requests.count]
      let start = ContinuousClock.now
      let answer = try await client.ask(request)
      times.append((ContinuousClock.now - start).inSeconds)
      if answer?.contains(#""status":"#) != true { refused += 1 }
    }
    _ = try await client.ask(#"{"do":"play"}"#)
    times.sort()
    func within(_ percent: Int) -> Double { times[times.count * percent / 100] }
    var figure = Figure(
      "every word in turn",
      [.half: within(50), .most: within(95), .nearlyAll: within(99), .longest: times[times.count - 1]],
      runs: times.count, goal: "99 % 50 ms")
    if refused > 0 { figure.values[.refused] = refused }
    figure.isHeadline = true
    Report.tell(figure)
  }

  // MARK: Commands

  private static func commands(_ workspace: Workspace) throws {
    Report.title("Control commands, from exec to exit")
    for words in [["pause"], ["play"], ["seek", "60"], ["status"], ["status", "--line=60"], ["version"]] {
      let runs = try (0..<Effort.rounds(50)).map { _ in try Measured.run(workspace.podcli, words, in: workspace) }
      var figure = Figure("podcli " + words.joined(separator: " "), of: runs, goal: "5 ms")
      figure.isHeadline = words == ["pause"]
      Report.tell(figure)
    }
  }

  // MARK: Clients

  /// The processor time of the player in a while, alone and with as many watching clients as it takes, in turns.
  private static func clients(_ player: Player) async throws {
    Report.title("\(Effort.size(20, brief: 1)) s of playing, with clients that watch each second")
    var times: [Int: [Double]] = [:]
    for _ in 0..<Effort.rounds(3) {
      for count in [0, 32] {
        var clients: [LineSocket] = []
        for _ in 0..<count { clients.append(try await player.client()) }
        for client in clients { _ = try await client.ask(#"{"do":"watch","every":1}"#) }
        times[count, default: []].append(player.processorTime(whileWaiting: Effort.size(20, brief: 1)))
      }
    }
    func figure(_ count: Int, _ name: String) -> Figure {
      Figure(name, [.processor: Amount.median(times[count] ?? [])], runs: times[count]?.count ?? 0)
    }
    let alone = figure(0, "alone")
    var watched = figure(32, "with 32 clients")
    watched.beside = Figure.Peer(name: "alone", values: alone.values)
    watched.goal = "1.05 ×"
    watched.isHeadline = true
    Report.tell(alone)
    Report.tell(watched)
  }
}

/// A player of an hour of sound, whose audio device keeps time.
private struct Player {
  private let pid: pid_t
  private let path: String

  init(_ workspace: Workspace) async throws {
    let sound = try workspace.write("", to: "sound.mp3")
    let source = "sine=frequency=440:sample_rate=48000:duration=3600"
    let encode = ["-v", "error", "-y", "-f", "lavfi", "-i", source, "-c:a", "libmp3lame", "-b:a", "64k", sound]
    _ = try Measured.run("ffmpeg", encode, in: workspace)
    let server = try FeedServer(try contents(of: sound), delay: 0, workspace)
    defer { server.stop() }
    let feed = try workspace.write(
      "<rss><channel><title>x</title><item><title>y</title><enclosure url=\"\(server.url("/1.mp3"))\"/></item></channel></rss>",
      to: "media.xml")
    for words in [["subscribe", feed], ["download", "1"]] {
      _ = try Measured.run(workspace.podcli, words, in: workspace)
    }
    pid = try Measured.spawn(
      workspace.podcli, ["play", "1"], home: workspace.library, output: nil, with: ["PODCLI_AO=null"])
    path = workspace.library + "/run/player.sock"
    let path = path
    mkdir(workspace.library + "/run", 0o700)
    try await eventually("the player's socket", watching: workspace.library + "/run") { access(path, F_OK) == 0 }
    let client = try await client()
    while try await client.ask(#"{"do":"status"}"#)?.contains(#""state":"playing""#) != true { usleep(10_000) }
  }

  /// Past the greeting.
  func client() async throws -> LineSocket {
    let client = try LineSocket(path)
    _ = try await client.line()
    return client
  }

  /// Of all its threads, in seconds.
  func processorTime(whileWaiting seconds: Int) -> Double {
    let before = used()
    sleep(UInt32(seconds))
    return used() - before
  }

  private func used() -> Double {
    let folder = "/proc/\(pid)/task"
    return names(in: folder).reduce(0) { sum, thread in
      let text = String(decoding: (try? contents(of: "\(folder)/\(thread)/schedstat")) ?? [], as: UTF8.self)
      return sum + (text.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e9
    }
  }

  func stop() {
    kill(pid, SIGTERM)
    waitpid(pid, nil, 0)
  }
}
