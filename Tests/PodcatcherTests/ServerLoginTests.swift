import PodcastModel
import PodcastStore
import System
import TestSupport
import Testing

@testable import Podcatcher

@Suite struct ServerLoginTests {
  @Test(arguments: [
    (Personality.mygpo, ServerFlavour.gpodder), (.opodsync, .gpodder), (.podfetch, .gpodder), (.nextcloud, .nextcloud),
  ])
  func `a server is recognised without a password`(personality: Personality, flavour: ServerFlavour) async throws {
    let stage = try SyncStage(personality)
    let library = try await stage.library(loggedIn: false)
    let found = try await library.login.recognise(stage.server.url + "/", allowsHTTP: false)
    #expect(found == ServerLogin.Server(base: stage.server.url, flavour: flavour))
    #expect(stage.server.requests.allSatisfy { $0.header("Authorization") == nil })
  }

  @Test func `anything else is no server`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library(loggedIn: false)
    await #expect(throws: ServerError.noServer) {
      try await library.login.recognise(stage.feeds.url("/alpha.xml"), allowsHTTP: false)
    }
    stage.feeds.serveOthers { _ in Response.ok("<html><body>Welcome</body></html>", type: "text/html") }
    await #expect(throws: ServerError.noServer) {
      try await library.login.recognise(stage.feeds.origin, allowsHTTP: false)
    }
  }

  @Test func `a refusal in JSON without a challenge is that of gpodder's interface`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library(loggedIn: false)
    stage.server.fail(.status(401, headers: [("Content-Type", "application/json")]), at: "/api/2/devices/")
    #expect(try await library.login.recognise(stage.server.url, allowsHTTP: false).flavour == .gpodder)
  }

  @Test(arguments: [
    ("cloud.example.org", "https://cloud.example.org"), ("https://h.example/opodsync/", "https://h.example/opodsync"),
    ("https://h.example/nc/index.php/apps/gpoddersync/", "https://h.example/nc"),
    ("https://gpodder.net/api/2/?x#y", "https://gpodder.net"), ("http://127.0.0.1:80", "http://127.0.0.1:80"),
  ])
  func `an address may be pasted as it is found`(text: String, base: String) throws {
    #expect(try ServerAccount.base(of: text, allowsHTTP: false) == base)
  }

  @Test func `a password never goes out unencrypted unless that is asked for`() throws {
    for address in ["http://example.org", "http://127.example.org", "http://192.168.0.7"] {
      #expect(throws: ServerError.notEncrypted) { try ServerAccount.base(of: address, allowsHTTP: false) }
      #expect(try ServerAccount.base(of: address, allowsHTTP: true) == address)
    }
    #expect(throws: ServerError.self) { try ServerAccount.base(of: "https://me:pw@example.org", allowsHTTP: true) }
    #expect(throws: ServerError.self) { try ServerAccount.base(of: "ftp://example.org", allowsHTTP: true) }
  }

  @Test(arguments: Personality.allCases)
  func `a wrong password is refused, and nothing is kept of it`(personality: Personality) async throws {
    let stage = try SyncStage(personality)
    let library = try await stage.library(loggedIn: false)
    await #expect(throws: ServerError.refused) { try await library.logIn(at: stage.server.url, password: "wrong") }
    #expect(try await library.store.syncState().keys.allSatisfy { !$0.hasPrefix("server-") })
    await #expect(throws: ServerError.notLoggedIn) { try await library.sync() }
  }

  @Test func `Nextcloud's login flow waits for the browser`() async throws {
    let stage = try SyncStage(.nextcloud)
    let library = try await stage.library(loggedIn: false)
    let server = try await library.login.recognise(stage.server.url, allowsHTTP: false)
    let grant = try await library.login.beginGrant(at: server)
    #expect(grant.page == stage.server.url + "/login.php?token=2def5b78")
    _ = try await library.login.logIn(to: server, by: grant)
    #expect(stage.requests("POST", "/poll").count == 2)
    #expect(try await library.sync().failures == [])
  }

  @Test func `a login flow that leads to another host is refused`() async throws {
    let stage = try SyncStage(.nextcloud)
    let other = try LoopbackServer(host: "127.0.0.2")
    let library = try await stage.library(loggedIn: false)
    let server = try await library.login.recognise(stage.server.url, allowsHTTP: false)
    for poll in [other.url("/poll"), stage.server.url + "/poll"] {
      let page = poll.hasPrefix(other.origin) ? stage.server.url + "/page" : other.url("/page")
      stage.server.fail(
        .text(#"{"poll":{"token":"t","endpoint":"\#(poll)"},"login":"\#(page)"}"#), at: "/index.php/login/v2")
      await #expect(throws: ServerError.self) { try await library.login.beginGrant(at: server) }
    }
    #expect(other.requests.isEmpty)
  }

  @Test func `a login page or a name with an escape sequence is refused`() async throws {
    let stage = try SyncStage(.nextcloud)
    let library = try await stage.library(loggedIn: false)
    let server = try await library.login.recognise(stage.server.url, allowsHTTP: false)
    let url = stage.server.url
    stage.server.fail(
      .text(#"{"poll":{"token":"t","endpoint":"\#(url)/poll"},"login":"\#(url)/\u001b]0;a title\u0007"}"#),
      at: "/index.php/login/v2")
    await #expect(throws: ServerError.unreadable) { try await library.login.beginGrant(at: server) }
    let grant = try await library.login.beginGrant(at: server)
    stage.server.fail(.text(#"{"loginName":"me\u001b[31m","appPassword":"secret"}"#), at: "/poll")
    await #expect(throws: ServerError.unreadable) { try await library.login.logIn(to: server, by: grant) }
    #expect(try await library.store.syncState().keys.allSatisfy { !$0.hasPrefix("server-") })
  }

  @Test func `a Nextcloud without the app says so`() async throws {
    let stage = try SyncStage(.nextcloud)
    let library = try await stage.library(loggedIn: false)
    stage.server.fail(.status(404), at: "/gpoddersync/", times: 10)
    await #expect(throws: ServerError.appMissing) {
      try await library.login.recognise(stage.server.url, allowsHTTP: false)
    }
  }

  @Test func `logging out forgets the password and the timestamps, also without a network`() async throws {
    let stage = try SyncStage(.nextcloud)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    try await library.sync()
    let secrets = library.live.paths.data + "/secrets"
    #expect(String(decoding: try contents(of: secrets), as: UTF8.self).contains(PodcastServer.password))
    stage.server.stop()
    #expect(try await library.login.logOut() == stage.server.url)
    #expect(!String(decoding: try contents(of: secrets), as: UTF8.self).contains(PodcastServer.password))
    #expect(try await library.store.syncState().keys.filter { $0.hasPrefix("server-") } == [ServerValue.device])
    #expect(try await library.store.serverFeeds().isEmpty)
    #expect(try await library.login.logOut() == nil)
    #expect(try await library.titles == ["alpha"])
  }

  @Test func `an app password is revoked`() async throws {
    let stage = try SyncStage(.nextcloud)
    let library = try await stage.library()
    _ = try await library.login.logOut()
    #expect(stage.requests("DELETE", "/ocs/v2.php/core/apppassword").count == 1)
  }

  @Test func `another server needs a logout first`() async throws {
    let (one, two) = (try SyncStage(.opodsync), try SyncStage(.opodsync))
    let library = try await one.library()
    await #expect(throws: ServerError.loggedInElsewhere(one.server.url)) { try await library.logIn(at: two.server.url) }
    try await library.logIn(at: one.server.url)
  }

  // MARK: Beside a sync

  @Test func `while another process syncs, the account stays as it is`() async throws {
    let (stage, other) = (try SyncStage(.nextcloud), try SyncStage(.opodsync))
    let library = try await stage.library()
    let before = try await library.store.syncState()
    let lock = try #require(FileLock(path: library.live.paths.data + "/sync-server.lock"))
    let login = library.login
    let elsewhere = ServerLogin.Server(base: other.server.url, flavour: .gpodder)
    // Cancelled, they do not wait for long.
    let leaving = Task { try await login.logOut() }
    leaving.cancel()
    await #expect(throws: ServerError.underway) { try await leaving.value }
    let coming = Task { try await login.logIn(to: elsewhere, user: PodcastServer.user, password: "x") }
    coming.cancel()
    await #expect(throws: ServerError.underway) { try await coming.value }
    withExtendedLifetime(lock) {}
    #expect(try await library.store.syncState() == before)
    #expect(other.server.requests.isEmpty && stage.requests("DELETE", "/apppassword").isEmpty)
  }

  @Test func `a sync that waited for a logout does nothing`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    let path = library.live.paths.data + "/sync-server.lock"
    var lock = FileLock(path: path)
    #expect(lock != nil)
    let (watch, asked) = (try OpenWatch(path), stage.server.requests.count)
    let sync = Task { try await library.sync() }
    let deadline = Deadline()
    while !watch.wasOpened, !deadline.hasPassed { await Task.yield() }
    try await library.store.forgetServer(keeping: [ServerValue.device])
    lock = nil
    await #expect(throws: ServerError.notLoggedIn) { try await sync.value }
    #expect(stage.server.requests.count == asked)
    #expect(try await library.store.syncState().keys.filter { $0.hasPrefix("server-") } == [ServerValue.device])
  }

  @Test func `a new account knows nothing of the server before it`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library(loggedIn: false)
    try await library.subscribe(stage.feed("alpha"))
    let podcast = try #require(try await library.store.podcasts().first)
    let stale = ServerFeed(url: stage.feed("alpha"), podcast: podcast.id, state: .listed)
    try await library.store.save([stale], setting: [ServerValue.actionsSince: "9", ServerValue.fullAt: "9"])
    try await library.logIn(at: stage.server.url)
    #expect(try await library.store.serverFeeds().isEmpty)
    #expect(try await library.store.syncState()[ServerValue.actionsSince] == nil)
    #expect(try await library.sync().failures == [])
    #expect(stage.server.subscriptions == [stage.feed("alpha")])
    // The password again, of the same account.
    try await library.logIn(at: stage.server.url)
    #expect(try await library.store.serverFeeds().map(\.state) == [.listed])
  }
}
