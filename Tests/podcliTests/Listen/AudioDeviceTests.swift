import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing

/// A private sound server with one silent device.
private struct SoundServer {
  private let home: TemporaryHome
  private var socket: String { home.path + "/sound" }

  init(in home: TemporaryHome) { self.home = home }

  func start() throws -> RunningProgram {
    let native = "module-native-protocol-unix auth-anonymous=1 socket=\(socket)"
    return try home.program(
      "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm=yes",
      "--log-target=stderr", "-L", "module-null-sink sink_name=ear", "-L", native
    ).setting("XDG_RUNTIME_DIR", home.path).start()
  }

  func isUp() async throws {
    try await eventually("the sound server", watching: home.path) { [socket] in access(socket, F_OK) == 0 }
  }

  func heard(_ program: Program) -> Program {
    program.setting("PODCLI_AO", "pulse").setting("PULSE_SERVER", "unix:" + socket)
      .setting("XDG_RUNTIME_DIR", home.path).setting("PULSE_COOKIE", home.path + "/cookie")
  }
}

@Suite struct AudioDeviceTests {
  @Test func `P9: a start without an audio device changes nothing`() async throws {
    let stage = try Stage(episodes: 2)
    try await stage.subscribe()
    try await stage.seed { store in
      try await store.startPlaying(.init(rawValue: 1), at: Timestamp(seconds: 1_700_000_000))
      try await store.savePosition(
        .seconds(30), of: .init(rawValue: 1), urgency: .flush, at: Timestamp(seconds: 1_700_000_000))
    }
    let before = try await stage.status(of: 1)
    for words in [["play", "2"], ["resume"]] {
      let outcome = try await stage.home.podcli(words).setting("PODCLI_AO", "none").run()
      #expect(outcome.status == .exited(8), "\(outcome)")
      #expect(try await stage.status(of: 1) == before)
      #expect(try await stage.status(of: 2).lastPlayedAt == nil)
    }
    #expect(try await stage.library().current()?.episode.id.rawValue == 1)
  }

  @Test func `P9: the player waits for a sound server that dies, and goes on at the same position`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let server = SoundServer(in: stage.home)
    let first = try server.start()
    try await server.isUp()
    let playing = try server.heard(stage.home.podcli("play", "1", "--start", "10")).start()
    let watching = try stage.home.podcli("status", "--watch", "--json").start()
    try await watching.wait(for: "a position behind 11 s") { ($0.positions.last ?? 0) > 11 }
    first.send(SIGKILL)
    _ = try await first.end()
    try await playing.wait(forError: "The audio device is gone")
    try await watching.wait(for: "the state") { $0.output.contains("\"state\":\"buffering\"") }
    let lost = try #require(try await stage.position(of: 1))
    #expect(lost > 11)
    let second = try server.start()
    try await watching.wait(for: "a position behind \(lost + 2) s") { ($0.positions.last ?? 0) > lost + 2 }
    playing.send(SIGTERM)
    #expect(try await playing.end().status == .exited(143))
    let status = try await stage.status(of: 1)
    #expect(!status.hasCompleted)
    #expect(watching.transcript.positions.allSatisfy { $0 < 40 })
    second.send(SIGTERM)
    watching.send(SIGTERM)
  }
}

extension Transcript {
  /// The positions in the output of `status --watch --json`.
  var positions: [Double] {
    output.split(separator: "\n").compactMap(Self.position)
  }

  /// The position in the last line of `status --watch --json`, when that is whole and the player is paused.
  var pausedAt: Double? {
    let line = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().last
    guard let line, line.contains("\"state\":\"paused\",\"episode\"") else { return nil }
    return Self.position(in: line)
  }

  private static func position(in line: Substring) -> Double? {
    let position = line.ranges(of: ",\"position\":").last.map {
      line[$0.upperBound...].prefix { $0 != "," && $0 != "}" }
    }
    return position.flatMap { Double($0) }
  }
}
