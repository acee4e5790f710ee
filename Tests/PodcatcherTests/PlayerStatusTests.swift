import PodcastModel
import Testing

@testable import Podcatcher

@Suite struct PlayerStatusTests {
  private var status: PlayerStatus {
    var status = PlayerStatus(state: .paused, episode: EpisodeID(rawValue: 7))
    status.position = .milliseconds(1_500)
    status.duration = .seconds(60)
    status.speed = 1.25
    status.volume = 80
    status.chapter = .init(index: 2, title: "A sponsor")
    status.sleepAt = Timestamp(seconds: 1_700_000_000)
    return status
  }

  @Test func `a status reads as it was written`() {
    #expect(PlayerStatus(text: status.text) == status)
    var bare = status
    (bare.position, bare.duration, bare.chapter, bare.sleepAt) = (nil, nil, nil, nil)
    #expect(PlayerStatus(text: bare.text) == bare)
  }

  @Test func `a title with lines in it stays on its line`() {
    var status = status
    status.chapter?.title = "one\ntwo\r\nthree"
    #expect(PlayerStatus(text: status.text)?.chapter?.title == "one two three")
  }

  @Test(arguments: ["", "playing\n", "asleep\n7\n\n\n1.0\n100.0\n\n\n\n", "playing\nx\n\n\n1.0\n100.0\n\n\n\n"])
  func `other text is not read`(text: String) {
    #expect(PlayerStatus(text: text) == nil)
  }
}
