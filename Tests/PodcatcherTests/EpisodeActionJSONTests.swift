import PodcastModel
import TestSupport
import Testing
import Text

@testable import PodcastStore
@testable import Podcatcher

@Suite struct EpisodeActionJSONTests {
  private static let present = Timestamp(CivilTime(year: 2026, month: 11, day: 22))

  private func play(_ fields: String) -> RemotePlay? {
    let text = #"{"podcast":"https://example.org/a.xml","episode":"https://example.org/1.mp3",\#(fields)}"#
    return JSON(parsing: text).flatMap { EpisodeActionJSON.play(from: $0, present: Self.present) }
  }

  private func time(_ text: String) -> Timestamp? {
    play(#""action":"play","position":90,"total":500,"timestamp":\#(text)"#)?.at
  }

  @Test(arguments: [
    #""action":"play","started":0,"position":120,"total":500"#, #""action":"PLAY","position":"120","total":"500""#,
    #""action":"Play","position":120.0,"total":null,"started":null"#, #""action":"play","position":120,"total":-1"#,
    #""action":"play","position":120,"total":1"#, #""action":"play","position":120"#,
    #""action":"play","position":120,"total":12,"more":[1,{"x":2}]"#,
  ])
  func `every dialect's play at two minutes is read`(fields: String) {
    #expect(play(fields)?.state == .position(.seconds(120)))
  }

  @Test(arguments: [
    #""action":"play","position":500,"total":500"#, #""action":"play","position":470,"total":500"#,
    #""action":"play","started":1,"position":1,"total":1"#, #""action":"PLAY","position":540,"total":500"#,
    #""action":"play","position":23,"total":27"#,
  ])
  func `a play near its end is finished`(fields: String) {
    #expect(play(fields)?.state == .finished)
  }

  @Test(arguments: [
    #""action":"play""#, #""action":"play","position":0,"total":0"#, #""action":"play","position":0,"total":500"#,
    #""action":"play","position":-1,"started":-1,"total":-1"#, #""action":"download""#, #""action":"DELETE""#,
    #""action":"flattr""#, #""action":7"#, #""action":"play","position":1e300,"total":500"#,
    #""action":"play","position":99999999999"#,
  ])
  func `what would send a listener to nowhere is ignored`(fields: String) {
    #expect(play(fields) == nil)
  }

  @Test func `new is unplayed, and a guid that says nothing is none`() {
    #expect(play(#""action":"NEW","guid":"null""#) == play(#""action":"new","guid":"""#))
    #expect(play(#""action":"new""#)?.state == .unplayed)
    #expect(play(#""action":"new","guid":"g 1""#)?.guid == "g 1")
  }

  @Test(arguments: [
    #""2026-11-20T10:00:00""#, #""2026-11-20T10:00:00Z""#, #""2026-11-20T10:00:00+00:00""#,
    #""2026-11-20T12:00:00+02:00""#, #""2026-11-20T10:00:00.123456""#, #""2026-11-20 10:00:00""#, "1795168800",
  ])
  func `times with and without a zone are the same moment`(text: String) {
    #expect(time(text)?.description == "2026-11-20T10:00:00Z")
  }

  @Test(arguments: [
    #""yesterday""#, "null", #""2036-11-20T10:00:00""#, #""""#, "[]", "-5", "1e99", "9223372036854775807",
  ])
  func `a time that cannot be, or lies in the future, wins over nothing`(text: String) {
    #expect(time(text)?.seconds == 0)
  }

  @Test func `no bytes of a server stop the reading`() {
    let sample =
      #"{"actions":[{"podcast":"http://a/b","episode":"x","action":"play","position":3,"total":9,"timestamp":"2026-01-01T00:00:00"}],"timestamp":7,"add":["http://a/"],"update_urls":[["a","b"]]}"#
    var random = SeededGenerator(seed: 7)
    for _ in 0..<20_000 {
      var bytes = Array(sample.utf8)
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        bytes[index] = [UInt8(ascii: "0"), 0x22, 0x2C, 0x5B, 0x7D, 0x2D, 0xFF].randomElement(using: &random) ?? 0
      }
      guard let json = JSON(parsing: bytes) else { continue }
      _ = ActionPage(json, present: Self.present)
      _ = SubscriptionChanges(json)
      _ = RespelledAddresses(json)
    }
  }

  // MARK: Writing

  private func unsent(_ state: PlayState, total: Int = 500, started: Duration? = nil) -> UnsentPlay {
    UnsentPlay(
      episode: EpisodeID(rawValue: 1), podcast: PodcastID(rawValue: 1), feedURL: "https://example.org/a.xml", guid: "g",
      enclosure: "https://example.org/1.mp3", state: state, total: .seconds(total), started: started,
      stamp: Timestamp(CivilTime(year: 2026, month: 11, day: 20, hour: 10)))
  }

