import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing
import Text

/// Real talk, measured by real libmpv.
@Suite struct SkipsCommandTests {
  private static let intro = Talk(seconds: 12, seed: 900).samples
  private static let outro = Talk(seconds: 10, seed: 901).samples

  /// Each begins with talk of `number` + 2 seconds.
  private static func episode(_ number: Int) -> [UInt8] {
    let (opening, talk) = (
      Talk(seconds: Double(number) + 2, seed: UInt64(number)), Talk(seconds: 20, seed: UInt64(50 + number))
    )
    return WAV.file(opening.samples + intro + talk.samples + outro, sampleRate: Talk.sampleRate)
  }

  private func stage(measured: Int) async throws -> Stage {
    let stage = try Stage(episodes: 2, seconds: 1)
    for number in 1...2 {
      let medium = Response.resource(Self.episode(number), type: "audio/wav", etag: "\"\(number)\"")
      stage.server.serve("/media/\(number).wav") { medium.answering($0) }
    }
    try await stage.subscribe()
    try #require(try await stage.run("config", "set", "auto-measure=off").status == .exited(0))
    for number in ["1", "2"].prefix(measured) {
      try #require(try await stage.run("download", number).status == .exited(0))
      let outcome = try await stage.run("measure", number)
      try #require(outcome.status == .exited(0), "\(outcome)")
    }
    return stage
  }

  private func isNear(_ value: JSON?, _ seconds: Double) -> Bool { abs((value?.double ?? -9) - seconds) <= 0.3 }

  /// The positions that are told from the start to beyond the intro, which ends there.
  @Test func `a range that was marked to be skipped can be undone`() async throws {
    let stage = try await Stage.library()
    let id = EpisodeID(rawValue: 1)
    try await stage.seed { try await $0.addSkip(.seconds(3)..<(.seconds(5)), in: id) }
    #expect(try await stage.run("undo").error == "Undone: marking a range to skip: Episode 1\n")
    #expect(try await stage.library().skips(of: id).isEmpty)
  }

  private func positions(_ stage: Stage, until end: Double) async throws -> [Double] {
    let playing = try stage.home.podcli("play", "1", "--no-queue", "--restart").start()
    let watching = try stage.home.podcli("status", "--watch", "--json").start()
    try await watching.wait(for: "a position behind the intro") { ($0.positions.last ?? 0) > end - 0.5 }
    for program in [playing, watching] { program.send(SIGTERM) }
    _ = try await playing.end()
    return try await watching.end().transcript.positions
  }

  @Test func `what repeats is listed, and left out once that is wanted`() async throws {
    let stage = try await stage(measured: 2)
    let json = try await stage.run("skips", "Sample Show", "--json")
    let document = try #require(JSON(parsing: json.output), "\(json)")
    let episode = try #require(document["episodes"]?.elements?.first { $0["episode"]?["id"]?.int == 1 })
    let title = try #require(episode["episode"]?["title"]?.text)
    let first = Int(title.split(separator: " ")[1]) ?? 0
    let repeats = try #require(episode["repeats"]?.elements)
    #expect(repeats.map { $0["kind"]?.text } == ["intro", "outro"], "\(json)")
    #expect(
      isNear(repeats.first?["start"], Double(first) + 2) && isNear(repeats.first?["end"], Double(first) + 14), "\(json)"
    )
    #expect(isNear(repeats.last?["start"], Double(first) + 34) && repeats.last?["skipped"] == .bool(false))
    let text = try await stage.run("skips", "Sample Show")
    #expect(text.output.contains("\tintro\t") && text.error.contains("skip-repeats=intro,outro"), "\(text)")
    let chapters = try await stage.run("chapters", "1", "--json")
    let marks = JSON(parsing: chapters.output)?["chapters"]?.elements ?? []
    #expect(marks.map { $0["title"]?.text } == ["episode", "intro", "episode", "outro"], "\(chapters)")
    #expect(marks.allSatisfy { $0["origin"]?.text == "measured" })
    #expect(try await stage.run("info", "1").output.contains("intro, to 0:1"))
    // Off by default. A busy machine may be late with the jump.
    let intro = Double(first) + 5..<Double(first) + 13.5
    #expect(try await positions(stage, until: intro.upperBound).contains { intro.contains($0) })
    let set = try await stage.run("set", "Sample Show", "skip-repeats=outro,intro")
    #expect(set.status == .exited(0) && set.error.contains("skip-repeats = intro, outro"), "\(set)")
    let told = try await positions(stage, until: intro.upperBound)
    #expect(!told.contains { intro.contains($0) }, "\(told)")
    let rules = try await stage.run("skips", "Sample Show")
    #expect(rules.error.contains("skip-repeats = intro, outro") && !rules.error.contains("To leave"), "\(rules)")
    #expect(try await stage.run("skips", "Sample Show", "--json").output.contains(#""skipped":true"#))
  }

  @Test func `without measured episodes, and with one, it says what to do`() async throws {
    let stage = try await stage(measured: 0)
    let none = try await stage.run("skips", "Sample Show")
    #expect(none.status == .exited(0) && none.error.contains("podcli measure downloaded"), "\(none)")
    let json = try await stage.run("skips", "Sample Show", "--json")
    #expect(JSON(parsing: json.output)?["episodes"]?.elements?.isEmpty == true, "\(json)")
    let one = try await self.stage(measured: 1)
    let outcome = try await one.run("skips", "Sample Show")
    #expect(outcome.status == .exited(0) && outcome.error.contains("One episode is measured"), "\(outcome)")
    let bad = try await one.run("set", "Sample Show", "skip-repeats=adverts")
    #expect(bad.status == .exited(2) && bad.error.contains("inserted"), "\(bad)")
  }

  @Test func `where nothing is found, it says in how much, and that music is left out`() async throws {
    let stage = try Stage(episodes: 22, seconds: 1)
    try await stage.subscribe()
    for count in [20, 21] {
      let store = try PodcastStoreForTests.writing(stage.home)
      for number in 1...Int64(count) {
        try await store.save(SoundPrintRecord(episode: EpisodeID(rawValue: number), file: "\(number)", data: []))
      }
      await store.close()
      let outcome = try await stage.run("skips", "Sample Show")
      #expect(outcome.error.contains("in the \(count == 21 ? "newest " : "")20 measured episodes"), "\(outcome)")
    }
    let feed = String(decoding: SampleFeed(episodes: 1, mediaBase: stage.server.url("/media")).bytes, as: UTF8.self)
    let medium = #"<podcast:medium xmlns:podcast="https://podcastindex.org/namespace/1.0">music</podcast:medium>"#
    let music = feed.replacing("<channel>", with: "<channel>" + medium).replacing("Sample Show", with: "Songs")
    stage.server.serve("/music.xml", Response.feed(Array(music.utf8)))
    try #require(try await stage.run("subscribe", stage.server.url("/music.xml")).status == .exited(0))
    let outcome = try await stage.run("skips", "Songs")
    #expect(outcome.status == .exited(0) && outcome.error.contains("music"), "\(outcome)")
    #expect(!outcome.error.contains("podcli measure"), "\(outcome)")
  }
}
