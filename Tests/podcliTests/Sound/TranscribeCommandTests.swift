import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing
import Text

@testable import podcli

/// Transcripts by a program of the user: small scripts.
@Suite struct TranscribeCommandTests {
  private static let works = #"printf 'WEBVTT\n\n00:00.500 --> 00:02.000\nmade of lighthouses\n' > "$2.vtt""#

  private func stage(_ script: String = works, episodes: Int = 2, seconds: Int = 3) async throws -> Stage {
    let stage = try Stage(episodes: episodes, seconds: seconds)
    try await stage.subscribe()
    _ = try await stage.run("config", "set", "auto-measure=off")
    try #require(try await stage.run("download", "1").status == .exited(0))
    try await use(script, stage)
    return stage
  }

  private func use(_ script: String, _ stage: Stage) async throws {
    let path = try stage.home.write("#!/bin/sh\n\(script)\n", to: "a script")
    chmod(path, 0o700)
    let set = try await stage.run("config", "set", "transcriber='\(path)' {wav} {out}")
    try #require(set.status == .exited(0), "\(set)")
  }

  @Test func `a transcript is made without a network, told, searched and marked`() async throws {
    let stage = try await stage()
    let text = try await stage.run("transcribe", "1", "--offline")
    #expect(text.status == .exited(0) && text.output.hasSuffix(": 1 passage up to 0:02\n"), "\(text)")
    let again = try await stage.run("transcribe", "1", "--json")
    let document = try #require(JSON(parsing: again.output)?.elements?.first)
    #expect(document["segments"]?.int == 1 && document["end"]?.double == 2 && document["made"] == .bool(false))
    #expect(try await stage.run("search", "lighthouses").output.contains("0:00"))
    let shown = try await stage.run("transcript", "1")
    #expect(shown.output == "0:00\t\tmade of lighthouses\n" && shown.error.contains("Made on this machine"), "\(shown)")
    #expect(try await stage.json("transcript", "1").contains(#""generated":true"#))
    #expect(try await stage.json("info", "1").contains(#""transcriptGenerated":true"#))
    #expect(try await stage.run("info", "1").output.contains("made on this machine"))
  }

  @Test func `without a program, and for one that is missing, it says how to name one`() async throws {
    let stage = try await stage()
    _ = try await stage.run("config", "unset", "transcriber")
    let none = try await stage.run("transcribe", "1")
    #expect(none.status == .exited(1) && none.error.contains("podcli config set transcriber='whisper-cli"), "\(none)")
    _ = try await stage.run("config", "set", "transcriber=no-such-program {wav}")
    let missing = try await stage.run("transcribe", "1")
    #expect(
      missing.status == .exited(1) && missing.error.contains("no-such-program failed: it was not found"), "\(missing)")
    let wrong = try await stage.run("config", "set", "transcriber=whisper-cli")
    #expect(wrong.status == .exited(2) && wrong.error.contains("{wav}"), "\(wrong)")
    try await use(Self.works, stage)
    let absent = try await stage.run("transcribe", "2")
    #expect(absent.status == .exited(3) && absent.error.contains("podcli download 2"), "\(absent)")
  }

  @Test func `a program that a signal ends did not take too long`() async throws {
    let failed = try await stage("kill -SEGV $$").run("transcribe", "1")
    #expect(failed.status == .exited(1) && failed.error.contains("signal 11 ended it"), "\(failed)")
  }

  @Test func `the last message of a program that fails is told, without its escapes`() async throws {
    let stage = try await stage(#"printf 'loading\n\033[31mno model\033[0m\n' >&2; exit 2"#)
    let failed = try await stage.run("transcribe", "1")
    #expect(failed.status == .exited(1), "\(failed)")
    #expect(failed.error.contains("its exit status was 2") && failed.error.contains("no model"), "\(failed)")
    #expect(!failed.error.contains("\u{1B}"))
  }

  /// The program waits until it may go on.
  private static func waiting(_ stage: Stage) -> String {
    "touch '\(stage.home.path)/started'; while ! test -e '\(stage.home.path)/go'; do sleep 0.05; done; \(works)"
  }

  @Test(arguments: [SIGKILL, SIGTERM, SIGINT]) func `one that is killed amid the work goes on with podcli transcribe`(
    signal: Int32
  ) async throws {
    let stage = try await stage()
    try await use(Self.waiting(stage), stage)
    let running = try stage.home.podcli("transcribe", "1").start()
    try await eventually("the program", watching: stage.home.path) { access(stage.home.path + "/started", F_OK) == 0 }
    running.send(signal)
    let killed = try await running.end()
    #expect(killed.status == (signal == SIGKILL ? .signalled(signal) : .exited(128 + signal)), "\(killed)")
    #expect(try await stage.library().transcript(of: EpisodeID(rawValue: 1)) == [])
    try stage.home.write("", to: "go")
    let rest = try await stage.run("transcribe")
    #expect(rest.status == .exited(0) && rest.output.contains("1 passage"), "\(rest)")
    #expect(try await stage.run("transcribe").error.contains("Nothing waits"))
  }

  @Test func `a second process waits for the first, and finds its result`() async throws {
    let stage = try await stage()
    try await use(Self.waiting(stage), stage)
    let first = try stage.home.podcli("transcribe", "1").start()
    try await eventually("the program", watching: stage.home.path) { access(stage.home.path + "/started", F_OK) == 0 }
    let second = try stage.home.podcli("transcribe", "1").start()
    try await second.wait(for: "that it waits") { $0.error.contains("Another podcli makes transcripts") }
    try stage.home.write("", to: "go")
    #expect(try await first.end().output.hasSuffix("up to 0:02\n"))
    #expect(try await second.end().output.hasSuffix("there already\n"))
  }

  @Test func `a full disk is told, and what waits goes on when there is space again`() async throws {
    let stage = try await stage(seconds: 30)
    let program = builtProduct("podcli")
    // In units of 512 bytes: the library is smaller, the sound larger.
    let full = try await stage.home.program(
      "/bin/sh", "-c", "ulimit -f 1700; exec \"\(program)\" transcribe 1"
    ).run()
    #expect(full.status == .exited(9) && full.error.contains("disk full"), "\(full)")
    #expect(try await stage.run("transcribe").output.contains("1 passage"))
  }

  @Test func `downloads of a podcast with auto-transcribe are transcribed in the background, others are not`()
    async throws
  {
    let stage = try await stage(episodes: 3)
    let other = SampleFeed(title: "Other", episodes: 1, mediaBase: stage.server.url("/media"), seconds: 3)
    stage.server.serve("/other.xml", .feed(other.bytes))
    try #require(try await stage.run("subscribe", stage.server.url("/other.xml")).status == .exited(0))
    try #require(try await stage.run("set", "1", "auto-transcribe=on").status == .exited(0))
    // Of the other podcast.
    try #require(try await stage.run("download", "4").status == .exited(0))
    try #require(try await stage.run("download", "3").status == .exited(0))
    try await stage.wait(for: "the transcript of episode 3") { library in
      try await !library.transcript(of: EpisodeID(rawValue: 3)).isEmpty
    }
    #expect(try await stage.library().transcript(of: EpisodeID(rawValue: 4)) == [])
  }
}
