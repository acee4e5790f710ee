import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

/// An error as the user sees it: code, exit status, message and hint. The errors of engines and journeys are turned into
/// words here; what is wrong with an argument is worded beside its parser.
struct Failure: Error, Sendable {
  /// The code in JSON, which decides the exit status.
  enum Code: String, Sendable {
    case failed, usage, notFound, ambiguous, nothingToResume, notAFeed, refused, credentials, network, partial
    case syncFailed
    case notPlaying, alreadyPlaying, noAudioOutput, cannotDecode, libraryMissing, library, newerLibrary, damagedLibrary,
      diskFull

    var exitStatus: Int32 {
      switch self {
      case .failed, .notAFeed, .refused: 1
      case .usage: 2
      case .notFound, .ambiguous, .nothingToResume, .notPlaying: 3
      case .credentials: 4
      case .network, .syncFailed: 5
      case .partial: 6
      case .alreadyPlaying: 7
      case .noAudioOutput, .cannotDecode, .libraryMissing: 8
      case .library, .newerLibrary, .damagedLibrary, .diskFull: 9
      }
    }
  }

  var code: Code
  var message: String
  /// The next command to try.
  var hint: String?
  /// Standard output has the message already, so only the exit status is left.
  var isTold = false
  /// The matches, when there are several.
  var candidates: [Candidate] = []

  struct Candidate: Sendable {
    var id: Int64
    /// The title of an episode's podcast.
    var podcast: String?
    var title: String

    init(_ podcast: PodcastEntry) { (id, title) = (podcast.id.rawValue, podcast.title) }

    init(_ entry: EpisodeEntry) {
      (id, podcast, title) = (entry.episode.id.rawValue, entry.podcast.title, entry.episode.title)
    }

    var text: String { "\(id)  " + (podcast.map { $0 + ": " } ?? "") + title }
    var json: JSON { ["id": JSON(id), "podcast": JSON(podcast), "title": JSON(title)] }
  }

  init(_ code: Code, _ message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
  }

  /// The message with its cause, the candidates, and the hint.
  var text: String {
    var lines = ["podcli: " + CleanText.line(message)]
    lines += candidates.map { "  " + CleanText.line($0.text) }
    if let hint { lines.append("  " + CleanText.line(hint, limit: 4000)) }
    return lines.joined(separator: "\n")
  }

  var json: JSON {
    [
      "error": [
        "code": JSON(code.rawValue), "message": JSON(message), "hint": JSON(hint),
        "candidates": JSON(nonEmpty: candidates.map(\.json)),
      ]
    ]
  }
}

extension Failure? {
  /// Partial results are shown.
  var leavesResults: Bool {
    switch self {
    case nil: true
    case let failure?: failure.code == .partial
    }
  }
}

// MARK: - The library

extension Failure {
  init(_ error: StoreError) {
    let subject = error.subject
    switch error.code {
    case .busy(let holder):
      let name = holder.map { "\($0.name) (pid \($0.pid))" } ?? "another program"
      self.init(.library, "the library is locked by \(name)", hint: "try again when it is done")
    case .full:
      self.init(.diskFull, "disk full: \(subject)", hint: "free some space; nothing in the library was lost")
    case .readOnly:
      self.init(.library, "the library cannot be written: \(subject)", hint: "lists still work: podcli playlist")
    case .damaged:
      self.init(
        .damagedLibrary, "the library is damaged: \(error.message): \(subject)", hint: Self.replacements(for: subject))
    case .newerVersion:
      self.init(
        .newerLibrary, "the library was made by a newer version of podcli: \(subject)",
        hint: "it was not touched; update podcli, or use another library with --library DIR")
    case .notALibrary:
      self.init(.library, "this is not a podcli library: \(subject)", hint: "use another one with --library DIR")
    case .movedAway:
      self.init(.library, "the library was moved or deleted while in use: \(subject)", hint: "run the command again")
    case .indexIncomplete:
      self.init(
        .library, "\(error.message), and it cannot be made where the library cannot be written: \(subject)",
        hint: "other filters still work: podcli playlist unplayed")
    case .notFound:
      self.init(.notFound, error.message, hint: "podcli playlist shows the ids")
    case .cannotOpen, .deviceFailed, .refused:
      self.init(
        .library, "the library cannot be used: \(error.message): \(subject)", hint: "podcli doctor may know more")
    }
  }
}

