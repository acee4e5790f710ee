import Glibc
import PodcastModel
import PodcastStore
import TestSupport

/// Playing, beside mpv in the same run: the time from exec to the first sample, and the cost of a minute of sound.
/// Both play in real time into a pipe.
enum ListenBench {
  private static let seconds = Effort.size(10_800, brief: 180)
  private static let rounds = Effort.rounds(11)
  /// Fewer rounds, since each takes long; several, since the processor's speed varies from minute to minute.
  private static let costRounds = Effort.rounds(5)

  static func run(_ parts: [String]) async throws {
    if parts.isEmpty || parts.contains("start") { try await start() }
    if parts.isEmpty || parts.contains("cost") { try await cost() }
    if parts.isEmpty || parts.contains("pulse") { try await SoundServerBench.run() }
    if parts.isEmpty || parts.contains("trim") { try await TrimBench.run() }
    if parts.isEmpty || parts.contains("loudness") { try await LoudnessBench.run() }
    if parts.isEmpty || parts.contains("told") { try await ToldBench.run() }
  }

  private static func start() async throws {
    let stage = try await ListenStage(seconds: seconds)
    defer { stage.remove() }
    Report.title("exec to first sample, \(seconds / 60) minutes of MP3")
    let late = seconds / 3 * 2
    for (name, isRemote, start) in [
      ("file, from its start", false, 0), ("file, resumed late in it", false, late),
      ("HTTP, from its start", true, 0), ("HTTP, resumed late in it", true, late),
    ] {
      try await stage.rememberPosition(Double(start))
      let podcli = start > 0 ? ["resume"] : ["play", "1", "--restart"]
      let mpv = stage.mpv + ["--start=\(start)", isRemote ? stage.url : stage.file]
      let home = isRemote ? stage.remote : stage.local
      var (ours, theirs): ([Double], [Double]) = ([], [])
      for _ in 0..<rounds {
        ours.append(try stage.firstSample(stage.podcli, podcli, home: home))
        if let heard = try? stage.firstSample("mpv", mpv, home: home) { theirs.append(heard) }
      }
      show(
        name, [.time: Amount.median(ours)], theirs.isEmpty ? nil : [.time: Amount.median(theirs)], runs: rounds,
        goal: isRemote ? "1.1 ×" : "1.0 ×")
    }
  }

  private static func cost() async throws {
    let stage = try await ListenStage(seconds: seconds)
    defer { stage.remove() }
    Report.title("a minute of sound, HTTP")
    for speed in [1, 2] {
      try await stage.rememberPosition(0)
      let podcli = ["play", "1", "--restart", "--speed", "\(speed)"]
      let mpv = stage.mpv + ["--speed=\(speed)", stage.url]
      var (ours, theirs): ([ListenStage.Cost], [ListenStage.Cost]) = ([], [])
      for _ in 0..<costRounds {
        ours.append(try stage.cost(stage.podcli, podcli, home: stage.remote))
        if let cost = try? stage.cost("mpv", mpv, home: stage.remote) { theirs.append(cost) }
      }
      func values(_ costs: [ListenStage.Cost]) -> [Measure: Double] {
        [
          .processor: Amount.median(costs.map { $0.processor / Double(speed) }),
          .memory: costs.map(\.megabytes).max() ?? 0,
        ]
      }
      show(
        "at \(speed)x", values(ours), theirs.isEmpty ? nil : values(theirs), runs: costRounds, goal: "0.8 ×, 100 MB")
    }
  }

  private static func show(
    _ name: String, _ ours: [Measure: Double], _ theirs: [Measure: Double]?, runs: Int, goal: String
  ) {
    let peer = theirs.map { Figure.Peer(name: "mpv", values: $0) }
    var figure = Figure(name, ours, runs: runs, beside: peer, goal: goal)
    figure.isHeadline = true
    Report.tell(figure)
  }
}

/// A media file, two libraries that list it (as a local file and by HTTP), a server, and a pipe as the audio device.
struct ListenStage {
  let podcli: String
  let mpv = ["--no-video", "--no-config", "--really-quiet", "--ao=sdl", "--sdl-buflen=0.01"]
  let file: String
  let local: String
  let remote: String
  private let workspace: Workspace
  private let server: LoopbackServer
  private let speaker: String
  private let pipe: Int32

  var url: String { server.url("/1.mp3") }

