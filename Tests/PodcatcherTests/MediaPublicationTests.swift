import Desktop
import PodcastModel
import PodcastStore
import Testing

@testable import Podcatcher

@Suite struct MediaPublicationTests {
  private var publication = MediaPublication(clean: { $0.uppercased() })

  private func status(_ episode: Int64 = 1, at seconds: Double?, _ state: PlayerStatus.State = .playing) -> PlayerStatus
  {
    let id = EpisodeID(rawValue: episode)
    var status = PlayerStatus(state: state, episode: id)
    let podcast = PodcastReference(
      id: PodcastID(rawValue: 1), title: "Show", feedURL: "https://me:secret@h/f?token=secret")
    status.entry = EpisodeEntry(episode: Episode(id: id, guid: "g", title: "Title"), podcast: podcast)
    status.position = seconds.map { .seconds($0) }
    return status
  }

  private mutating func take(_ status: PlayerStatus, isUneven: Bool = false, at now: Double = 0) -> MediaPublication
    .News?
  {
    publication.take(status, isUneven: isUneven, at: .seconds(now))
  }

  @Test mutating func `nothing is published before the first position`() {
    #expect(take(status(at: nil, .buffering)) == nil)
    let news = take(status(at: 41))
    #expect(news?.jump == .seconds(41))
    #expect(news?.state.track?.path == "/org/podcli/episode/1")
    #expect(news?.state.track?.title == "TITLE" && news?.state.track?.artist == "SHOW")
  }

  @Test mutating func `an even position is no news`() {
    _ = take(status(at: 0))
    for second in 1...100 { #expect(take(status(at: Double(second)), at: Double(second)) == nil) }
  }

  @Test mutating func `an uneven position is told every ten seconds, and where it ends, but not in a pause`() {
    _ = take(status(at: 0), isUneven: true)
    let told = (1...35).filter { take(status(at: Double($0) * 1.5), isUneven: true, at: Double($0)) != nil }
    #expect(told == [10, 20, 30])
    #expect(take(status(at: 54, .paused), isUneven: true, at: 36)?.jump == .seconds(54))
    #expect(take(status(at: 54, .paused), isUneven: true, at: 50)?.jump == nil)
  }

  @Test mutating func `a position that is even again is told once`() {
    _ = take(status(at: 0), isUneven: true)
    _ = take(status(at: 1.5), isUneven: true, at: 1)
    #expect(take(status(at: 3), at: 2)?.jump == .seconds(3))
    #expect(take(status(at: 4), at: 3)?.jump == nil)
  }

  @Test mutating func `the end of a stall is a jump, its beginning is not`() {
    _ = take(status(at: 5))
    #expect(take(status(at: 6, .buffering)) == nil)
    #expect(take(status(at: 6))?.jump == .seconds(6))
    #expect(take(status(at: 7)) == nil)
  }

  @Test mutating func `another episode is announced at once, and its position when it is known`() {
    _ = take(status(at: 5))
    let announced = take(status(2, at: nil, .buffering))
    #expect(announced?.state.track?.path == "/org/podcli/episode/2" && announced?.jump == nil)
    #expect(announced?.state.playback == .playing)
    #expect(take(status(2, at: 30))?.jump == .seconds(30))
  }

  @Test mutating func `the picture belongs to its episode`() {
    publication.setPicture("/p", of: EpisodeID(rawValue: 1))
    #expect(take(status(at: 5))?.state.track?.artPath == "/p")
    #expect(take(status(2, at: 5))?.state.track?.artPath == nil)
  }
}