extension Failure {
  /// The ways back from a damaged library: its newest copy, and what was set aside.
  private static func replacements(for library: String) -> String {
    let copy = PodcastStore.backups(of: library).first
    let setAside = PodcastStore.setAside(from: library)
    let kept = setAside.isEmpty ? "" : "; set aside before: " + setAside.joined(separator: ", ")
    return
      (copy.map { "bring back the newest copy with: podcli restore \($0.shellQuoted)" } ?? "there is no copy of it")
      + "; or begin an empty library, and keep this one, with: podcli restore --start-anew" + kept
  }
}

// MARK: - Episodes and podcasts that are not found or not unique

extension Failure {
  init(_ error: SelectionError, near: (String, [String]) -> [String]) {
    switch error {
    case .store(let error): self.init(error)
    case .nothingPlayed:
      self.init(.notFound, "nothing has been played yet", hint: "podcli playlist shows what there is")
    case .allPlayed(let podcast):
      self.init(
        .notFound, "every episode of \(podcast.title) has been played",
        hint: "play the newest again with: podcli play \(podcast.id.rawValue)/latest")
    case .nothing(let words, let titles):
      let nearest = near(words, titles)
      self.init(
        .notFound, "nothing is called '\(words)'",
        hint: nearest.isEmpty
          ? "podcli playlist shows what there is"
          : "did you mean " + nearest.map { "'\($0)'" }.joined(separator: " or ") + "?")
    case .severalEpisodes(let words, let entries):
      self.init(.ambiguous, "several episodes are called '\(words)'", hint: "say which one by its number")
      candidates = entries.map { Candidate($0) }
    case .severalPodcasts(let words, let entries):
      self.init(.ambiguous, "several podcasts are called '\(words)'", hint: "say more of the title")
      candidates = entries.map { Candidate($0) }
    }
  }
}

// MARK: - Feeds and the network

extension Failure {
  /// About the feed at an address.
  init(_ error: FollowError, about address: String) {
    let shown = SafeAddress.shown(address)
    let hint: String? =
      switch error {
      case .status(401), .status(403): Self.signingIn(at: shown)
      case .status(410): "podcli find may know where it went"
      case .status(404): "look at the address, or try podcli find WORDS"
      case .status: "try again later"
      default: nil
      }
    self.init(error, called: shown, hint: hint)
  }

  static func signingIn(at address: String) -> String {
    "podcli subscribe \(address.shellQuoted) --user NAME --password-stdin"
  }

  /// About a feed or service with a name instead of an address. `hint` is for a status that refuses.
  init(_ error: FollowError, called name: String, hint: String?) {
    switch error {
    case .network(let failure): self.init(failure, about: name)
    case .status(401), .status(403): self.init(.credentials, "\(name) wants credentials", hint: hint)
    case .status(410): self.init(.network, "\(name) is gone for good (410)", hint: hint)
    case .status(404): self.init(.network, "there is nothing at \(name) (404)", hint: hint)
    case .status(let status): self.init(.network, "\(name) answered with status \(status)", hint: hint)
    case .feed(let failure): self.init(failure, about: name)
    case .file(let path, let reason):
      self.init(.failed, "\(path): \(reason)")
    case .notAnAddress:
      self.init(
        .failed, "'\(name)' is neither a web address nor a file",
        hint: "for example: podcli subscribe https://example.org/feed.xml")
    case .notForLists:
      self.init(.refused, "skipped, as '\(name)' is no web address", hint: "podcli subscribe PATH follows a file")
    case .secretMissing:
      self.init(
        .credentials, "the address of \(name) is a secret that is not on this machine",
        hint: "podcli subscribe FEED-URL --private, with that address, brings it back")
    case .notInDirectory:
      self.init(
        .failed, "Apple's directory gives no feed for \(name)",
        hint: "some podcasts are to be had there only; look for others with: podcli find WORDS")
    case .secretsNotKept:
      self.init(.library, "the file for secrets cannot be read or written", hint: "nothing was subscribed to")
    case .store(let error): self.init(error)
    }
  }

  init(_ failure: FeedFailure, about shown: String) {
    switch failure.reason {
    case .notAFeed:
      let links = failure.feedLinks.map(SafeAddress.shown)
      self.init(
        .notAFeed, "\(shown) is not a podcast feed: \(failure.message)",
        hint: links.isEmpty ? "podcli find WORDS looks for podcasts" : "it links to: " + links.joined(separator: ", "))
    case .unreadable:
      self.init(.refused, "\(shown) cannot be read: \(failure.message)", hint: nil)
    case .libraryMissing:
      self.init(.failed, "libxml2 is not installed: \(failure.message)", hint: "sudo apt install libxml2")
    }
  }

