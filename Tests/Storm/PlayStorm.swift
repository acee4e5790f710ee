private import Glibc
internal import PodcastModel
internal import PodcastStore
internal import TestSupport

/// P1, P2: ends podcli in an interactive shell at random moments, while it loads, plays and seeks, by signals that it
/// handles and by SIGKILL. Each time the saved position must be one that was audible in the last second, the library must
/// be intact, and the terminal must be restored. `isControlled`: while another process seeks, pauses and changes the
/// speed all the time.
struct PlayStorm {
  let amount: Amount
  var isControlled = false
  /// Over PulseAudio, whose buffer is as long as in daily use; heard is what its device is given.
  var hasSoundServer = false
  /// The number of parallel lanes, each with a home, a server, a shell and an audio device.
  private static let lanes = 3

  func run() async throws {
    let tallies = try await withThrowingTaskGroup(of: Tally.self) { group in
      for lane in 0..<Self.lanes {
        let share = amount.share(of: lane, among: Self.lanes)
        group.addTask { [isControlled, hasSoundServer] in
          try await Lane(seed: UInt64(lane + 1), isControlled: isControlled, hasSoundServer).run(share)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let total = tallies.reduce(into: Tally()) { $0.add($1) }
    print(total.text)
  }

  struct Tally {
    var kills: [String: Int] = [:]
    var unheard = 0
    var requests = 0
    var lost: [String: Double] = [:]

    mutating func add(_ other: Tally) {
      kills.merge(other.kills, uniquingKeysWith: +)
      lost.merge(other.lost, uniquingKeysWith: max)
      unheard += other.unheard
      requests += other.requests
    }

    var text: String {
      let count = kills.values.reduce(0, +)
      let kinds = kills.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
      let losses = lost.sorted { $0.key < $1.key }
        .map { "\($0.key) \(Int(($0.value * 1000).rounded())) ms" }.joined(separator: ", ")
      return """
        \(count) kills (\(kinds)), \(unheard) of them before anything was heard:
        every library whole, every terminal clean; longest time lost: \(losses)
        """ + (requests > 0 ? "; \(requests) requests answered" : "")
    }
  }
}

/// One shell that starts podcli again and again.
private struct Lane {
  private static let signals: [(name: String, number: Int32, status: Int32)] = [
    ("TERM", SIGTERM, 143), ("INT", SIGINT, 130), ("HUP", SIGHUP, 129), ("KILL", SIGKILL, 137),
  ]
  private enum Moment: CaseIterable { case loading, playing, seeking }

  private let home: TemporaryHome
  private let server: LoopbackServer
  private let speaker: Loudspeaker
  private let sound: SoundServer?
  private let shell: Shell
  private let seed: UInt64
  private let client: RestlessClient?
  private static let seconds = 300

  init(seed: UInt64, isControlled: Bool, _ hasSoundServer: Bool) async throws {
    self.seed = seed
    home = try TemporaryHome()
    server = try LoopbackServer()
    let feed = SampleFeed(episodes: 1, mediaBase: server.url("/media"), seconds: Self.seconds)
    server.serve("/feed.xml", Response.feed(feed.bytes))
    let media = Response.resource(Loudspeaker.media(seconds: Self.seconds), type: "audio/wav", etag: "\"1\"")
    server.serve("/media/1.wav") { media.answering($0) }
    speaker = try Loudspeaker(home.path + "/speaker")
    sound = hasSoundServer ? try await SoundServer(home, playingTo: speaker) : nil
    shell = try Shell(home, sound?.variables ?? speaker.variables)
    client = isControlled ? RestlessClient(home.path + "/podcli/run/player.sock", seed: seed) : nil
  }

  func run(_ amount: Amount) async throws -> PlayStorm.Tally {
    defer {
      sound?.stop()
      home.remove()
    }
    guard try await home.podcli("subscribe", server.url("/feed.xml")).run().status == .exited(0) else {
      stop("cannot subscribe")
    }
    try await shell.start()
    let controlling = Task { [client] in await client?.run() }
    defer { controlling.cancel() }
    var random = SeededGenerator(seed: seed)
    var tally = PlayStorm.Tally()
    for round in amount.begin() {
      let signal = Self.signals[Int.random(in: 0..<Self.signals.count, using: &random)]
      let moment = Moment.allCases[Int.random(in: 0..<3, using: &random)]
      try await strike(signal, moment, "lane \(seed), kill \(round), \(signal.name) while \(moment)", &random, &tally)
      tally.kills["\(signal.name)", default: 0] += 1
    }
    tally.requests = client?.answered ?? 0
    return tally
  }

  private func strike(
    _ signal: (name: String, number: Int32, status: Int32), _ moment: Moment, _ name: String,
    _ random: inout SeededGenerator, _ tally: inout PlayStorm.Tally
  ) async throws {
    let before = try await savedPosition()
    speaker.forget()
    client?.forget()
    let command = before == nil || before! > Double(Self.seconds - 90) ? "podcli play 1 --start 20" : "podcli resume"
    try await shell.type(command)
    let pressed = try await wait(for: moment, &random)
    let struck = Monotonic.seconds
    shell.send(signal.number)
    try await shell.ended(name)
    let took = Monotonic.seconds - struck
    if took > 1.6 { stop("\(name): ended after \(took) s") }
    speaker.drain()
    try await judge(name, signal, before, pressed, struck, &tally)
    try await shell.check(name, status: signal.status, isKill: signal.number == SIGKILL)
  }

  /// Waits for the moment of the signal. Returns the seconds by which a pressed key moves the position.
  private func wait(for moment: Moment, _ random: inout SeededGenerator) async throws -> Double? {
    func pause(_ milliseconds: ClosedRange<Int32>) { _ = poll(nil, 0, Int32.random(in: milliseconds, using: &random)) }
    switch moment {
    case .loading:
      pause(0...350)
      return nil
    case .playing:
      try await speaker.waitForSound()
      pause(300...2_500)
      return nil
    case .seeking:
      try await speaker.waitForSound()
      pause(300...1_500)
      let isForward = Bool.random(using: &random)
      shell.press(isForward ? "\u{1B}[C" : "\u{1B}[D")
      pause(0...150)
      return isForward ? 30 : -10
    }
  }

  private func judge(
    _ name: String, _ signal: (name: String, number: Int32, status: Int32), _ before: Double?, _ pressed: Double?,
    _ struck: Double, _ tally: inout PlayStorm.Tally
  ) async throws {
    let store = try PodcastStore(path: home.path + "/podcli/library.db")
    let problems = try await store.problems(.full)
    if !problems.isEmpty { stop("\(name): \(problems)") }
    await store.close()
    let saved = try await savedPosition()
    let heard = speaker.heard
    // Too short a playback is not saved: the old position is kept.
    guard let last = heard.last, last.moment - (heard.first?.moment ?? 0) > 0.4 else {
      tally.unheard += 1
      if saved != before, heard.isEmpty, client?.hasSought(saved ?? -1, before: struck) != true {
        stop("\(name): nothing was heard, but \(before ?? -1) became \(saved ?? -1)")
      }
      return
    }
    guard let saved else { stop("\(name): \(last.position) was heard, and no position was saved") }
    if let client, isExplained(saved, last.position, pressed, client, struck) { return }
    // The saved position is that of the signal's moment or of one shortly before; a seek may not have been audible yet.
    let fitting = heard.last { abs($0.position - saved) < tolerance }
    if let fitting, struck - fitting.moment < 1 {
      let key = signal.number == SIGKILL ? "killed" : "asked to end"
      tally.lost[key] = max(tally.lost[key] ?? 0, struck - fitting.moment)
      if signal.number != SIGKILL, struck - fitting.moment > 0.4 {
        stop("\(name): asked to end, it lost \(struck - fitting.moment) s")
      }
      return
    }
    if let pressed,
      heard.contains(where: { abs(max(0, $0.position + pressed) - saved) < 0.6 && struck - $0.moment < 1 })
    {
      return
    }
    // A resume rewinds a little, so the saved position may be ahead of the audible one.
    if saved == before, last.position < saved { return }
    stop("\(name): at \(last.position) when struck, \(saved) was saved, \(before ?? -1) was before")
  }

  /// Between the position told and the one heard, in seconds of the media file: a client plays it up to twice as fast.
  private var tolerance: Double { client == nil ? 0.15 : 0.3 }

  /// Whether the client's pause or seek explains the saved position, with the seek of a key besides where one was pressed:
  /// nothing is heard meanwhile, so nothing is lost.
  private func isExplained(
    _ saved: Double, _ last: Double, _ pressed: Double?, _ client: RestlessClient, _ struck: Double
  ) -> Bool {
    if abs(last - saved) < tolerance || client.hasSought(saved, before: struck) { return true }
    guard let pressed else { return false }
    return abs(last + pressed - saved) < 0.6 || client.hasSought(saved - pressed, before: struck)
  }

  private func savedPosition() async throws -> Double? {
    let store = try PodcastStore(path: home.path + "/podcli/library.db", access: .readOnly)
    defer { Task { await store.close() } }
    return try await store.episode(EpisodeID(rawValue: 1))?.status.lastListenTime?.inSeconds
  }
}
