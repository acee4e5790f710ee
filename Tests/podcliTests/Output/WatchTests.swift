import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing
import Text

@testable import podcli

@Suite struct WatchTests {
  @Test func `status --watch follows changes by another process`() async throws {
    let stage = try await Stage.library()
    let watching = try stage.home.podcli("status", "--watch", "--json").start()
    try await watching.wait(forOutput: "\"state\":\"stopped\"")
    try await stage.seed { try await $0.savePosition(.seconds(90), of: .init(rawValue: 2), urgency: .flush) }
    try await watching.wait(forOutput: "\"position\":90")
    watching.send(SIGTERM)
    #expect(lines(try await watching.end().output).count == 2)
  }

  @Test func `playlist --watch redraws in the same rows`() async throws {
    let stage = try await Stage.library()
    let watching = try stage.home.podcli("playlist", "--watch").on(Program.Screen()).start()
    try await watching.wait(forScreen: "● Sample Show")
    try await stage.seed { try await $0.mark(.favourite, [.init(rawValue: 1)]) }
    _ = try await stage.run("mark", "played", "1", "2", "3")
    try await watching.wait(forScreen: "3 ✓ Sample Show")
    watching.type("\u{3}")
    #expect(try await watching.end().status == .signalled(SIGINT))
  }

  @Test func `a name that does not exist is refused, with --watch too`() async throws {
    let stage = try await Stage.library()
    for word in ["podcast:dialy", "tag:none"] {
      #expect(try await stage.run("playlist", word, "--watch").status == .exited(3))
    }
  }

  @Test func `more rows than the screen has leave the first ones there`() async throws {
    let stage = try Stage(episodes: 40, seconds: 1)
    try await stage.subscribe()
    let watching = try stage.home.podcli("playlist", "-n", "40", "--watch").on(Program.Screen()).start()
    try await watching.wait(forScreen: "Episode 40")
    try await stage.seed { try await $0.mark(.played, [.init(rawValue: 1)]) }
    try await watching.wait(forScreen: "Episode 40")
    watching.type("\u{3}")
    #expect(try await !watching.end().transcript.screen.contains("Episode 9"))
  }

  @Test func `--watch --json prints each list as a line`() async throws {
    let stage = try await Stage.library()
    let watching = try stage.home.podcli("playlist", "unplayed", "--watch", "--json").start()
    try await watching.wait(forOutput: "]\n")
    _ = try await stage.run("mark", "played", "1", "2", "3")
    try await watching.wait(forOutput: "[]\n")
    watching.send(SIGTERM)
    _ = try await watching.end()
  }

  @Test(arguments: [
    (["subscribe", "/second"], "Second Show"), (["refresh", "--force"], "Episode 4"),
    (["play", "1"], "\"isCurrentlyPlaying\":true"), (["download", "2"], "\"state\":\"complete\""),
    (["unsubscribe", "1", "--yes"], "[]\n"),
  ]) func `playlist --watch follows changes by another process`(words: [String], shown: String) async throws {
    let stage = try Stage(episodes: 3, seconds: 1)
    try await stage.subscribe()
    let media = stage.server.url("/media")
    stage.server.serve("/feed.xml", .feed(SampleFeed(episodes: 4, mediaBase: media).bytes))
    stage.server.serve("/second", .feed(SampleFeed(title: "Second Show", episodes: 1, mediaBase: media).bytes))
    let watching = try stage.home.podcli("playlist", "--watch", "--json").start()
    try await watching.wait(forOutput: "]\n")
    let words = words.map { $0.hasPrefix("/") ? stage.server.url($0) : $0 }
    let outcome = try await stage.home.podcli(words).run()
    #expect(outcome.status == .exited(0), "\(outcome)")
    try await watching.wait(forOutput: shown)
    watching.send(SIGTERM)
    _ = try await watching.end()
  }

  @Test func `playlist --watch shows the progress of a download`() async throws {
    let stage = try Stage(episodes: 1, seconds: 60)
    let tone = Tone(seconds: 60, sampleRate: Stage.sampleRate).wav
    let gate = Gate()
    stage.server.serve("/media/1.wav", .ok(tone, type: "audio/wav").pausing(at: tone.count / 2, until: gate))
    try await stage.subscribe()
    let watching = try stage.home.podcli("playlist", "--watch").on(Program.Screen()).start()
    try await watching.wait(forScreen: "Episode 1")
    let loading = try stage.home.podcli("download", "1").start()
    try await watching.wait(forScreen: "Downloading… ")
    gate.open()
    try await watching.wait(forScreen: "↓ Episode 1")
    _ = try await loading.end()
    watching.type("\u{3}")
    _ = try await watching.end()
  }

  @Test func `a closed pipe ends --watch quietly, even without a change`() async throws {
    let stage = try await Stage.library()
    let podcli = builtProduct("podcli")
    let line = "'\(podcli)' status --watch | head -n 1; exit ${PIPESTATUS[0]}"
    let outcome = try await stage.home.program("/bin/bash", "-c", line).run()
    #expect(outcome.status == .exited(0))
    #expect(outcome.error.isEmpty)
  }

  @Test(arguments: [[], ["--no-save"]])
  func `transcript --follow prints segments while another podcli plays`(options: [String]) async throws {
    let stage = try Stage()
    try await stage.subscribe()
    try await stage.seed { store in
      let words = [TranscriptSegment(start: 0, text: "first"), TranscriptSegment(start: 2, text: "second")]
      try await store.setTranscript(words, of: .init(rawValue: 1))
    }
    let following = try stage.home.podcli("transcript", "1", "--follow").start()
    try await following.wait(forError: "Waiting until Sample Show: Episode 1 plays: podcli play 1\n")
    let sink = try PCMSink(in: stage.home)
    let playing = try stage.home.podcli(["play", "1"] + options).heard(by: sink).start()
    try await following.wait(forOutput: "0:00\t\tfirst\n")
    try await following.wait(forOutput: "0:02\t\tsecond\n")
    playing.send(SIGTERM)
    _ = try await playing.end()
    #expect(try await following.end().status == .exited(0))
  }
}