  /// `again` is the command to try when the network is back.
  private init(_ failure: NetworkFailure, about shown: String, again: String) {
    self.init(failure, about: shown)
    if failure.reason != .libraryMissing { hint = again }
  }

  init(_ failure: NetworkFailure, about shown: String) {
    switch failure.reason {
    case .libraryMissing:
      self.init(.failed, "libcurl is not installed: \(failure.message)", hint: "sudo apt install libcurl4")
    case .badAddress, .refusedRedirect:
      self.init(.refused, "\(shown) was refused: \(failure.message)", hint: "podcli opens http and https only")
    case .tooLarge:
      self.init(.refused, "\(shown) is too large: \(failure.message)", hint: nil)
    case .insecure:
      self.init(
        .network, "\(shown) cannot be trusted: \(failure.message)",
        hint: failure.message.contains("wrong version number")
          ? "it speaks no TLS; say http:// if that is what you mean"
          : "a certificate authority of your own goes into SSL_CERT_FILE")
    case .badAnswer:
      self.init(.network, "\(shown) gave an answer that is of no use: \(failure.message)", hint: "check the address")
    case .offline:
      self.init(.network, "\(shown) cannot be reached: \(failure.message)")
    case .cannotResolve, .cannotConnect, .broken:
      self.init(
        .network, "\(shown) cannot be reached: \(failure.message)", hint: "check the connection and try again")
    }
  }
}

// MARK: - Imports

extension Failure {
  init(_ error: ImportError) {
    switch error {
    case .unreadable(let path, let reason): self.init(.failed, "\(path) cannot be read: \(reason)")
    case .noSuchApp(let name, let known):
      self.init(.notFound, "podcli knows no app called '\(name)'", hint: "it knows " + known.joined(separator: ", "))
    case .notThere(let app, let paths):
      self.init(
        .notFound, paths.isEmpty ? "\(app) has its library on another machine" : "there is no library of \(app) here",
        hint: paths.isEmpty
          ? "export it there, and then: podcli import FILE"
          : "looked for " + paths.joined(separator: ", ") + "; where it is elsewhere: podcli import FILE")
    case .unknown(let path):
      self.init(
        .notAFeed, "\(path) is neither a list of subscriptions nor the library of an app that podcli knows",
        hint: "podcli help import names them; nearly every app can export OPML")
    case .damaged(let path, let app, let message):
      self.init(
        .failed, "\(path) cannot be imported" + (app.map { " from \($0)" } ?? "") + ": \(message)",
        hint: "it is damaged, or of a version that podcli does not know; nearly every app can export OPML")
    case .changing(let path):
      self.init(.failed, "\(path) changes while it is read", hint: "close the app and run the command again")
    case .diskFull(let path): self.init(.diskFull, "disk full: \(path)", hint: "free some space, or set TMPDIR")
    case .list(let path, let failure):
      guard failure.reason == .notAFeed else {
        self.init(failure, about: path)
        return
      }
      self.init(.notAFeed, "\(path) is not a list of subscriptions: \(failure.message)")
    }
  }
}

// MARK: - Other machines

extension Failure {
  init(_ error: SyncError) {
    let later = "nothing is lost; the next sync catches up"
    switch error {
    case .notSet:
      self.init(.notFound, "this library is not shared yet", hint: "podcli sync folder PATH, or podcli sync login URL")
    case .folderMissing(let path):
      self.init(
        .syncFailed, "the folder for sync is not there: \(path)",
        hint: "\(later); another folder: podcli sync folder PATH")
    case .folderFailed(let path, let reason):
      self.init(.syncFailed, "the folder for sync cannot be used: \(reason): \(path)", hint: later)
    case .diskFull(let path): self.init(.syncFailed, "disk full: \(path)", hint: later)
    case .busy: self.init(.syncFailed, "another podcli syncs this library", hint: "try again when it is done")
    case .noSuchDevice(let name):
      self.init(.notFound, "no machine is called '\(name)'", hint: "podcli sync devices shows them")
    case .severalDevices(let name):
      self.init(
        .ambiguous, "several machines are called '\(name)'", hint: "say which one by its id: podcli sync devices")
    case .ownDevice:
      self.init(
        .refused, "that is this machine", hint: "it leaves with: podcli sync folder --off, and forget it elsewhere then"
      )
    case .store(let error): self.init(error)
    }
  }
}