  init(seconds: Int, encoding: [String] = ["-b:a", "64k"]) async throws {
    workspace = try Workspace()
    podcli = workspace.podcli
    // One minute repeated: MP3 frames of a constant bit rate can be concatenated.
    let options = encoding + ["-write_xing", "0", "-id3v2_version", "0"]
    let minute = try await Tone(seconds: 60, sampleRate: 44_100).encoded(as: "mp3", options: options)
    let media = Array((0..<seconds / 60).map { _ in minute }.joined())
    file = try workspace.write(media, to: "1.mp3")
    server = try LoopbackServer()
    let resource = Response.resource(media, type: "audio/mpeg", etag: "\"1\"")
    server.serve("/1.mp3") { resource.answering($0) }
    speaker = workspace.library + "/speaker"
    guard mkfifo(speaker, 0o600) == 0 else { throw Workspace.CannotWrite(path: speaker) }
    pipe = open(speaker, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    (local, remote) = (workspace.library + "/local", workspace.library + "/remote")
    try await subscribe(local, at: "file://" + file)
    try await subscribe(remote, at: url)
  }

  func remove() { workspace.remove() }

  private func subscribe(_ home: String, at address: String) async throws {
    guard mkdir(home, 0o700) == 0 else { throw Workspace.CannotWrite(path: home) }
    _ = try workspace.write(
      "rewind = off\nauto-measure = off\n", to: "home/" + (home == local ? "local" : "remote") + "/config")
    var feed = Feed()
    feed.title = "Bench"
    var episode = FeedEpisode()
    episode.guid = "1"
    episode.title = "Three hours"
    episode.enclosure = Enclosure(url: address)
    feed.episodes = [episode]
    let store = try PodcastStore(path: home + "/library.db")
    _ = try await store.subscribe(to: feed, at: home == local ? "file:///feed.xml" : server.url("/feed.xml"))
    await store.close()
  }

  func rememberPosition(_ seconds: Double) async throws {
    for home in [local, remote] {
      let store = try PodcastStore(path: home + "/library.db")
      try await store.startPlaying(EpisodeID(rawValue: 1))
      try await store.savePosition(.seconds(seconds), of: EpisodeID(rawValue: 1), urgency: .flush)
      await store.close()
    }
  }

  private func start(_ program: String, _ arguments: [String], home: String) throws -> pid_t {
    try Measured.spawn(
      program, arguments, home: home, output: nil,
      with: [
        "PODCLI_AO=sdl:sdl-buflen=0.01", "SDL_AUDIODRIVER=disk", "SDL_DISKAUDIOFILE=\(speaker)",
      ])
  }

  private func end(_ pid: pid_t) {
    kill(pid, SIGKILL)
    waitpid(pid, nil, 0)
    var rest = [UInt8](repeating: 0, count: 1 << 16)
    while read(pipe, &rest, rest.count) > 0 {}
  }

  /// The time from exec to the first sample, in seconds.
  func firstSample(_ program: String, _ arguments: [String], home: String) throws -> Double {
    let began = ContinuousClock.now
    let pid = try start(program, arguments, home: home)
    var readable = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
    let isHeard = poll(&readable, 1, 20_000) > 0
    let elapsed = ContinuousClock.now - began
    end(pid)
    guard isHeard else { throw Measured.CannotStart(program: program) }
    return elapsed.inSeconds
  }

  struct Cost {
    /// Processor seconds per minute of playing.
    var processor: Double
    var megabytes: Double
  }

  /// Measures ten seconds of playing, after the start.
  func cost(_ program: String, _ arguments: [String], home: String) throws -> Cost {
    let pid = try start(program, arguments, home: home)
    defer { end(pid) }
    listen(for: Effort.size(3, brief: 0.5))
    let before = Self.processorSeconds(pid)
    let seconds = Effort.size(10.0, brief: 0.5)
    listen(for: seconds)
    let (after, megabytes) = (Self.processorSeconds(pid), Measured.peakMegabytes(of: pid))
    // A process that has ended has no memory, and would seem to cost nothing.
    guard megabytes > 0 else { throw Measured.CannotStart(program: program) }
    return Cost(processor: (after - before) * 60 / seconds, megabytes: megabytes)
  }

  /// Reads the audio from the pipe, which would otherwise fill and block the player.
  private func listen(for seconds: Double) {
    let end = ContinuousClock.now + .seconds(seconds)
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while ContinuousClock.now < end {
      var readable = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
      if poll(&readable, 1, 100) > 0 { _ = read(pipe, &bytes, bytes.count) }
    }
  }

  /// Read from the process's clock, which is exact; the ticks of `/proc` are 10 ms long.
  private static func processorSeconds(_ pid: pid_t) -> Double {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(pid, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
