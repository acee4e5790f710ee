internal import PodcastModel
private import Synchronization
internal import Text

/// A host that said "not so fast" is left alone for the rest of the run, with all the feeds it has.
final class HostBackOff: Sendable {
  private let resting = Mutex<[String: Timestamp]>([:])

  func rest(_ address: String, until moment: Timestamp) {
    guard let host = WebAddress(address).authority else { return }
    resting.withLock { $0[host] = moment }
  }

  func restingUntil(_ address: String, now: Timestamp) -> Timestamp? {
    guard let host = WebAddress(address).authority else { return nil }
    return resting.withLock { $0[host] }.flatMap { $0 > now ? $0 : nil }
  }
}
