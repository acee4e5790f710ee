import Glibc
import PodcastModel
import Synchronization
import System
import TestSupport
import Testing
import Text

@testable import Podcatcher

/// The player's socket, with real connections to a player that is only a value.
@Suite struct PlayerServerTests {
  private let home: TemporaryHome
  private let player = Observed(FakePlayer())

  init() throws { home = try TemporaryHome() }

  private var path: String { home.path + "/run/player.sock" }

  private func serve(_ options: PlayerServer.Options = .init()) throws -> PlayerServer {
    try #require(serve(at: path, options))
  }

  private func serve(at path: String, _ options: PlayerServer.Options = .init()) -> PlayerServer? {
    let player = player
    return PlayerServer(
      at: path,
      PlayerServer.Target(
        status: { player.value.document }, isPaused: { player.value.isPaused },
        carryOut: { command in await FakePlayer.carryOut(command, on: player) },
        words: { ["error": ["code": "usage", "message": JSON("\($0)")]] }), options)
  }

  /// Past the greeting.
  private func client() async throws -> LineSocket {
    let client = try LineSocket(path)
    #expect(try await client.line()?.hasPrefix(#"{"podcli":1,"#) == true)
    return client
  }

  @Test func `the greeting names the protocol, the version and the process`() async throws {
    let server = try serve(.init(version: "1.2.3"))
    let client = try LineSocket(path)
    #expect(try await client.line() == #"{"podcli":1,"version":"1.2.3","pid":\#(getpid())}"#)
    server.end([:])
  }