// MARK: - Sync with a server

extension Failure {
  init(_ error: ServerError, at base: String) {
    switch error {
    case .network(let failure): self.init(failure, about: base)
    case .store(let error): self.init(error)
    case .status(let status):
      self.init(.network, "\(base) answered with status \(status)", hint: "try again later; nothing was lost")
    case .busy(let pause):
      self.init(.network, "\(base) wants a pause", hint: "try again in \(counted(Int(pause + 59) / 60, "minute"))")
    case .unreadable:
      self.init(.network, "\(base) gave an answer that is of no use", hint: "try again later, or check the address")
    case .moved(let address):
      self.init(
        .network, "\(base) points to \(SafeAddress.shown(address))",
        hint: "if that is right: podcli sync logout, then podcli sync login with that address")
    case .noServer:
      self.init(
        .network, "there is no server for podcasts at \(base)",
        hint: "podcli knows gpodder.net, oPodSync, Nextcloud with the app GPodder Sync, and PodFetch")
    case .appMissing:
      self.init(.failed, "the Nextcloud at \(base) has no app for podcasts", hint: "install the app GPodder Sync there")
    case .refused, .passwordMissing, .notGranted, .notLoggedIn, .loggedInElsewhere, .notEncrypted, .badAddress,
      .secretsNotKept:
      self.init(aboutAccount: error, at: base)
    case .massRemoval(let count, let total, let isHere):
      self.init(
        .partial,
        "\(count) of \(total) podcasts would be left \(isHere ? "here" : "on \(base)"), which looks like a mistake",
        hint: "podcli sync --force does it; podcli sync logout and a new login unite both sides instead")
    case .suddenlyEmpty:
      self.init(
        .partial, "\(base) has no subscriptions any more; nothing was removed here",
        hint: "podcli sync --full --force sends all of them again")
    case .underway: self.init(.failed, "another podcli syncs", hint: "try again when it is done")
    }
  }

  private init(aboutAccount error: ServerError, at base: String) {
    switch error {
    case .passwordMissing:
      self.init(.credentials, "there is no password for \(base) on this machine", hint: Self.loggingIn(base))
    case .notGranted:
      self.init(.credentials, "access to \(base) was not granted in time", hint: Self.loggingIn(base))
    case .notLoggedIn: self.init(.notFound, "podcli is logged in at no server", hint: "podcli sync login URL")
    case .loggedInElsewhere(let other):
      self.init(.refused, "podcli is logged in at \(other)", hint: "leave that first: podcli sync logout")
    case .notEncrypted:
      self.init(
        .refused, "the password would go to \(base) for all to read",
        hint: "say https://, or --insecure in a network of your own")
    case .badAddress(let reason):
      self.init(.usage, "\(base) is no server's address: \(reason)", hint: "podcli sync login https://…")
    case .secretsNotKept: self.init(.library, "the file for secrets cannot be read or written")
    default: self.init(.credentials, "\(base) refused user and password", hint: Self.loggingIn(base))
    }
  }

  private static func loggingIn(_ base: String) -> String { "podcli sync login \(base.shellQuoted) --user NAME" }
}

// MARK: - Chapters and transcripts

extension Failure {
  init(_ error: SideDocumentError) {
    switch error {
    case .store(let error): self.init(error)
    case .network(let failure, let url): self.init(failure, about: SafeAddress.shown(url))
    case .status(let status, let url) where status == 401 || status == 403:
      self.init(.credentials, "\(SafeAddress.shown(url)) wants credentials (\(status))")
    case .status(let status, let url):
      self.init(
        .network, "\(SafeAddress.shown(url)) answered with status \(status)",
        hint: "try again later, or refresh the feed")
    case .unreadable(let url):
      self.init(.failed, "\(SafeAddress.shown(url)) is nothing that podcli can read")
    }
  }
}

// MARK: - Listening

