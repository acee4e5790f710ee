import PodcastModel
import Testing

@testable import Podcatcher

@Suite struct ListeningLogTests {
  @Test func `adds up what was heard and what speed saved, without pauses and jumps`() {
    var log = ListeningLog(startedAt: Timestamp(seconds: 0), from: .zero)
    func play(_ position: Double, _ now: Double) {
      log.played(to: .seconds(position), at: .seconds(now), speed: 2, savedByTrim: .seconds(3))
    }
    play(0, 100)
    play(2, 101)
    play(4, 102)
    play(4, 200)
    play(6, 201)
    log.jumped()
    play(600, 202)
    play(602, 203)
    #expect(log.session.listened == .seconds(4))
    #expect(log.session.savedBySpeed == .seconds(4))
    #expect(log.session.savedByTrim == .seconds(3))
    #expect(log.session.endPosition == .seconds(602))
  }

  @Test func `what trimming saved before the file was loaded again counts`() {
    var log = ListeningLog(startedAt: Timestamp(seconds: 0), from: .zero)
    log.played(to: .seconds(1), at: .seconds(1), speed: 1, savedByTrim: .seconds(5))
    log.loaded()
    log.loaded()
    log.played(to: .seconds(2), at: .seconds(2), speed: 1, savedByTrim: .seconds(1))
    #expect(log.session.savedByTrim == .seconds(6))
  }
}