  @Test func `a command is answered with the status after it, and its id comes back`() async throws {
    let server = try serve()
    let client = try await client()
    #expect(try await client.ask(#"{"do":"pause","id":7}"#) == #"{"id":7,"status":{"state":"paused","position":0}}"#)
    #expect(
      try await client.ask(#"{"do":"play","id":"x"}"#) == #"{"id":"x","status":{"state":"playing","position":0}}"#)
    #expect(try await client.ask(#"{"do":"seek","to":"41:07"}"#) == #"{"status":{"state":"playing","position":2467}}"#)
    #expect(try await client.ask(#"{"do":"status"}"#) == #"{"status":{"state":"playing","position":2467}}"#)
    server.end([:])
  }

  @Test func `a bad line has an error for an answer, and the connection stays`() async throws {
    let server = try serve()
    let client = try await client()
    for line in ["hello", "{", "[]", #"{"do":"fly","id":3}"#, #"{"do":"seek","to":"soon"}"#, #"{"do":"speed","to":9}"#]
    {
      #expect(try await client.ask(line)?.contains(#""error":{"code":"usage""#) == true, "\(line)")
    }
    client.send([0xFF, 0xFE, 10])
    #expect(try await client.line()?.contains("notUTF8") == true)
    client.send([UInt8](repeating: 65, count: 64 << 10 | 1))
    #expect(try await client.line()?.contains("tooLong") == true)
    client.send("")
    #expect(try await client.ask(#"{"do":"status"}"#)?.hasPrefix(#"{"status""#) == true)
    // Half a line, and then the rest of it.
    client.send(Array(#"{"do":"#.utf8))
    let other = try await self.client()
    #expect(try await other.ask(#"{"do":"pause"}"#)?.contains("paused") == true)
    client.send(#""status"}"#)
    #expect(try await client.line()?.contains("paused") == true)
    server.end([:])
  }

  @Test func `lines may end as on other systems, and empty ones are none`() {
    var reader = LineReader()
    #expect(reader.take(Array("a\r\n\r\n\nb\r".utf8)) == [.bytes([97])])
    #expect(reader.take([10]) == [.bytes([98])])
  }

  @Test func `of what a client has not read yet only the last tick stays, and none before a change`() {
    var outbox = Outbox()
    var sent = ""
    func drain() -> Bool {
      outbox.drain { bytes in
        sent += String(decoding: bytes, as: UTF8.self)
        return bytes.count
      }
    }
    for tick in ["1 ", "2 "] { outbox.addTick(Array(tick.utf8)) }
    #expect(drain() && sent == "2 ")
    outbox.addTick(Array("3 ".utf8))
    let isTaken = outbox.add(Array("change ".utf8))
    #expect(isTaken && drain() && sent == "2 change ")
  }

  @Test func `requests of one client are carried out in their order`() async throws {
    let server = try serve()
    let client = try await client()
    client.send((1...200).map { #"{"do":"seek","to":\#($0),"id":\#($0)}"# + "\n" }.joined().utf8.map { $0 })
    for number in 1...200 {
      #expect(try await client.line() == #"{"id":\#(number),"status":{"state":"playing","position":\#(number)}}"#)
    }
    server.end([:])
  }

  @Test func `what is not done in time is an error, and the next request is served`() async throws {
    let server = try serve(.init(patience: .milliseconds(500)))
    let client = try await client()
    let gate = Gate()
    player.update { $0.gate = gate }
    #expect(try await client.ask(#"{"do":"next","id":1}"#)?.contains("late") == true)
    #expect(try await client.ask(#"{"do":"pause","id":2}"#)?.hasPrefix(#"{"id":2,"status""#) == true)
    gate.open()
    #expect(try await client.ask(#"{"do":"play","id":3}"#)?.hasPrefix(#"{"id":3,"status""#) == true)
    server.end([:])
  }

  @Test func `the thirty-third client is told so, and another may come when one has gone`() async throws {
    let server = try serve()
    var clients: [LineSocket] = []
    for _ in 1...32 { clients.append(try await client()) }
    let surplus = try LineSocket(path)
    #expect(try await surplus.line()?.contains("tooManyClients") == true)
    #expect(try await surplus.line() == nil)
    clients.removeLast()
    var isIn = false
    while !isIn { isIn = try await LineSocket(path).line()?.contains("podcli") == true }
    server.end([:])
  }

  @Test func `a thousand connections leave nothing behind`() async throws {
    let server = try serve()
    let before = names(in: "/proc/self/fd").count
    for _ in 1...1_000 { _ = try LineSocket(path) }
    var isIn = false
    while !isIn { isIn = try await LineSocket(path).line()?.contains("podcli") == true }
    // The last of them may still be on its way out, and other tests have files of their own.
    #expect(names(in: "/proc/self/fd").count < before + 500)
    server.end([:])
  }

  @Test func `a watching client is told each change at once, and nothing twice`() async throws {
    let server = try serve()
    let client = try await client()
    #expect(try await client.ask(#"{"do":"watch"}"#) == #"{"status":{"state":"playing","position":0}}"#)
    server.statusChanged()
    for position in 1...50 {
      player.update { $0.position = position }
      server.statusChanged()
      #expect(try await client.line() == #"{"status":{"state":"playing","position":\#(position)}}"#)
    }
    server.end(["state": "stopped"])
    #expect(try await client.line() == #"{"status":{"state":"stopped"}}"#)
    #expect(try await client.line() == nil)
  }

  @Test func `ticks come while something moves`() async throws {
    let server = try serve()
    let client = try await client()
    player.update { $0.isRunning = true }
    _ = try await client.ask(#"{"do":"watch","every":0.1}"#)
    let lines = [try await client.line(), try await client.line(), try await client.line()]
    #expect(Set(lines).count == 3)
    server.end([:])
  }

  @Test func `a client that never reads loses no change, or its connection, and holds up no other`() async throws {
    let server = try serve()
    let silent = try await client()
    silent.send(#"{"do":"watch"}"#)
    let client = try await client()
    for position in 1...1_000 {
      player.update { $0.position = position }
      server.statusChanged()
      #expect(try await client.ask(#"{"do":"status"}"#)?.contains(#""position":\#(position)}"#) == true)
    }
    var told: [String] = []
    for _ in 1...1_001 { told.append(try #require(try await silent.line())) }
    #expect(told == (0...1_000).map { #"{"status":{"state":"playing","position":\#($0)}}"# })
    player.update { $0.padding = [JSON](repeating: JSON(String(repeating: "x", count: 4_000)), count: 5) }
    for position in 1...100 {
      player.update { $0.position = position }
      server.statusChanged()
      _ = try await client.ask(#"{"do":"status"}"#)
    }
    var last: String? = ""
    var count = 0
    while last != nil {
      last = try await silent.line()
      count += 1
    }
    #expect(count < 100)
    server.end([:])
  }

  @Test func `who sends and hangs up is heard, and who only stops sending is answered`() async throws {
    let server = try serve()
    let half = try await client()
    // The end of the input ends the line.
    half.send(Array(#"{"do":"seek","to":5,"id":1}"#.utf8))
    half.finishSending()
    #expect(try await half.line() == #"{"id":1,"status":{"state":"playing","position":5}}"#)
    #expect(try await half.line() == nil)
    do {
      let brief = try LineSocket(path)
      brief.send(#"{"do":"seek","to":6}"# + "\n" + #"{"do":"seek","to":7}"#)
    }
    try await player.wait(for: "both requests") { $0.position == 7 }
    let watching = try await client()
    watching.send(#"{"do":"watch"}"#)
    watching.finishSending()
    _ = try await watching.line()
    player.update { $0.position = 8 }
    server.statusChanged()
    #expect(try await watching.line()?.contains("8") == true)
    server.end([:])
  }

  @Test func `the end is the answer to what waits for it`() async throws {
    let server = try serve()
    let client = try await client()
    let gate = Gate()
    player.update { $0.gate = gate }
    client.send(#"{"do":"stop","id":9}"#)
    try await player.wait(for: "the request") { $0.commands.contains(.stop) }
    server.removeFile()
    #expect(access(path, F_OK) != 0)
    server.end(["state": "stopped"])
    #expect(try await client.line() == #"{"id":9,"status":{"state":"stopped"}}"#)
    #expect(try await client.line() == nil)
    gate.open()
  }

  @Test(arguments: [#"{"do":"next"}"#, #"{"do":"open","episode":7}"#])
  func `another episode that was asked for does not play at the end`(request: String) async throws {
    let server = try serve()
    let client = try await client()
    let gate = Gate()
    player.update { $0.gate = gate }
    client.send(request)
    try await player.wait(for: "the request") { !$0.commands.isEmpty }
    server.end(["state": "stopped"])
    #expect(try await client.line() == #"{"error":{"code":"usage","message":"noPlayer"}}"#)
    gate.open()
  }

  @Test(arguments: ["x", "\u{301}"])
  func `a title of megabytes is cut in the status`(letter: String) async throws {
    let server = try serve()
    player.update { $0.padding = [JSON("x" + String(repeating: letter, count: 3 << 20))] }
    let client = try await client()
    client.send(#"{"do":"status"}"#)
    let line = try #require(try await client.line())
    #expect(line.unicodeScalars.contains("…") && line.utf8.count < 8 << 10)
    server.end([:])
  }

  // MARK: The file

  @Test func `socket and folder are the user's alone`() throws {
    let server = try serve()
    var file = stat()
    #expect(lstat(path, &file) == 0 && file.st_mode & 0o777 == 0o600)
    #expect(lstat(home.path + "/run", &file) == 0 && file.st_mode & 0o777 == 0o700)
    server.end([:])
  }

  @Test func `a socket that was left is replaced, and a later one is not removed`() async throws {
    let first = try serve()
    let second = try serve()
    first.removeFile()
    _ = try await client()
    second.removeFile()
    #expect(access(path, F_OK) != 0)
    first.end([:])
    second.end([:])
  }

  @Test(arguments: ["file", "folder", "link"])
  func `something else in its place stays, and there is no socket`(kind: String) throws {
    mkdir(home.path + "/run", 0o700)
    switch kind {
    case "file": try home.write("mine", to: "run/player.sock")
    case "folder": mkdir(path, 0o700)
    default: symlink(try home.write("mine", to: "other"), path)
    }
    #expect(serve(at: path) == nil)
    var file = stat()
    #expect(lstat(path, &file) == 0)
    if kind != "folder" { #expect(try contents(of: path) == Array("mine".utf8)) }
  }

  @Test func `a folder that others may look into is closed to them, and a link to one is refused`() throws {
    mkdir(home.path + "/run", 0o755)
    let server = try serve()
    var file = stat()
    #expect(lstat(home.path + "/run", &file) == 0 && file.st_mode & 0o777 == 0o700)
    symlink(home.path + "/run", home.path + "/link")
    #expect(serve(at: home.path + "/link/player.sock") == nil)
    server.end([:])
  }

  @Test func `a path that is too long for the kernel is reached all the same`() async throws {
    let path = home.path + "/" + String(repeating: "long/", count: 40) + "player.sock"
    let server = try #require(serve(at: path))
    let client = try LineSocket(path)
    #expect(try await client.line()?.contains("podcli") == true)
    let connection = try #require(LocalSocket.connect(to: path))
    close(connection)
    server.removeFile()
    #expect(access(path, F_OK) != 0)
    server.end([:])
  }

  @Test(.enabled(if: geteuid() == 0 && access("/usr/bin/perl", X_OK) == 0, "only root can be another user, too"))
  func `a process of another user is not served, even where it gets at the file`() async throws {
    let server = try serve()
    for open in [home.path, home.path + "/run"] { chmod(open, 0o755) }
    chmod(path, 0o666)
    let asking = [
      "perl", "-MIO::Socket::UNIX", "-e", "print scalar readline(IO::Socket::UNIX->new(Peer => shift) or die $!)",
    ]
    func ask(as user: String) async throws -> Outcome {
      try await home.program("/usr/bin/setpriv", ["--reuid", user, "--clear-groups"] + asking + [path]).run()
    }
    let stranger = try await ask(as: "65534")
    #expect(stranger.status == .exited(0) && stranger.transcript.output.isEmpty, "\(stranger)")
    #expect(try await ask(as: "0").transcript.output.contains("podcli"))
    server.end([:])
  }

  // MARK: Idleness

  @Test func `a player in the background that is left paused is stopped`() async throws {
    let server = try serve(.init(idleLimit: .milliseconds(60)))
    player.update { $0.isPaused = true }
    server.statusChanged()
    try await player.wait(for: "the end") { $0.commands.contains(.stop) }
    server.end([:])
  }

  @Test func `a client keeps a paused player alive, and so does playing`() async throws {
    let clock = Observed(Duration.zero)
    let server = try serve(.init(idleLimit: .seconds(600), clock: { clock.value }))
    player.update { $0.isPaused = true }
    let client = try await client()
    clock.update { $0 = .seconds(700) }
    #expect(try await client.ask(#"{"do":"status"}"#) != nil)
    player.update { $0.isPaused = false }
    clock.update { $0 = .seconds(1_400) }
    #expect(try await client.ask(#"{"do":"status"}"#) != nil)
    #expect(!player.value.commands.contains(.stop))
    server.end([:])
  }
}

/// A player whose state is all that it has.
private struct FakePlayer: Sendable {
  var isPaused = false
  var position = 0
  /// The position grows at each look.
  var isRunning = false
  var padding: [JSON]?
  var commands: [PlayerCommand] = []
  /// Commands that end the episode wait for it.
  var gate: Gate?
  private static let looks = Atomic(0)

  var document: JSON {
    let shown = isRunning ? Self.looks.add(1, ordering: .relaxed).newValue : position
    return ["state": isPaused ? "paused" : "playing", "position": JSON(shown), "padding": padding.map { .array($0) }]
  }

  static func carryOut(_ command: PlayerCommand, on player: Observed<FakePlayer>) async -> ControlError? {
    player.update { player in
      player.commands.append(command)
      switch command {
      case .pause: player.isPaused = true
      case .play: player.isPaused = false
      case .seek(.at(let position)): player.position = Int(position.components.seconds)
      default: break
      }
    }
    guard command.changesEpisode || command == .stop, let gate = player.value.gate else { return nil }
    await gate.opened()
    return nil
  }
}
