import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import ScreenKit
import Text

/// A finding of `podcli doctor` in words.
struct FindingText: Sendable {
  var name: String
  var state: FindingState
  var text: String
  /// The next command to try.
  var hint: String?
  /// Decides the exit status where the finding is bad.
  var code = Failure.Code.failed

  var json: JSON {
    ["name": JSON(name), "state": JSON(state.rawValue), "text": JSON(text), "hint": JSON(hint)]
  }

  func rendered(_ paint: Paint, width: Int?) -> String {
    let mark =
      switch state {
      case .fine: paint.green("✔")
      case .doubtful: "!"
      case .bad: paint.red("✘")
      }
    // Lines after the first are indented to the column of the text.
    let room = width.map { max(20, $0 - 13) }
    let lines = [text, hint ?? ""].filter { !$0.isEmpty }.flatMap { text in
      TextWrap.wrapped(CleanText.line(text, limit: .max), width: room).split(separator: "\n")
    }
    let margin = String(repeating: " ", count: 13)
    let head = "\(mark) \(paint.bold(DisplayWidth.column(name, 10))) "
    return head + lines.joined(separator: "\n" + margin) + "\n"
  }
}

// MARK: - This machine

extension FindingText {
  init(_ finding: MachineFinding) {
    (name, state, text) = (finding.name, finding.state, "")
    switch finding {
    case .noLibrary(let path, let backup):
      text = backup == nil ? "there is none yet; the first podcli subscribe makes \(path)" : "\(path) is gone"
      hint = backup.map { "bring back the newest copy with: podcli restore \($0.shellQuoted)" }
    case .unusableLibrary(let error):
      say(Failure(error))
      // This is its answer.
      if hint?.hasPrefix("podcli doctor") == true { hint = nil }
    case .damagedLibrary(let path, let problems): sayDamaged(path, problems)
    case .library(let facts): saySound(facts)
    case .feeds(let failed, let count): sayFeeds(failed, count)
    case .downloads(let count, let size, let missing, let unnamed): sayDownloads(count, size, missing, unnamed)
    case .space(let free, let folder): saySpace(free, folder)
    case .rights(let wide): sayRights(wide)
    case .settings(let path, .success(let count)): text = "\(path): \(counted(count, "setting"))"
    case .settings(let path, .failure(let mistake)): say(Failure(mistake, in: path))
    case .badSettings(let path, let lines):
      say(Failure(.failed, lines.map { $0.text(in: path) }.joined(separator: "; ")))
    case .hook(let program, nil): text = "\(program) is run at events"
    case .hook(_, let failure?): say(Failure(failure))
    case .sync(_, let folder?):
      text = "the library lies in \(folder), which another program syncs: that mixes the libraries of two machines"
      hint = "move the library out of it, and share with: podcli sync folder \(folder.shellQuoted)"
    case .sync(let status, nil):
      text = "shared through \(status.folder ?? ""): \(counted(status.devices.count, "machine"))"
      if let error = status.error { say(Failure(error)) }
    case .server(let status):
      text = "in step with \(status.account.base)"
      if let error = status.error { say(Failure(error, at: status.account.base)) }
    case .player(nil): text = "no podcli is playing"
    case .player(let holder?):
      text = "pid \(holder.pid) is playing" + (holder.episode.map { " \($0.rawValue)" } ?? "")
    case .audio(nil): text = "libmpv plays" + (Environment.process["PODCLI_AO"].map { " to \($0)" } ?? "")
    case .audio(let failure?): say(Failure(failure, about: "a moment of silence"))
    case .offline: text = "not looked at, as --offline was given"
    case .network(nil): text = "libcurl is there"
    case .network(let failure?): say(Failure(failure, about: "the network"))
    }
  }

  private mutating func say(_ failure: Failure) {
    (text, hint, code) = (failure.message, failure.hint, failure.code)
  }

  private mutating func sayDamaged(_ path: String, _ problems: [String]) {
    let rest = problems.count > 1 ? ", and \(problems.count - 1) more" : ""
    var failure = Failure(StoreError(.damaged, message: (problems.first ?? "") + rest, about: path))
    failure.hint = "podcli doctor --fix may mend it; " + (failure.hint ?? "")
    say(failure)
  }

  private mutating func saySound(_ facts: MachineFinding.LibraryFacts) {
    let episodes = counted(facts.episodes, "episode")
    text = "\(facts.path): \(counted(facts.podcasts, "podcast")), \(episodes), \(SizeText.short(facts.size))"
    if facts.isReadOnly {
      text += "; it cannot be written"
      hint = "lists work, and so does podcli play EPISODE --no-save; another library: --library DIR"
    }
    guard facts.lacksWAL else { return }
    text += "; \(Context.lacksWAL), so one podcli may have to wait for another"
    hint = "PODCLI_HOME or --library names a folder on a disk of this machine"
  }

  private mutating func sayFeeds(_ failed: [PodcastEntry], _ count: Int) {
    guard let first = failed.first else { return text = "no podcast failed at its last refresh" }
    let titles = failed.prefix(3).map(\.title).joined(separator: ", ") + (failed.count > 3 ? ", …" : "")
    text = "\(failed.count) of \(count) failed at the last refresh: \(titles)"
    hint = "podcli info \(first.id.rawValue) --podcast says why"
  }

