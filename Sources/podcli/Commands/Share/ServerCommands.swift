import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import System
import Text

/// Sync with a server: logging in and out, and what one sync did.
enum ServerCommands {
  private static let url = Argument("URL", kind: .text, help: "the address of the server")
  private static let user = Option("user", value: "NAME", help: "sign in with this name; the password is asked for")
  private static let passwordInput = Flag("password-stdin", help: "read the password from standard input")
  private static let isUnencrypted = Flag("insecure", help: "also without encryption, in a network of your own")

  static let full = Flag("full", help: "ask the server for everything that it has")
  static let force = Flag("force", help: "leave podcasts even if so many at once look like a mistake")

  static let login = Command(
    "login", summary: "with a server: gpodder.net, oPodSync, Nextcloud, PodFetch",
    discussion: """
      The password is asked for, or read from standard input, and kept in a file that only you may read. A Nextcloud \
      needs none: without --user its page opens, where you grant access; with it, an app password will do.

      `podcli sync login gpodder.example.org --user me` asks for the password; `podcli sync login cloud.example.org` opens \
      the page of a Nextcloud.

      The first sync unites both sides and removes nothing. Podcasts that are private, or whose address looks like a \
      secret, stay here with all that you heard of them.
      """,
    arguments: [url], options: [user, passwordInput, isUnencrypted])

  static let logout = Command(
    "logout", summary: "leave the server; podcasts and positions stay on both sides")

  // MARK: Logging in and out

  static func logIn(_ invocation: Invocation, _ store: PodcastStore, _ context: Context) async throws {
    let address = invocation[url]
    let name = invocation[user]
    guard name != nil || !invocation[passwordInput] else {
      throw Failure(.usage, "--password-stdin needs --user", hint: "say --user NAME --password-stdin")
    }
    let login = context.live.serverLogin(store: store)
    do {
      let server = try await login.recognise(address, allowsHTTP: invocation[isUnencrypted])
      let account = try await account(at: server, name, wantsInput: invocation[passwordInput], login, context)
      if context.console.isJSON {
        context.printJSON([
          "url": JSON(account.base), "user": JSON(account.user), "kind": JSON(account.flavour.rawValue),
        ])
      } else {
        context.console.say("Logged in at \(account.base) as \(CleanText.line(account.user)). Now: podcli sync")
      }
    } catch let error as ServerError {
      // A password is looked for behind a scheme only.
      throw Failure(error, at: SafeAddress.shown(address.contains("://") ? address : "https://" + address))
    }
  }

  private static func account(
    at server: ServerLogin.Server, _ name: String?, wantsInput: Bool, _ login: ServerLogin, _ context: Context
  ) async throws -> ServerAccount {
    if name == nil, server.flavour == .nextcloud {
      let grant = try await login.beginGrant(at: server)
      context.console.say("Grant access on this page: \(grant.page)")
      openInBrowser(grant.page)
      return try await login.logIn(to: server, by: grant)
    }
    let user = try name ?? Password.userName()
    return try await login.logIn(to: server, user: user, password: try Password.read(fromInput: wantsInput))
  }

  private static func openInBrowser(_ page: String) {
    let environment = Environment.process
    guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return }
    ChildProgram.startDetached("xdg-open", [page])
  }

  static func logOut(_ store: PodcastStore, _ context: Context) async throws {
    do {
      guard let base = try await context.live.serverLogin(store: store).logOut() else { throw ServerError.notLoggedIn }
      if context.console.isJSON { return context.printJSON(["loggedOut": JSON(base)]) }
      context.console.say("Logged out at \(base). Podcasts and positions stay on both sides.")
    } catch let error as ServerError {
      throw Failure(error, at: "the server")
    }
  }

  // MARK: One sync

  /// Syncs with the server and adds its failures. Nil without an account.
  static func sync(
    _ invocation: Invocation, _ store: PodcastStore, _ context: Context, _ failures: inout [Failure]
  ) async -> ServerResult? {
    guard let base = try? await ServerStatus(of: store)?.account.base else { return nil }
    var options = ServerSyncOptions()
    (options.isFull, options.isForced) = (invocation[full], invocation[force])
    do throws(ServerError) {
      let report = try await context.live.serverSync(store: store).run(options)
      // Podcasts and episodes may have failed alike.
      for failure in report.failures.map({ Failure($0, at: base) })
      where !failures.contains(where: { $0.message == failure.message }) {
        failures.append(failure)
      }
      return ServerResult(base: base, report: report)
    } catch {
      failures.append(Failure(error, at: base))
      return nil
    }
  }
}

