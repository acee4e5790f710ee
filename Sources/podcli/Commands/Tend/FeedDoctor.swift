import FeedKit
import PodcastModel
import PodcastStore
import Podcatcher
import Transfer

/// Follows the way from a podcast's address to its newest medium, step by step, and says where it ends. Pure.
struct FeedDoctor {
  let podcast: PodcastEntry
  let examination: FeedExamination

  func findings() -> [Finding] {
    var findings = [lastRefresh()]
    switch examination.answer {
    case nil: findings += contents() + medium()
    case .failure(let error)?: findings += way(until: error)
    case .success(let head)?: findings += way(until: nil) + redirects(head) + [answer(head)] + contents() + medium()
    }
    return findings
  }

  private func lastRefresh() -> Finding {
    guard let error = podcast.refreshError else {
      return .fine("refresh", podcast.lastRefreshedAt.map { "last asked \($0), without a fault" } ?? "never asked")
    }
    return .doubtful("refresh", error, hint: "podcli refresh \(podcast.id.rawValue) asks again")
  }

  // MARK: The way there

  private func way(until error: TransferError?) -> [Finding] {
    let steps: [(name: String, text: String, faults: Set<TransferError.Code>)] = [
      ("address", "podcli may open it", [.badAddress, .libraryMissing]),
      ("name", "\(examination.host) has an address", [.cannotResolve]),
      ("connect", "\(examination.host) takes connections", [.cannotConnect]),
      ("tls", "its certificate is trusted", [.insecure]),
    ]
    var findings: [Finding] = []
    for step in steps where step.name != "tls" || examination.isEncrypted {
      if let error, step.faults.contains(error.code) { return findings + [bad(step.name, error)] }
      findings.append(.fine(step.name, step.text))
    }
    return findings + (error.map { [bad("answer", $0)] } ?? [])
  }

  private func bad(_ name: String, _ error: TransferError) -> Finding {
    .bad(name, Failure(error, about: examination.host))
  }

  private func redirects(_ head: HTTPHead) -> [Finding] {
    guard !head.redirects.isEmpty else { return [] }
    let hops = head.redirects.map { hop in
      podcast.isPrivate ? "\(hop.status)" : "\(hop.status) to \(SafeAddress.shown(hop.location))"
    }
    return [.fine("redirects", hops.joined(separator: ", then "))]
  }

  private func answer(_ head: HTTPHead) -> Finding {
    let type = head["content-type"] ?? "no type"
    guard head.status == 200 else {
      return .bad("answer", Failure(.status(head.status), called: examination.host, hint: whatToDo(about: head.status)))
    }
    let remembers = head["etag"] != nil || head["last-modified"] != nil
    let text = "200, \(type), \(SizeText.short(Int64(examination.bytes)))"
    return .fine("answer", text + (remembers ? ", can say when nothing is new" : ", sends all of it every time"))
  }

  /// An address that cannot be shown whole is the reader's to fill in.
  private func whatToDo(about status: Int) -> String {
    let address = podcast.reference.feedURL
    let isWhole = !podcast.isPrivate && SafeAddress.shown(address) == address
    return switch status {
    case 401, 403: Failure.signingIn(at: isWhole ? address : "FEED-URL")
    case 404, 410: "podcli find may know where it went"
    default: "try again later"
    }
  }

  // MARK: What is there

  private func contents() -> [Finding] {
    switch examination.feed {
    case nil: return []
    case .failure(let error): return [.bad("feed", Failure(error, called: "what came", hint: nil))]
    case .success(let feed):
      let text = "\(feed.format.rawValue), \(counted(feed.episodes.count, "episode"))"
      let feedFinding: Finding =
        feed.isIncomplete
        ? .doubtful("feed", text + ", but it ends in the middle", hint: "what was whole is kept")
        : .fine("feed", text)
      guard let first = feed.warnings.first else { return [feedFinding] }
      let rest = feed.warnings.dropFirst().prefix(9).map { "; " + $0 }.joined()
      return [feedFinding, .doubtful("warnings", first + rest, hint: "podcli tolerates this; others may not")]
    }
  }

  private func medium() -> [Finding] {
    guard let (title, answer) = examination.medium else { return [] }
    switch answer {
    case .failure(let error): return [.bad("medium", Failure(error, about: title))]
    case .success(let head):
      let type = head["content-type"] ?? "no type"
      guard head.isSuccess else {
        let hint = "podcli refresh \(podcast.id.rawValue) --force may bring another address"
        return [.bad("medium", Failure(.status(head.status), called: title, hint: hint))]
      }
      if type.hasPrefix("text/") || type.contains("xml") {
        return [.doubtful("medium", "\(title): the server sends \(type)", hint: "this may be a page instead of sound")]
      }
      let jumps = head.status == 206 ? "" : ", from its start only"
      return [.fine("medium", "\(title): \(type)" + jumps)]
    }
  }
}