  private mutating func sayDownloads(
    _ count: Int, _ size: Int64, _ missing: [EpisodeID], _ unnamed: [UnnamedFiles.File]
  ) {
    if let first = missing.first {
      text = "\(missing.count) of \(counted(count, "file")) cannot be read"
      hint = "podcli info \(first.rawValue) shows one of them; it is streamed instead"
    } else {
      text = "\(counted(count, "file")), \(SizeText.short(size))"
    }
    guard let first = unnamed.first else { return }
    let size = SizeText.short(unnamed.reduce(0) { $0 + $1.size })
    text += "; the library does not know \(unnamed.count) (\(size)), such as \(first.path)"
    hint =
      hint
      ?? (unnamed.contains(where: \.isWhole)
        ? "podcli doctor --fix takes in those that its episodes can be told of; the others may be deleted"
        : "they are files in part, which may be deleted")
  }

  private mutating func sayRights(_ wide: [String]) {
    guard !wide.isEmpty else { return text = "only you may read the library, its secrets and the settings" }
    text = "other users may read or change: " + wide.joined(separator: ", ")
    hint = "podcli doctor --fix takes that right from them"
  }

  private mutating func saySpace(_ free: Int64?, _ folder: String) {
    guard let free else { return text = "\(folder) cannot be looked at" }
    text = "\(SizeText.short(free)) free for \(folder)"
    if state == .doubtful { hint = "podcli keeps every position, but has no room for downloads" }
  }
}

// MARK: - A feed

extension FindingText {
  init(_ finding: FeedFinding, of podcast: PodcastEntry) {
    (name, state, text) = (finding.name, finding.state, "")
    switch finding {
    case .lastRefresh(let error?, _): (text, hint) = (error, "podcli refresh --force \(podcast.id.rawValue) asks again")
    case .lastRefresh(nil, let date): text = date.map { "last asked \($0), without a fault" } ?? "never asked"
    case .step(_, let host, let failure?): say(Failure(failure, about: host))
    case .step(let step, let host, nil): text = Self.success(of: step, host)
    case .redirects(let redirects): text = Self.list(redirects, isPrivate: podcast.isPrivate)
    case .answer(let answer, let host): sayAnswer(answer, podcast, host)
    case .unreadable(let error): say(Failure(error, called: "what came", hint: nil))
    case .contents(let format, let episodes, let isIncomplete):
      text = "\(format.rawValue), \(counted(episodes, "episode"))"
      if isIncomplete { (text, hint) = (text + ", but it ends in the middle", "what was whole is kept") }
    case .warnings(let warnings):
      (text, hint) = (warnings.prefix(10).joined(separator: "; "), "podcli tolerates this; others may not")
    case .mediaFile(let title, .failure(let failure)): say(Failure(failure, about: title))
    case .mediaFile(let title, .success(let answer)): sayMediaFile(title, answer, podcast)
    case .localMediaFile(let title, let path, let size?): text = "\(title): \(path), \(SizeText.short(size))"
    case .localMediaFile(let title, let path, nil): say(Failure(.failed, "\(title): \(path) is not there", hint: nil))
    }
  }

  private static func success(of step: FeedFinding.Step, _ host: String) -> String {
    switch step {
    case .address: "podcli may open it"
    case .name: "\(host) has an address"
    case .connect: "\(host) takes connections"
    case .tls: "its certificate is trusted"
    case .answer: ""
    }
  }

  private static func list(_ redirects: [FeedFinding.Redirect], isPrivate: Bool) -> String {
    redirects.map { isPrivate ? "\($0.status)" : "\($0.status) to \(SafeAddress.shown($0.location))" }
      .joined(separator: ", then ")
  }

  private mutating func sayAnswer(_ answer: FeedFinding.Answer, _ podcast: PodcastEntry, _ host: String) {
    guard answer.status == 200 else {
      return say(Failure(.status(answer.status), called: host, hint: Self.hint(for: answer.status, of: podcast)))
    }
    text = "200, \(answer.type ?? "no type"), \(SizeText.short(Int64(answer.size)))"
    text += answer.hasValidators ? ", can say when nothing is new" : ", sends all of it every time"
  }

  /// An address that cannot be shown whole is left to the user to fill in.
  private static func hint(for status: Int, of podcast: PodcastEntry) -> String {
    let address = podcast.reference.feedURL
    let isWhole = !podcast.isPrivate && SafeAddress.shown(address) == address
    return switch status {
    case 401, 403: Failure.signingIn(at: isWhole ? address : "FEED-URL")
    case 404, 410: "podcli find may know where it went"
    default: "try again later"
    }
  }

  private mutating func sayMediaFile(_ title: String, _ answer: FeedFinding.Answer, _ podcast: PodcastEntry) {
    let type = answer.type ?? "no type"
    guard answer.isSuccess else {
      let hint = "podcli refresh \(podcast.id.rawValue) --force may bring another address"
      return say(Failure(.status(answer.status), called: title, hint: hint))
    }
    guard !answer.isText else {
      (text, hint) = ("\(title): the server sends \(type)", "this may be a page instead of sound")
      return
    }
    text = "\(title): \(type)" + (answer.status == 206 ? "" : ", from its start only")
  }
}
