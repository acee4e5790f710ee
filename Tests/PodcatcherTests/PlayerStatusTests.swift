import PodcastModel
import PodcastStore
import TestSupport
import Testing
import Text

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

  @Test func `of a folder of players, only the statuses of processes that are gone are removed`() throws {
    let home = try TemporaryHome()
    let gone = ["player-2147483646", "player-2147483646.17"]
    let kept = ["player-0232476e36aac8e3.log", "player-0232476e36aac8e3.sock", "player-2147483646x", "player.log"]
    for name in gone + kept { _ = try home.write("x", to: name) }
    _ = PlayerStatusFile(in: home.path)
    #expect(Set(kept).isSubset(of: names(in: home.path)) && Set(gone).isDisjoint(with: names(in: home.path)))
  }

  @Test func `its document reads as it was written, as far as a line shows it`() throws {
    var status = status
    status.chapter?.count = 9
    (status.trim, status.boost, status.gain, status.note) = ("mild", true, 2.5, "sleep in 24 min")
    (status.pid, status.socket, status.isDetached) = (42, "/run/player.sock", true)
    (status.sleepAt, status.isApproximate) = (nil, true)
    status.entry = EpisodeEntry(
      episode: Episode(id: EpisodeID(rawValue: 7), guid: "", title: "One"),
      podcast: PodcastReference(id: PodcastID(rawValue: 1), title: "Show", feedURL: ""))
    #expect(PlayerStatus(document: status.document) == status)
    #expect(PlayerStatus(document: ["state": "asleep"]) == nil)
    #expect(PlayerStatus(document: [])?.state == nil)
    #expect(PlayerStatus(document: ["state": "stopped", "chapter": ["index": -1], "position": -5])?.chapter == nil)
  }

  @Test func `an episode that is known is taken where it is the current one`() async throws {
    let home = try TemporaryHome()
    let paths = try #require(Paths(environment: Environment { $0 == "PODCLI_HOME" ? home.path : nil }))
    let store = try PodcastStore(path: home.path + "/library.db")
    var known = EpisodeEntry(
      episode: Episode(id: EpisodeID(rawValue: 7), guid: "", title: "One"),
      podcast: PodcastReference(id: PodcastID(rawValue: 1), title: "Show", feedURL: ""))
    #expect(try await PlayerStatus.current(store, paths, known: known).entry == nil)
    known.status.isCurrentlyPlaying = true
    let status = try await PlayerStatus.current(store, paths, known: known)
    #expect(status.entry == known && status.episode == known.episode.id && status.state == .stopped)
    await store.close()
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
