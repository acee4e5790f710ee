import PodcastModel
import PodcastStore
import Testing

@testable import Podcatcher

@Suite struct PlayerHooksTests {
  private var story = PlayerStory()

  private func status(_ state: PlayerStatus.State, _ episode: Int64 = 1, at seconds: Double? = 1) -> PlayerStatus {
    let id = EpisodeID(rawValue: episode)
    var status = PlayerStatus(state: state, episode: id)
    let podcast = PodcastReference(id: PodcastID(rawValue: 1), title: "Show", feedURL: "")
    status.entry = EpisodeEntry(episode: Episode(id: id, guid: "g", title: "Title"), podcast: podcast)
    status.position = seconds.map { .seconds($0) }
    return status
  }

  private mutating func events(_ statuses: [PlayerStatus]) -> [HookEvent] {
    statuses.compactMap { story.take($0, at: .zero)?.event }
  }

  @Test mutating func `pauses and stalls are told apart`() {
    let statuses: [PlayerStatus] = [
      status(.buffering, at: nil), status(.playing), status(.buffering), status(.playing), status(.paused),
      status(.paused), status(.playing),
    ]
    #expect(events(statuses) == [.started, .paused, .resumed])
  }

  @Test mutating func `an episode that waits for a key starts with the first sound`() {
    #expect(events([status(.paused), status(.paused), status(.playing)]) == [.started])
  }

  @Test mutating func `each episode starts`() {
    #expect(events([status(.playing), status(.buffering, 2, at: nil), status(.playing, 2)]) == [.started, .started])
  }

  @Test mutating func `a position is told every ten seconds`() {
    let told = (0...35).filter { story.take(status(.playing), at: .seconds($0))?.event == .position }
    #expect(told == [10, 20, 30])
  }

  @Test mutating func `the player stops once, and where the episode ended it stays finished`() {
    let playing = status(.playing)
    _ = events([playing])
    #expect(story.stop(at: .seconds(7))?.status.lastListenTime == .seconds(7))
    #expect(story.stop(at: .seconds(8)) == nil)
    var other = PlayerStory()
    _ = other.finish(playing.entry!)
    #expect(other.stop(at: .seconds(7))?.status.hasCompleted == true)
  }

  @Test(arguments: [ProgramFault.notFound, .notExecutable, .timedOut, .noTimeout, .exited(3)])
  func `a failure reads as it was written`(reason: ProgramFault) {
    let failure = HookFailure(program: "/a b/c", event: .newEpisode, reason: reason)
    #expect(HookFailure(text: failure.text) == failure)
  }
}
