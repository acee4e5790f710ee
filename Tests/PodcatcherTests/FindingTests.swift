import PodcastModel
import Testing

@testable import Podcatcher

@Suite struct FindingTests {
  @Test(
    arguments: [(nil, .doubtful), (0, .doubtful), (199_999_999, .doubtful), (200_000_000, .fine)]
      as [(Int64?, FindingState)])
  func `little free space is doubtful`(free: Int64?, state: FindingState) {
    #expect(MachineFinding.space(free: free, folder: "/home").state == state)
  }

  @Test(
    arguments: [
      (206, "audio/mpeg", .fine), (200, nil, .fine), (200, "text/html", .doubtful), (200, "application/xml", .doubtful),
      (404, "text/html", .bad),
    ] as [(Int, String?, FindingState)])
  func `a media file is judged by its status and its type`(status: Int, type: String?, state: FindingState) {
    let answer = FeedFinding.Answer(status: status, type: type, size: 0, hasValidators: false)
    #expect(FeedFinding.mediaFile(title: "1", .success(answer)).state == state)
  }

  @Test func `a feed that answers with another status than 200 is bad`() {
    let answer = FeedFinding.Answer(status: 304, type: nil, size: 0, hasValidators: true)
    #expect(FeedFinding.answer(answer, host: "h.example").state == .bad)
  }
}