/// The words and the JSON of one sync with a server.
struct ServerResult: Sendable {
  let base: String
  let report: ServerReport

  /// The changes on one line, then remarks.
  var lines: [String] {
    let changes = [
      report.followed > 0 ? "\(counted(report.followed, "podcast")) more" : nil,
      report.left > 0 ? "\(counted(report.left, "podcast")) less" : nil,
      report.received > 0 ? "\(counted(report.received, "episode")) changed here" : nil,
      report.subscriptionsSent > 0 ? "\(counted(report.subscriptionsSent, "change")) of subscriptions sent" : nil,
      report.sent > 0 ? "\(counted(report.sent, "episode")) sent" : nil,
    ].compactMap(\.self)
    guard report.failures.isEmpty || !changes.isEmpty else { return notes }
    let failed = report.failures.isEmpty ? "Synced with \(base): " : "Synced in part with \(base): "
    return [failed + (changes.isEmpty ? "nothing new" : changes.joined(separator: ", "))] + notes
  }

  private var notes: [String] {
    [
      report.unreachable.isEmpty
        ? nil
        : "\(counted(report.unreachable.count, "podcast")) on the server cannot be fetched: \(Self.list(report.unreachable))",
      report.untold > 0 ? "\(counted(report.untold, "episode")) marked unplayed: Nextcloud cannot be told" : nil,
      report.refused > 0
        ? "\(counted(report.refused, "message")) refused by the server; podcli sync --full sends them once more" : nil,
      report.clockOffset != 0
        ? "the clocks differ by \(abs(report.clockOffset) / 3600) hours: is this machine's right?" : nil,
    ].compactMap { $0.map { "  " + $0 } }
  }

  /// A few addresses.
  static func list(_ addresses: [String]) -> String {
    let shown = addresses.prefix(3).map { CleanText.line(SafeAddress.shown($0)) }.joined(separator: ", ")
    return addresses.count > 3 ? shown + " and \(addresses.count - 3) more" : shown
  }

  var json: JSON {
    [
      "url": JSON(base), "followed": JSON(report.followed), "left": JSON(report.left),
      "received": JSON(report.received), "subscriptionsSent": JSON(report.subscriptionsSent), "sent": JSON(report.sent),
      "waiting": JSON(report.waiting), "private": JSON(report.hidden),
      "unreachable": JSON(report.unreachable.count),
      "unreachableFeeds": JSON(nonEmpty: report.unreachable.map { JSON(SafeAddress.shown($0)) }),
      "untold": JSON(report.untold), "refused": JSON(report.refused),
    ]
  }
}

extension ServerStatus {
  /// For people: a name and a value each.
  var lines: [(String, String)] {
    var lines = [
      ("server", CleanText.line("\(account.base), as \(account.user)")),
      ("last sync", syncedAt.map { DateText.relative($0, now: .now) } ?? "never"),
    ]
    if hidden > 0 { lines.append(("not shared", counted(hidden, "private podcast"))) }
    if waiting > 0 { lines.append(("waiting", counted(waiting, "report") + " about episodes that are not here yet")) }
    if !unreachable.isEmpty {
      let count = counted(unreachable.count, "podcast")
      lines.append(("left out", "\(count) that cannot be fetched: \(ServerResult.list(unreachable))"))
    }
    if let error { lines.append(("problem", Failure(error, at: account.base).line)) }
    return lines
  }

  var json: JSON {
    [
      "url": JSON(account.base), "user": JSON(account.user), "kind": JSON(account.flavour.rawValue),
      "device": JSON(account.device), "lastSync": JSON(syncedAt?.description),
      "error": JSON(error.map { Failure($0, at: account.base).message }),
      "private": JSON(hidden), "waiting": JSON(waiting), "unreachable": JSON(unreachable.count),
      "unreachableFeeds": JSON(nonEmpty: unreachable.map { JSON(SafeAddress.shown($0)) }),
    ]
  }
}
