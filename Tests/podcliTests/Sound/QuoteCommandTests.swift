import PodcastModel
import PodcastStore
import TestSupport
import Testing

@testable import podcli

@Suite struct QuoteCommandTests {
  private static let vtt = """
    WEBVTT

    00:01.000 --> 00:02.500
    <v Anna>welcome to

    00:02.500 --> 00:04.000
    <v Anna>the *show*.

    00:10.000 --> 00:12.000
    <v Bert>the lighthouse

    """

  private func stage() async throws -> Stage {
    let stage = try Stage(episodes: 1, seconds: 1)
    var feed = SampleFeed(episodes: 2, mediaBase: stage.server.url("/media"), seconds: 600)
    feed.itemExtra[1] = """
      <link>https://example.org/1</link>
      <podcast:transcript url="\(stage.server.url("/t.vtt"))" type="text/vtt"/>
      """
    stage.server.serve("/feed.xml", Response.feed(feed.bytes))
    stage.server.serve("/t.vtt", Response.ok(Self.vtt))
    try await stage.subscribe()
    return stage
  }

  @Test func `what is said in the stretch is printed with its speakers, its source and a link`() async throws {
    let stage = try await stage()
    let link = stage.server.url("/media/1.wav")
    #expect(
      try await stage.run("quote", "1", "0:02", "11").output
        == "Anna: welcome to the *show*.\n\nBert: the lighthouse\n\n— Sample Show: Episode 1, 0:02–0:11\n\(link)#t=2,11\n"
    )
    #expect(
      try await stage.run("quote", "1", "2.5s", "+1").output
        == "Anna: the *show*.\n\n— Sample Show: Episode 1, 0:02–0:03\n\(link)#t=2.5,3.5\n")
  }

  @Test func `Markdown is a block quote in which the words mean nothing else`() async throws {
    let stage = try await stage()
    #expect(
      try await stage.run("quote", "1", "0:02", "11", "--markdown").output == """
        > **Anna:** welcome to the \\*show\\*.
        >
        > **Bert:** the lighthouse
        >
        > — [Sample Show: Episode 1, 0:02–0:11](\(stage.server.url("/media/1.wav"))#t=2,11)

        """)
  }

  @Test func `JSON has the segments at the positions at which they are heard`() async throws {
    let stage = try await stage()
    _ = try await stage.run("transcript", "1")
    try await stage.seed { store in
      try await store.tieTranscript(
        of: .init(rawValue: 1), at: TranscriptAnchor(said: .seconds(10), heard: .seconds(100)))
    }
    let answer = try await stage.json("quote", "1", "1:40", "1:50")
    #expect(answer.contains(#""from":100,"to":110,"text":"the lighthouse""#))
    #expect(answer.contains(#""segments":[{"start":100,"end":102,"text":"the lighthouse","speaker":"Bert"}]"#))
    #expect(try await stage.run("quote", "1", "0:09", "0:20").status == .exited(3))
  }

  @Test func `a transcript that was tied begins at the position at which it is heard`() async throws {
    let stage = try await stage()
    _ = try await stage.run("transcript", "1")
    try await stage.seed { store in
      try await store.tieTranscript(
        of: .init(rawValue: 1), at: TranscriptAnchor(said: .seconds(10), heard: .seconds(100)))
    }
    #expect(try await stage.run("transcript", "1@1:40").output == "1:40\tBert\tthe lighthouse\n")
    #expect(lines(try await stage.run("transcript", "1", "--at", "0:20").output).count == 2)
    let answer = try await stage.json("transcript", "1", "--at", "1:40")
    #expect(answer.contains(#"[{"start":100,"end":102,"text":"the lighthouse","speaker":"Bert"}]"#), "\(answer)")
  }

  @Test func `a private feed's file is never in the link`() async throws {
    let stage = try await stage()
    _ = try await stage.run("unsubscribe", "1", "--delete", "--yes")
    #expect(try await stage.run("subscribe", stage.feedURL, "--private").status == .exited(0))
    let output = try await stage.run("quote", "Episode 1", "0", "3").output
    #expect(output.hasSuffix("\nhttps://example.org/1#t=0,3\n"), "\(output)")
  }

  @Test func `an end before the beginning, silence and a lacking transcript are told`() async throws {
    let stage = try await stage()
    #expect(try await stage.run("quote", "1", "5", "5").status == .exited(2))
    #expect(try await stage.run("quote", "1", "1:00", "0:30").error.contains("0:30 is not behind 1:00"))
    #expect(try await stage.run("quote", "1", "5", "6").status == .exited(3))
    #expect(try await stage.run("quote", "2", "5", "6").status == .exited(3))
    #expect(try await stage.run("quote", "1", "5").status == .exited(2))
  }
}