extension Failure {
  init(_ error: ListenError, about entry: EpisodeEntry) {
    let title = "\(entry.podcast.title): \(entry.episode.title)"
    switch error {
    case .noMediaFile:
      self.init(.cannotDecode, "the feed gives nothing to play for \(title)", hint: nil)
    case .refused(let reason):
      self.init(.refused, "\(title) was refused: \(reason)", hint: "podcli plays http and https addresses only")
    case .playback(let error):
      let failure = PlaybackFailure(error)
      self.init(failure, about: title)
      if failure.reason == .stopped { hint = Self.goingOn(with: entry) }
      if code == .cannotDecode, hint == nil {
        hint =
          "podcli downloads --remove \(entry.episode.id.rawValue) deletes what is stored of it; then play fetches it anew"
      }
    case .behindItsEnd(let position, let length):
      self.init(
        .cannotDecode, "\(title) is over at \(ClockText.short(length)), before \(ClockText.short(position))",
        hint: "start elsewhere with: podcli play \(entry.episode.id.rawValue) --start TIME, or --restart")
    case .noSocket(let reason):
      self.init(
        .failed, "a player in the background could not be controlled: its socket cannot be made: \(reason)",
        hint: "without --detach it plays in this terminal")
    case .media(.transfer(let error)):
      self.init(NetworkFailure(error), about: title, again: Self.goingOn(with: entry))
    case .media(.status(let status)) where status == 401 || status == 403:
      self.init(.credentials, "\(title) wants credentials (\(status))", hint: nil)
    case .media(.status(let status)):
      self.init(.network, "\(title) cannot be fetched: status \(status)", hint: "try again later, or refresh the feed")
    case .media(.offline):
      self.init(
        .network, "\(title) is not on this machine, or not all of it, and --offline was given",
        hint: "without --offline it goes on; podcli download \(entry.episode.id.rawValue) brings all of it")
    case .media(.notMedia(let what)):
      self.init(
        .cannotDecode, "\(title) cannot be played: its address gives \(what) instead of audio",
        hint: "podcli plays files; a refresh of the feed may bring another address")
    case .media(.disk(let error)): self.init(error, about: entry)
    case .media(.changed):
      self.init(
        .network, "the publisher changed the file of \(title) while it played", hint: "podcli resume starts afresh")
    }
  }

  init(_ error: MeasureError, about entry: EpisodeEntry) {
    let title = "\(entry.podcast.title): \(entry.episode.title)"
    switch error {
    case .notHere:
      self.init(
        .notFound, "\(title) is not on this machine, or not all of it",
        hint: "podcli download \(entry.episode.id.rawValue) brings it")
    case .changed:
      self.init(.failed, "the file of \(title) changed while it was measured", hint: "run the command again")
    case .playback(let error): self.init(PlaybackFailure(error), about: title)
    case .store(let error): self.init(error)
    }
  }

  /// The next command after a failure. A position is kept where the episode was heard, now or before.
  static func goingOn(with entry: EpisodeEntry) -> String {
    guard let kept = entry.status.lastListenTime, kept > .zero else {
      return "try again with: podcli play \(entry.episode.id.rawValue)"
    }
    return "your place at \(ClockText.short(kept)) is kept; go on with: podcli resume"
  }

  init(_ failure: PlaybackFailure, about title: String) {
    switch failure.reason {
    case .libraryMissing:
      self.init(.libraryMissing, "libmpv is not installed: \(failure.message)", hint: "sudo apt install libmpv2")
    case .noAudioOutput:
      self.init(
        .noAudioOutput, "there is no audio output: \(failure.message)",
        hint: "choose an output with PODCLI_AO, e.g. PODCLI_AO=alsa")
    case .cannotPlay:
      self.init(.cannotDecode, "\(title) cannot be played: \(failure.message)", hint: nil)
    case .stopped:
      self.init(.cannotDecode, "\(title) stopped: \(failure.message)", hint: "try it again")
    }
  }
}

// MARK: - Clips

extension Failure {
  init(_ error: ClipError, about entry: EpisodeEntry) {
    switch error {
    case .listen(let error): self.init(error, about: entry)
    case .behindItsEnd(let length):
      self.init(.usage, "the episode ends before that, at \(ClockText.short(length))", hint: nil)
    case .file(let path, let reason):
      self.init(.failed, "\(path): \(reason)", hint: "name another file: podcli clip EPISODE FROM TO FILE")
    case .diskFull(let path):
      self.init(
        .failed, "the clip was not written, as the disk is full: \(path)", hint: "free some space, or name another file"
      )
    case .exists(let path):
      self.init(.refused, "\(path) is there already", hint: "replace it with --yes, or name another file")
    case .closedPipe: self.init(.failed, "standard output was closed")
    }
  }
}

// MARK: - A player in another process

extension Failure {
  init(unknownEpisode id: Int64) {
    self.init(.notFound, "there is no episode \(id)", hint: "podcli playlist shows the ids")
  }