  private func written(_ play: UnsentPlay) -> String? {
    EpisodeActionJSON.action(for: play, at: play.feedURL, device: "d")?.compact
      .replacing(
        #""podcast":"https://example.org/a.xml","episode":"https://example.org/1.mp3","guid":"g","device":"d","timestamp":"2026-11-20T10:00:00""#,
        with: "…")
  }

  @Test func `an action has whole seconds, all three numbers, and a time without a zone`() {
    #expect(
      written(unsent(.position(.milliseconds(120_999)), started: .milliseconds(60_400)))
        == #"{…,"action":"play","started":60,"position":120,"total":500}"#)
    #expect(
      written(unsent(.finished, started: .seconds(0)))
        == #"{…,"action":"play","started":0,"position":500,"total":500}"#)
    #expect(written(unsent(.finished)) == #"{…,"action":"play","started":500,"position":500,"total":500}"#)
    #expect(written(unsent(.unplayed)) == #"{…,"action":"new"}"#)
  }

  @Test func `no position is written that others would take for none, for the end, or for nothing`() {
    #expect(written(unsent(.position(.milliseconds(300))))?.contains(#""position":1,"#) == true)
    #expect(written(unsent(.position(.seconds(499))))?.contains(#""position":469,"#) == true)
    #expect(written(unsent(.position(.seconds(9)), total: 0)) == nil)
    var play = unsent(.finished)
    play.enclosure = "file:///etc/passwd"
    #expect(written(play) == nil)
    play.enclosure = nil
    #expect(written(play) == nil)
  }

  @Test(arguments: [PlayState.position(.seconds(77)), .finished, .unplayed, .position(.seconds(469))])
  func `the action of podcli is read back equal`(state: PlayState) throws {
    let action = try #require(
      EpisodeActionJSON.action(for: unsent(state), at: "https://example.org/a.xml", device: "d"))
    let read = try #require(EpisodeActionJSON.play(from: action, present: Self.present))
    #expect(read.state == state && read.guid == "g" && read.at == unsent(state).stamp)
  }

  // MARK: Other answers

  @Test func `answers about subscriptions are read leniently`() throws {
    let text =
      #"{"add":["http://a.example/x","http:\/\/a.example\/x",7,{"url":"https://b.example/"},"file:///etc/passwd"],"remove":["feed://c.example/y","http://a.example/x"],"timestamp":"17"}"#
    let changes = try #require(JSON(parsing: text).flatMap(SubscriptionChanges.init))
    #expect(changes.added == ["http://a.example/x", "https://b.example/"])
    #expect(changes.removed == ["http://c.example/y"])
    #expect(changes.timestamp == 17)
    #expect(JSON(parsing: #"{"code":200}"#).flatMap(SubscriptionChanges.init) == nil)
    #expect(
      RespelledAddresses(JSON(parsing: #"{"update_urls":["a","b",["c","d"],["e",""],["f"]]}"#)).aliases == [
        "c": "d", "e": "",
      ])
    #expect(RespelledAddresses(JSON(parsing: #"{"update_urls":"none"}"#)).aliases.isEmpty)
  }
}

@Suite struct ShareableAddressTests {
  @Test(arguments: [
    "https://feeds.megaphone.fm/STU4418364045", "https://feeds.simplecast.com/dHoohVNH", "http://example.org/feed.xml",
    "https://feeds.acast.com/public/shows/5ea17537-f11f-4532-8202-294d976b9d5c", "https://example.org/?feed=podcast",
    "https://example.org/the-very-long-name-of-a-show-in-2026.xml", "https://example.org/feed?author=me",
    "https://anchor.fm/s/1e4a2b3c/podcast/rss", "https://www.example.org/thisisonelongnameofashow/feed",
  ])
  func `public addresses may be seen`(address: String) {
    #expect(ShareableAddress.isShareable(feed: address))
  }

  @Test(arguments: [
    "https://me:pw@example.org/feed", "https://me@example.org/feed", "https://example.org/feed?token=1",
    "https://example.org/feed?a=b&api_key=1", "https://example.org/feed?auth=x", "https://example.org/feed?uid=9",
    "https://www.patreon.com/rss/show", "https://abc.supportingcast.fm/content/eyJ0IjoicCI.rss", "file:///tmp/feed",
    "https://example.org/f/9aF3kQ0bZ7xY2mN8vC4w/rss", "https://example.org/feed?x=9aF3kQ0bZ7xY2mN8vC4w",
    "https://feeds.acast.com/private/5ea17537-f11f-4532-8202-294d976b9d5c", "private://example.org/0123",
    "https://example.org/feed?to%6Ben=1", "https://example.org/feed?X-Amz-Signature=1",
  ])
  func `addresses that look like a secret stay here`(address: String) {
    #expect(!ShareableAddress.isShareable(feed: address))
  }

  @Test func `codes in the path of a media file are usual, names of secrets are not`() {
    #expect(ShareableAddress.isShareable(enclosure: "https://m.example.org/9aF3kQ0bZ7xY2mN8vC4w/1.mp3?updated=17"))
    #expect(!ShareableAddress.isShareable(enclosure: "https://m.example.org/1.mp3?sig=17"))
  }
}
