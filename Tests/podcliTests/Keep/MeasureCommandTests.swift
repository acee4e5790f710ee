import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing
import Text

@Suite struct MeasureCommandTests {
  private func stage(seconds: Int = 3) async throws -> Stage {
    let stage = try Stage(episodes: 2, seconds: seconds)
    try await stage.subscribe()
    try #require(try await stage.run("config", "set", "auto-measure=off").status == .exited(0))
    try #require(try await stage.run("download", "1").status == .exited(0))
    return stage
  }

  @Test func `what is measured is told as text and as JSON`() async throws {
    let stage = try await stage()
    let text = try await stage.run("measure", "1")
    #expect(text.status == .exited(0), "\(text)")
    #expect(text.output.contains(" LUFS, 0 pauses; 0:03 with trim mild"), "\(text)")
    let json = try await stage.run("measure", "1", "--json")
    let document = try #require(JSON(parsing: json.output)?.elements?.first)
    #expect(document["id"]?.int == 1 && document["pauses"]?.int == 0)
    #expect(try #require(document["loudness"]?.double) < -5 && document["trimmed"]?["max"]?.double == 3)
  }

  @Test func `an episode that is not here is named, with the command that brings it`() async throws {
    let stage = try await stage()
    let one = try await stage.run("measure", "2")
    #expect(one.status == .exited(3) && one.error.contains("podcli download 2"), "\(one)")
    let both = try await stage.run("measure", "1", "2")
    #expect(both.status == .exited(6) && both.output.contains("LUFS"), "\(both)")
  }

  @Test func `in the background, a library that was removed meanwhile is not made anew`() async throws {
    let stage = try Stage(episodes: 1)
    mkdir(stage.home.path + "/podcli", 0o700)
    let outcome = try await stage.run("measure", "--background", "1")
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(!names(in: stage.home.path + "/podcli").contains("library.db"))
  }

  @Test func `a measured episode plays at its loudness, and says so`() async throws {
    let stage = try await stage(seconds: 30)
    try #require(try await stage.run("measure", "1").status == .exited(0))
    let info = try await stage.run("info", "1", "--json")
    let sound = try #require(JSON(parsing: info.output)?["sound"])
    let gain = try #require(sound["gain"]?.double)
    #expect(gain < -3 && abs(gain + 16 + (sound["loudness"]?.double ?? 0)) < 0.11)
    #expect(try await stage.run("info", "1").output.contains(" LUFS, played at -"))
    #expect(try await stage.run("config", "set", "boost=on").status == .exited(0))
    #expect(try await stage.run("info", "1").output.contains(" LUFS, boosted"))
    #expect(try await stage.run("config", "unset", "boost").status == .exited(0))
    let playing = try stage.home.podcli("play", "1", "--paused").start()
    try await stage.wait(forStatus: #""state":"paused","episode""#, #""position""#, #""socket""#)
    let status = try await stage.run("status", "--json")
    #expect(JSON(parsing: status.output)?["gain"]?.double == gain, "\(status)")
    playing.send(SIGTERM)
    _ = try await playing.end()
  }

  @Test func `while an episode is streamed, the beginning that is here is measured`() async throws {
    let stage = try Stage(episodes: 1)
    let sound = Tone(seconds: 60, sampleRate: Stage.sampleRate).wav
    let resource = Response.resource(sound, type: "audio/wav", etag: "\"one\"")
    stage.server.serve("/media/1.wav") { request in
      let start = request.header("Range").flatMap { Int($0.dropFirst(6).prefix { $0.isNumber }) } ?? 0
      return start > 2_500_000 ? resource.neverAnswering() : resource.answering(request)
    }
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1").setting("PODCLI_AO", "null").start()
    try await stage.wait(for: "the measurement of the beginning") { library in
      try await library.sounding(of: EpisodeID(rawValue: 1)) != nil
    }
    let draft = try #require(try await stage.library().sounding(of: EpisodeID(rawValue: 1)))
    // 11 bytes for each tenth of a second.
    #expect(!draft.isComplete && draft.loudness == nil && (2000...6000).contains(draft.data?.count ?? 0))
    playing.send(SIGTERM)
    _ = try await playing.end()
  }

  @Test func `downloads are measured in the background, unless that is off`() async throws {
    let stage = try await stage()
    #expect(try await stage.library().sounding(of: EpisodeID(rawValue: 1)) == nil)
    try #require(try await stage.run("config", "unset", "auto-measure").status == .exited(0))
    try #require(try await stage.run("download", "2").status == .exited(0))
    try await stage.wait(for: "the measurement of episode 2") { library in
      try await library.sounding(of: EpisodeID(rawValue: 2))?.isComplete == true
    }
    #expect(try await stage.library().sounding(of: EpisodeID(rawValue: 1)) == nil)
  }
}
