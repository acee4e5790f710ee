internal import PodcastModel
private import Synchronization
internal import Text

/// The hosts that asked to retry later: no feed of theirs is fetched before that time.
final class HostBackOff: Sendable {
  private let times = Mutex<[String: Timestamp]>([:])

  func set(_ address: String, until moment: Timestamp) {
    guard let host = WebURL(address).authority else { return }
    times.withLock { $0[host] = moment }
  }

  func end(_ address: String, now: Timestamp) -> Timestamp? {
    guard let host = WebURL(address).authority else { return nil }
    return times.withLock { $0[host] }.flatMap { $0 > now ? $0 : nil }
  }
}
