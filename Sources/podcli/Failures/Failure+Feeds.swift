import CommandKit
import Podcatcher
import Text

// MARK: - Feeds and the network

extension Failure {
  /// About the feed at an address.
  init(_ error: FollowError, about address: String) {
    let shown = SafeAddress.shown(address)
    let hint: String? =
      switch error {
      case .status(401), .status(403), .credentialsRefused:
        address.hasPrefix("private:") ? Self.renewing(shown) : Self.signingIn(at: shown)
      case .status(410): "podcli find may know where it went"
      case .status(404): "look at the address, or try podcli find WORDS"
      case .status: "try again later"
      default: nil
      }
    self.init(error, called: shown, hint: hint)
  }

  static func signingIn(at address: String) -> String {
    // One that is not shown whole cannot be given again.
    let isWhole = WebURL(address).scheme != nil && !address.contains("…")
    return "podcli subscribe \(isWhole ? address.shellQuoted : "FEED-URL") --user NAME --password-stdin"
  }

  /// A secret address may have been renewed.
  private static func renewing(_ address: String) -> String {
    "podcli subscribe NEW-ADDRESS --instead-of \(address.shellQuoted), or with a password: " + signingIn(at: address)
  }

  /// About a feed or service with a name instead of an address. `hint` is for a status that refuses.
  init(_ error: FollowError, called name: String, hint: String?) {
    switch error {
    case .network(let failure): self.init(failure, about: name)
    case .status(401), .status(403): self.init(.credentials, "\(name) wants credentials", hint: hint)
    case .credentialsRefused: self.init(.credentials, "\(name) refused user and password", hint: hint)
    case .status(410): self.init(.network, "\(name) is gone for good (410)", hint: hint)
    case .status(404): self.init(.network, "there is nothing at \(name) (404)", hint: hint)
    case .status(let status): self.init(.network, "\(name) answered with status \(status)", hint: hint)
    case .feed(let failure): self.init(failure, about: name)
    case .file(let path, let reason):
      self.init(.failed, "\(path): \(reason)")
    case .notAnAddress:
      self.init(notAnAddress: name, command: "subscribe")
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
    case .otherPodcast(let title):
      self.init(
        .refused, "\(name) leads to another podcast by now, '\(CleanText.line(title))'; nothing was taken from it",
        hint: "if that is what you want: podcli unsubscribe PODCAST, and podcli subscribe its new address")
    case .takenAddress(let title, let number):
      self.init(
        .refused, "\(name) is the address of another podcast here, \(CleanText.line(title))",
        hint: "podcli unsubscribe \(number) --delete forgets that one")
    case .store(let error): self.init(error)
    }
  }

  init(notAnAddress name: String, command: String) {
    // `user:password@host` is an address that lacks its scheme.
    let shown = name.contains(":") ? String(SafeAddress.withoutUser("://" + name).dropFirst(3)) : name
    self.init(
      .failed, "'\(shown)' is neither a web address nor a file",
      hint: "for example: podcli \(command) https://example.org/feed.xml")
  }

  init(_ failure: FeedFailure, about shown: String) {
    switch failure.reason {
    case .notAFeed:
      // The address of a feed may end in a query without which it leads nowhere.
      let links = failure.feedLinks.map(SafeAddress.withoutSecrets)
      let isList = shown.lowercased().hasSuffix(".opml")
      let way = isList ? "a list of subscriptions comes in with: podcli import" : "podcli find WORDS looks for podcasts"
      self.init(
        .notAFeed, "\(shown) is not a podcast feed: \(failure.message)",
        hint: links.isEmpty ? way : "it links to: " + links.joined(separator: ", "))
    case .unreadable:
      self.init(.refused, "\(shown) cannot be read: \(failure.message)", hint: nil)
    case .libraryMissing:
      self.init(.failed, "libxml2 is not installed: \(failure.message)", hint: "sudo apt install libxml2")
    }
  }

  /// `again` is the command to try when the network is back.
  init(_ failure: NetworkFailure, about shown: String, again: String) {
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
        hint: failure.message.contains("certificate")
          ? "a certificate authority of your own goes into SSL_CERT_FILE"
          : "where it speaks no TLS, say http:// if that is what you mean")
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
    case .podcliLibrary(let path, isPacked: true):
      self.init(.notAFeed, "a library of podcli is in \(path)", hint: "unpack it, and then: podcli restore FILE")
    case .podcliLibrary(let path, isPacked: false):
      let restore = "restore \(path.shellQuoted)"
      self.init(
        .notAFeed, "\(path) is a library of podcli",
        hint: "in the place of this one: podcli \(restore); beside this one: podcli --library FOLDER \(restore)")
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
      self.init(
        .notAFeed, "\(path) is not a list of subscriptions: \(failure.message)",
        hint: "if it is the feed of a podcast: podcli subscribe \(path == "-" ? "FILE" : path.shellQuoted)")
    }
  }
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
    case .file(let path):
      self.init(.notFound, "\(CleanText.line(path)) cannot be read")
    }
  }
}
