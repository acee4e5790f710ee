import Glibc
import PodcastModel
import PodcastStore
import TestSupport

/// Playing, side by side with mpv in the same run: from exec to the first sample, and what a minute of sound costs.
/// Both play into a pipe at the pace of a loudspeaker.
enum ListenBench {
  private static let seconds = 10_800
  private static let rounds = 11

  static func run(_ parts: [String]) async throws {
    if parts.isEmpty || parts.contains("start") { try await start() }
    if parts.isEmpty || parts.contains("cost") { try await cost() }
    if parts.isEmpty || parts.contains("trim") { try await TrimBench.run() }
  }

  private static func start() async throws {
    let stage = try await ListenStage(seconds: seconds)
    defer { stage.remove() }
    print("exec to first sample, three hours of MP3, median of \(rounds)")
    for (name, isRemote, start) in [
      ("file, from its start", false, 0), ("file, resumed at 2 h", false, 7_200),
      ("HTTP, from its start", true, 0), ("HTTP, resumed at 2 h", true, 7_200),
    ] {
      try await stage.keepPlace(Double(start))
      let podcli = start > 0 ? ["resume"] : ["play", "1", "--restart"]
      let mpv = stage.mpv + ["--start=\(start)", isRemote ? stage.url : stage.file]
      let home = isRemote ? stage.remote : stage.local
      var (ours, theirs): ([Double], [Double]) = ([], [])
      for _ in 0..<rounds {
        ours.append(try stage.firstSample(stage.podcli, podcli, home: home))
        theirs.append(try stage.firstSample("mpv", mpv, home: home))
      }
      show(name, median(ours) * 1000, median(theirs) * 1000, "ms", goal: isRemote ? 1.1 : 1.0)
    }
  }

  private static func cost() async throws {
    let stage = try await ListenStage(seconds: seconds)
    defer { stage.remove() }
    print("CPU per minute of sound, HTTP, over 20 s; most memory used")
    for speed in [1, 2] {
      try await stage.keepPlace(0)
      let podcli = ["play", "1", "--restart", "--speed", "\(speed)"]
      let mpv = stage.mpv + ["--speed=\(speed)", stage.url]
      let ours = try stage.cost(stage.podcli, podcli, home: stage.remote)
      let theirs = try stage.cost("mpv", mpv, home: stage.remote)
      show("at \(speed)x", ours.processor / Double(speed), theirs.processor / Double(speed), "s", goal: 0.8)
      print("    memory: podcli \(Int(ours.megabytes)) MB (goal 100), mpv \(Int(theirs.megabytes)) MB")
    }
  }

  private static func show(_ name: String, _ ours: Double, _ theirs: Double, _ unit: String, goal: Double) {
    func text(_ value: Double) -> String { unit == "ms" ? String(Int(value.rounded())) : hundredths(value) }
    let title = name + String(repeating: " ", count: max(0, 24 - name.count))
    print(
      "  \(title)podcli \(text(ours)) \(unit), mpv \(text(theirs)) \(unit): \(hundredths(ours / theirs)) x (goal \(goal))"
    )
  }

  static func hundredths(_ value: Double) -> String {
    let number = Int((value.magnitude * 100).rounded())
    return (value < 0 ? "-" : "") + "\(number / 100)." + (number % 100 < 10 ? "0" : "") + String(number % 100)
  }

  static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

/// Media, two libraries that know them, a server and a loudspeaker.
struct ListenStage {
  let podcli: String
  let mpv = ["--no-video", "--no-config", "--really-quiet", "--ao=sdl", "--sdl-buflen=0.01"]
  let file: String
  let local: String
  let remote: String
  private let place: Workplace
  private let server: LoopbackServer
  private let speaker: String
  private let pipe: Int32

  var url: String { server.url("/1.mp3") }

  init(seconds: Int) async throws {
    place = try Workplace()
    podcli = place.podcli
    // A minute over and over: frames of a constant rate may be put one behind the other.
    let options = ["-b:a", "64k", "-write_xing", "0", "-id3v2_version", "0"]
    let minute = try await Tone(seconds: 60, sampleRate: 44_100).encoded(as: "mp3", options: options)
    let medium = Array((0..<seconds / 60).map { _ in minute }.joined())
    file = try place.write(medium, to: "1.mp3")
    server = try LoopbackServer()
    let resource = Response.resource(medium, type: "audio/mpeg", etag: "\"1\"")
    server.serve("/1.mp3") { resource.answering($0) }
    speaker = place.library + "/speaker"
    guard mkfifo(speaker, 0o600) == 0 else { throw Workplace.CannotWrite(path: speaker) }
    pipe = open(speaker, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    (local, remote) = (place.library + "/local", place.library + "/remote")
    try await subscribe(local, at: "file://" + file)
    try await subscribe(remote, at: url)
  }

  func remove() { place.remove() }

  private func subscribe(_ home: String, at address: String) async throws {
    guard mkdir(home, 0o700) == 0 else { throw Workplace.CannotWrite(path: home) }
    _ = try place.write("rewind = off\n", to: "home/" + (home == local ? "local" : "remote") + "/config")
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

  func keepPlace(_ seconds: Double) async throws {
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

  /// In seconds.
  func firstSample(_ program: String, _ arguments: [String], home: String) throws -> Double {
    let began = ContinuousClock.now
    let pid = try start(program, arguments, home: home)
    var readable = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
    let isHeard = poll(&readable, 1, 20_000) > 0
    let elapsed = ContinuousClock.now - began
    end(pid)
    guard isHeard else { throw Measured.CannotStart(program: program) }
    return elapsed / .seconds(1)
  }

  /// CPU seconds per minute, without the start.
  func cost(_ program: String, _ arguments: [String], home: String) throws -> (processor: Double, megabytes: Double) {
    let pid = try start(program, arguments, home: home)
    defer { end(pid) }
    listen(for: 3)
    let before = Self.processorSeconds(pid)
    listen(for: 20)
    return ((Self.processorSeconds(pid) - before) * 3, Self.peakMegabytes(pid))
  }

  /// Takes the sound out of the pipe, which does not hold much of it.
  private func listen(for seconds: Double) {
    let end = ContinuousClock.now + .seconds(seconds)
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while ContinuousClock.now < end {
      var readable = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
      if poll(&readable, 1, 100) > 0 { _ = read(pipe, &bytes, bytes.count) }
    }
  }

  private static func processorSeconds(_ pid: pid_t) -> Double {
    let text = String(decoding: (try? contents(of: "/proc/\(pid)/stat")) ?? [], as: UTF8.self)
    let fields = text.drop { $0 != ")" }.split(separator: " ")
    guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else { return 0 }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  private static func peakMegabytes(_ pid: pid_t) -> Double {
    let text = String(decoding: (try? contents(of: "/proc/\(pid)/status")) ?? [], as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return line.split(separator: " ").dropFirst().first.flatMap { Double($0.filter(\.isNumber)) }.map { $0 / 1024 } ?? 0
  }
}