  init(_ error: ControlError) {
    let help = "podcli help remote explains what can be asked"
    switch error {
    case .notUTF8: self.init(.usage, "the line is not UTF-8", hint: help)
    case .notJSON: self.init(.usage, "the line is not JSON", hint: help)
    case .notARequest: self.init(.usage, "the line asks for nothing: `do` is missing", hint: help)
    case .tooLong: self.init(.usage, "the line is longer than 64 KiB", hint: help)
    case .unknownWord(let word):
      let near = nearest(to: word, among: PlayerCommandTable.words.map(\.word))
      self.init(
        .usage, "there is no control word '\(CleanText.line(word, limit: 80))'",
        hint: near.isEmpty ? help : "did you mean \(near.joined(separator: " or "))?")
    case .missingArgument(let word, let name, let expectation):
      self.init(.usage, "\(word) needs \(name): \(expectation)", hint: help)
    case .badArgument(let word, let name, let value, let expectation):
      self.init(
        .usage, "\(word): \(name) must be \(expectation), not '\(CleanText.line(value, limit: 80))'", hint: help)
    case .tooManyClients:
      self.init(.failed, "the player has as many clients as it takes", hint: "try again when one of them has gone")
    case .late:
      self.init(.failed, "the player has not done it within two seconds", hint: "podcli status shows what it does")
    case .nothingThere:
      self.init(.notFound, "there is no other episode to go to", hint: "line one up with: podcli queue add EPISODE")
    case .noSuchChapter:
      self.init(.notFound, "there is no such chapter", hint: "podcli chapters @current shows what there is")
    case .noLength:
      self.init(.usage, "the length of this episode is not known, so a percentage says nothing", hint: "give a time")
    case .unknownEpisode(let id): self.init(unknownEpisode: id)
    case .notKept: self.init(.library, "the library did not take it", hint: "podcli doctor may know why")
    case .noPlayer: self.init(.notPlaying, "nothing is playing", hint: "go on where you stopped with: podcli resume")
    case .silent(let pid):
      self.init(.failed, "the player (pid \(pid)) does not answer", hint: "end it with: kill \(pid)")
    case .refused(let code, let message, let hint):
      self.init(Code(rawValue: code) ?? .failed, message, hint: hint)
    }
  }
}

// MARK: - Downloads

extension Failure {
  init(_ error: DownloadError, about entry: EpisodeEntry) {
    let title = "\(entry.podcast.title): \(entry.episode.title)"
    let again = "go on with: podcli download \(entry.episode.id.rawValue)"
    switch error {
    case .noMediaFile: self.init(.failed, "the feed gives nothing to download for \(title)")
    case .refused(let reason):
      self.init(.refused, "\(title) was refused: \(reason)", hint: "podcli opens http and https only")
    case .notMedia(let what):
      self.init(
        .refused, "\(title) was refused: the server sent \(what) instead of audio",
        hint: "a refresh of the feed may bring another address")
    case .empty: self.init(.failed, "the server sent nothing at all for \(title)", hint: "try again later")
    case .status(401), .status(403): self.init(.credentials, "\(title) wants credentials")
    case .status(let status):
      self.init(.network, "\(title) cannot be fetched: status \(status)", hint: "try again later, or refresh the feed")
    case .rangeRefused:
      self.init(
        .network, "\(title): the server refused to go on where it broke off (416)",
        hint: "what there was is thrown away; the next try begins at the start")
    case .transfer(let error):
      self.init(NetworkFailure(error), about: title, again: again)
    case .tooLarge(let limit):
      self.init(.refused, "\(title) is larger than \(SizeText.short(limit))")
    case .diskFull(let path):
      self.init(.diskFull, "disk full: \(path)", hint: "free some space, then \(again)")
    case .fileSystem(let path, let reason): self.init(.library, "\(path): \(reason)")
    case .underway:
      self.init(.failed, "another podcli is downloading \(title)", hint: "podcli downloads shows how far it is")
    case .store(let error): self.init(error)
    }
  }
}

// MARK: - Hooks

extension Failure {
  init(_ hook: HookFailure) {
    let reason =
      switch hook.reason {
      case .notFound: "it was not found"
      case .notExecutable: "it cannot be run"
      case .timedOut: "it was killed after 10 seconds"
      case .exited(let status): "its exit status was \(status)"
      case .noTimeout: "the program timeout, which runs it, cannot be started"
      }
    self.init(
      .failed, "the hook \(hook.program) failed at \(hook.event.rawValue): \(reason)",
      hint: "podcli help hooks says how it is run; podcli config unset hook ends it")
  }
}
