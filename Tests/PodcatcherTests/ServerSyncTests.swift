import PodcastModel
import PodcastStore
import TestSupport
import Testing
import Text

@testable import Podcatcher

private let day: Int64 = 86_400

/// Sync with a server: what the two sides have afterwards.
@Suite struct ServerSyncTests {
  // MARK: Both ways

  @Test(arguments: Personality.allCases)
  func `the first sync unites both sides and removes nothing`(personality: Personality) async throws {
    let stage = try SyncStage(personality)
    stage.server.subscribe(stage.feed("alpha"))
    stage.phone("alpha", 1, 120)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("beta"))
    try await library.hear("beta", 2, 77)
    let report = try await library.sync()
    #expect(report.failures == [])
    #expect(try await library.titles == ["alpha", "beta"])
    #expect(stage.server.subscriptions == [stage.feed("alpha"), stage.feed("beta")])
    #expect(try await library.state("alpha", 1) == "120")
    #expect(stage.server.actions.contains { $0["position"]?.int == 77 })
  }

  @Test(arguments: Personality.allCases)
  func `a second sync changes nothing, here or there`(personality: Personality) async throws {
    let stage = try SyncStage(personality)
    stage.server.subscribe(stage.feed("alpha"))
    stage.phone("alpha", 1, 120)
    stage.phone("alpha", 2, 600)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("beta"))
    try await library.hear("beta", 2, 77)
    try await library.sync()
    let before = (stage.server.actions, stage.server.subscriptions, stage.server.requests.count { $0.method == "POST" })
    for isFull in [false, true] {
      #expect(try await library.sync { $0.isFull = isFull }.isQuiet)
    }
    #expect(stage.server.actions == before.0 && stage.server.subscriptions == before.1)
    #expect(stage.server.requests.count { $0.method == "POST" } == before.2)
    #expect(try await library.state("alpha", 2) == "done")
  }

  @Test(arguments: Personality.allCases)
  func `positions, ends and marks travel between two libraries`(personality: Personality) async throws {
    let stage = try SyncStage(personality)
    let (one, two) = (try await stage.library(), try await stage.library())
    for library in [one, two] { try await library.subscribe(stage.feed("alpha")) }
    try await one.hear("alpha", 1, 200)
    try await one.mark(.played, "alpha", 2)
    try await one.sync()
    try await two.sync()
    #expect(try await two.state("alpha", 1) == "200")
    #expect(try await two.state("alpha", 2) == "done")
    // gpodder.net shows nothing of the future, and a change in the same second is a second later.
    stage.server.setClock(aheadBy: 5)
    try await two.hear("alpha", 1, 100)
    try await two.sync()
    try await one.sync()
    #expect(try await one.state("alpha", 1) == "100")
  }

  @Test func `reports of episodes that share a guid reach the episodes of their enclosures`() async throws {
    let stage = try SyncStage(.opodsync)
    let feed = SampleFeed(title: "alpha", episodes: 3, mediaBase: stage.feeds.url("/alpha"), seconds: SyncStage.length)
    let shared = (1...3).reduce(String(decoding: feed.bytes, as: UTF8.self)) { text, number in
      text.replacing(">alpha-\(number)<", with: ">same<")
    }
    stage.feeds.serve("/alpha.xml", Response.feed(Array(shared.utf8)))
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    for (number, position) in [(3, SyncStage.length), (2, 123)] {
      stage.server.report([
        "podcast": JSON(stage.feed("alpha")), "episode": JSON(stage.media("alpha", number)), "guid": "same",
        "device": "phone", "action": "play", "timestamp": .string(String(Timestamp.now.description.dropLast())),
        "started": 0, "position": .integer(Int64(position)), "total": .integer(Int64(SyncStage.length)),
      ])
    }
    try await library.sync()
    let byMedia = Dictionary(
      uniqueKeysWithValues: try await library.store.playlist().map { ($0.episode.enclosure?.url ?? "", $0.status) })
    #expect(byMedia[stage.media("alpha", 3)]?.hasCompleted == true)
    #expect(byMedia[stage.media("alpha", 2)]?.lastListenTime == .seconds(123))
    #expect(byMedia[stage.media("alpha", 1)]?.lastListenTime == nil)
  }

  @Test func `unplayed travels to servers that keep it, and is counted where it cannot`() async throws {
    for personality in Personality.allCases {
      let stage = try SyncStage(personality)
      let (one, two) = (try await stage.library(), try await stage.library())
      for library in [one, two] { try await library.subscribe(stage.feed("alpha")) }
      try await one.mark(.played, "alpha", 2)
      try await one.sync()
      try await two.sync()
      stage.server.setClock(aheadBy: 5)
      try await one.mark(.unplayed, "alpha", 2)
      let report = try await one.sync()
      try await two.sync()
      #expect(report.untold == (personality == .nextcloud ? 1 : 0))
      #expect(try await two.state("alpha", 2) == (personality == .nextcloud ? "done" : "-"))
    }
  }

  @Test(arguments: Personality.allCases)
  func `subscriptions follow and leave in both directions`(personality: Personality) async throws {
    let stage = try SyncStage(personality)
    stage.server.subscribe(stage.feed("alpha"))
    let library = try await stage.library()
    try await library.subscribe(stage.feed("beta"))
    try await library.sync()
    stage.server.unsubscribe(stage.feed("alpha"))
    stage.server.subscribe(stage.feed("gamma"))
    try await library.unsubscribe("beta")
    try await library.sync()
    #expect(try await library.titles == ["gamma"])
    #expect(stage.server.subscriptions == [stage.feed("gamma")])
    // The server tells the removal once more, as its answers overlap.
    try await library.subscribe(stage.feed("beta"))
    try await library.sync { $0.isFull = true }
    #expect(try await library.titles == ["beta", "gamma"])
    #expect(stage.server.subscriptions == [stage.feed("beta"), stage.feed("gamma")])
  }

  @Test func `after a reset the server gets what an old backup has and lacks`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    for name in ["alpha", "beta"] { try await library.subscribe(stage.feed(name)) }
    try await library.mark(.played, "alpha", 1)
    try await library.sync()
    let copy = library.home.path + "/copy.db"
    try await library.store.backUp(to: copy)
    for number in 2...4 { try await library.mark(.played, "alpha", number) }
    try await library.mark(.unplayed, "alpha", 1)
    try await library.unsubscribe("beta")
    stage.server.subscribe(stage.feed("gamma"))
    try await library.sync()
    #expect(stage.server.subscriptions == [stage.feed("alpha"), stage.feed("gamma")])
    await library.store.close()
    try PodcastStore.restore(copy, to: library.live.paths.library)
    let restored = try SyncedLibrary(in: library.home)
    stage.server.setClock(aheadBy: 5)
    try await restored.syncer.claim()
    try await restored.sync()
    #expect(try await restored.titles == ["alpha", "beta", "gamma"])
    #expect(Set(stage.server.subscriptions) == Set(["alpha", "beta", "gamma"].map(stage.feed)))
    // Another library of the same account has the state of the backup, too.
    let other = try await stage.library()
    try await other.sync()
    for library in [restored, other] {
      var states: [String] = []
      for number in 1...4 { states.append(try await library.state("alpha", number)) }
      #expect(states == ["done", "-", "-", "-"])
    }
    #expect(try await restored.sync().isQuiet)
  }

  @Test(arguments: [true, false])
  func `a feed that moved for a phone moves here with all that was heard of it`(redirects: Bool) async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    try await library.hear("alpha", 1, 77)
    try await library.sync()
    let moved = stage.feeds.url("/moved.xml")
    let feed = SampleFeed(title: "alpha", episodes: 4, mediaBase: stage.feeds.url("/alpha"), seconds: SyncStage.length)
    stage.feeds.serve("/moved.xml", Response.feed(feed.bytes))
    if redirects { stage.feeds.serve("/alpha.xml", Response.redirect(to: moved, status: 301)) }
    stage.server.subscribe(moved)
    stage.server.unsubscribe(stage.feed("alpha"))
    try await library.sync()
    let podcasts = try await library.store.podcasts()
    #expect(podcasts.map(\.reference.feedURL) == [moved] && podcasts.map(\.id.rawValue) == [1])
    #expect(try await library.state("alpha", 1) == "77")
    #expect(stage.server.subscriptions == [moved])
    #expect(try await library.sync().isQuiet)
  }

  @Test func `of a feed that moved, a library that knows the new address alone gets what was heard`() async throws {
    let stage = try SyncStage(.opodsync)
    let (one, two) = (try await stage.library(), try await stage.library())
    try await one.subscribe(stage.feed("alpha"))
    try await one.sync()
    let moved = stage.feeds.url("/moved.xml")
    let feed = SampleFeed(title: "alpha", episodes: 4, mediaBase: stage.feeds.url("/alpha"), seconds: SyncStage.length)
    stage.feeds.serve("/moved.xml", Response.feed(feed.bytes))
    stage.feeds.serve("/alpha.xml", .status(404))
    #expect(try await one.store.moveFeed(of: try #require(try await one.store.podcasts().first).id, to: moved))
    #expect(try await two.sync().unreachable == [stage.feed("alpha")])
    try await two.subscribe(moved)
    try await two.sync()
    try await one.hear("alpha", 1, 77)
    try await one.sync()
    try await two.sync()
    #expect(try await two.state("alpha", 1) == "77")
  }

  @Test func `the server gets the address that the user gave a podcast`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    try await library.sync()
    let (moved, id) = (stage.feeds.url("/moved.xml"), try #require(try await library.store.podcasts().first).id)
    #expect(try await library.store.moveFeed(of: id, to: moved))
    try await library.store.noteMoved(id)
    // Refused at first, it is offered again with the next request for everything. Until then the former one stands for it.
    stage.server.fail(.status(400), at: "/subscriptions/", method: "POST")
    #expect(try await library.sync().refused == 1)
    try await library.hear("alpha", 1, 77)
    #expect(try await library.sync().sent == 1)
    #expect(stage.server.subscriptions == [stage.feed("alpha")])
    #expect(stage.server.actions.last?["podcast"]?.text == stage.feed("alpha"))
    try await library.sync { $0.isFull = true }
    #expect(stage.server.subscriptions == [stage.feed("alpha"), moved])
    #expect(try await library.sync { $0.isFull = true }.isQuiet)
    #expect(try await library.titles == ["alpha"])
    try await library.unsubscribe("alpha")
    try await library.sync()
    #expect(stage.server.subscriptions == [])
  }

  @Test func `another show with the same guids is no podcast that moved`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    try await library.hear("alpha", 1, 77)
    try await library.sync()
    var other = SampleFeed(title: "alpha", episodes: 4, mediaBase: stage.feeds.url("/other")).xml
    other = other.replacing("<title>alpha</title>", with: "<title>other</title>")
    stage.feeds.serve("/other.xml", Response.feed(Array(other.utf8)))
    stage.server.subscribe(stage.feed("other"))
    stage.server.unsubscribe(stage.feed("alpha"))
    try await library.sync()
    #expect(try await library.titles == ["other"])
    let podcast = try #require(try await library.store.podcasts().first)
    #expect(podcast.id.rawValue == 2 && podcast.episodeCount == 4)
  }

  @Test(arguments: Personality.allCases)
  func `a podcast that was left elsewhere before a full sync is left here`(personality: Personality) async throws {
    let stage = try SyncStage(personality)
    let library = try await stage.library()
    for name in ["alpha", "beta"] { try await library.subscribe(stage.feed(name)) }
    try await library.sync()
    stage.server.unsubscribe(stage.feed("alpha"))
    try await library.sync { $0.isFull = true }
    #expect(try await library.titles == ["beta"])
    #expect(stage.server.subscriptions == [stage.feed("beta")])
  }

  @Test func `an episode that left the queue at its end stays out of it, when it is played again elsewhere`()
    async throws
  {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    let (first, second) = (
      try await library.episode("alpha", 1).episode.id, try await library.episode("alpha", 2).episode.id
    )
    try await library.store.enqueue([first, second], at: .end)
    try await library.sync()
    try await library.hear("alpha", 1, 590)
    try await library.store.markCompleted(first)
    try await library.sync()
    #expect(try await library.store.queue().map(\.episode.id) == [second])
    stage.phone("alpha", 1, 300, at: .now + 60)
    stage.server.setClock(aheadBy: 120)
    try await library.sync()
    #expect(try await library.state("alpha", 1) == "300")
    #expect(try await library.store.queue().map(\.episode.id) == [second])
  }

  // MARK: Rules

  @Test func `each request has user and password, an agent with a name, and the cookie that came`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    let asked = stage.server.requests.count
    try await library.sync()
    let requests = stage.server.requests.dropFirst(asked)
    #expect(requests.count == 2)
    #expect(requests.map { $0.header("Cookie") } == [nil, "sessionid=c00kie"])
    #expect(
      requests.allSatisfy { $0.header("Authorization") != nil && $0.header("User-Agent")?.hasPrefix("podcli") == true })
  }

  @Test func `the device is made once, by chance, and outlives a logout`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    let device = try #require(try await library.store.syncState()[ServerValue.device])
    #expect(device.hasPrefix("podcli-") && device.utf8.count == 15)
    _ = try await library.login.logOut()
    try await library.logIn(at: stage.server.url)
    #expect(try await library.store.syncState()[ServerValue.device] == device)
    #expect(try await stage.library().store.syncState()[ServerValue.device] != device)
  }

  @Test func `subscriptions come first and go last, with the actions in between`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    try await library.hear("alpha", 1, 99)
    let asked = stage.server.requests.count
    try await library.sync()
    let order = stage.server.requests.dropFirst(asked).map { $0.method + " " + $0.path.split(separator: "/")[2] }
    #expect(order == ["GET subscriptions", "GET episodes", "POST episodes", "POST subscriptions"])
  }

  @Test(arguments: Personality.allCases)
  func `what was heard offline and uploaded late arrives`(personality: Personality) async throws {
    let stage = try SyncStage(personality)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    try await library.sync()
    try await library.sync()
    stage.phone("alpha", 1, 150, at: .now + -3 * day)
    try await library.sync()
    #expect(try await library.state("alpha", 1) == "150")
    stage.phone("alpha", 2, 150, at: .now + -30 * day)
    try await library.sync()
    #expect(try await library.state("alpha", 2) == "-")
    try await library.sync { $0.isFull = true }
    #expect(try await library.state("alpha", 2) == "150")
  }

  @Test func `once a week everything is asked for`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    try await library.sync()
    stage.phone("alpha", 1, 150, at: .now + -30 * day)
    for (age, state) in [(6 * day, "-"), (8 * day, "150")] {
      try await library.store.setSyncState([ServerValue.fullAt: String(Timestamp.now.seconds - age)])
      try await library.sync()
      #expect(try await library.state("alpha", 1) == state)
    }
  }

  @Test func `all pages are read`() async throws {
    let stage = try SyncStage(.mygpo)
    stage.serve("alpha", episodes: 100)
    stage.server.subscribe(stage.feed("alpha"))
    for number in 1...100 { stage.phone("alpha", number, 100 + number, at: .now + (Int64(number) - 110) * 60) }
    let library = try await stage.library()
    try await library.sync()
    for number in 1...100 { #expect(try await library.state("alpha", number) == String(100 + number)) }
  }

  @Test(.timeLimit(.minutes(1)))
  func `the same page again and again ends`() async throws {
    let stage = try SyncStage(.mygpo)
    let library = try await stage.library()
    stage.server.fail(.text(#"{"actions":[{}],"timestamp":5}"#), at: "/episodes/", method: "GET", times: 1000)
    #expect(try await library.sync().failures == [])
    #expect(stage.requests("GET", "/episodes/").count < 5)
  }

  @Test func `actions go in batches of 30, the one that is refused alone stays here`() async throws {
    let stage = try SyncStage(.opodsync)
    stage.serve("alpha", episodes: 70)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    for number in 1...70 { try await library.mark(.played, "alpha", number) }
    stage.server.fail(.status(400), at: "/episodes/", times: 1000, where: "\"alpha-17\"")
    let report = try await library.sync()
    #expect(report.sent == 69 && report.refused == 1 && report.failures == [])
    #expect(Set(stage.server.actions.compactMap { $0["guid"]?.text }).count == 69)
    for body in stage.bodies("POST", "/episodes/") { #expect(body.split(separator: "\"timestamp\"").count <= 31) }
    let posts = stage.requests("POST", "/episodes/").count
    #expect(try await library.sync().isQuiet)
    #expect(stage.requests("POST", "/episodes/").count == posts)
    // Its later state is tried again, and any with the request for everything: it was another program that answered.
    try await library.mark(.unplayed, "alpha", 17)
    #expect(try await library.sync().refused == 1)
    try await library.mark(.played, "alpha", 17)
    #expect(try await library.sync().refused == 1)
    stage.server.repair()
    #expect(try await library.sync().isQuiet)
    #expect(try await library.sync { $0.isFull = true }.sent == 1)
    #expect(stage.server.actions.last?["guid"]?.text == "alpha-17")
    #expect(try await library.sync { $0.isFull = true }.sent == 0)
  }

  @Test func `a podcast that the server refused once is offered again with the weekly request for everything`()
    async throws
  {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    try await library.sync()
    try await library.subscribe(stage.feed("beta"))
    stage.server.fail(.status(500), at: "/subscriptions/", method: "POST", times: 1)
    stage.server.fail(.status(400), at: "/subscriptions/", method: "POST", times: 1)
    #expect(try await library.sync().failures == [.status(500)])
    #expect(try await library.sync().refused == 1)
    #expect(try await library.sync().isQuiet)
    #expect(try await library.sync { $0.isFull = true }.subscriptionsSent == 1)
    #expect(try await library.sync { $0.isFull = true }.isQuiet)
  }

  @Test func `a podcast whose removal the server refuses is not followed again`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    try await library.subscribe(stage.feed("beta"))
    try await library.sync()
    try await library.unsubscribe("beta")
    stage.server.fail(.status(400), at: "/subscriptions/", method: "POST", times: 1000)
    #expect(try await library.sync().refused == 1)
    try await library.sync { $0.isFull = true }
    #expect(try await library.titles == ["alpha"])
  }

  @Test(arguments: [413, 500])
  func `a batch that breaks off in the middle is sent again in halves`(status: Int) async throws {
    let stage = try SyncStage(.opodsync)
    stage.serve("alpha", episodes: 20)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    for number in 1...20 { try await library.mark(.played, "alpha", number) }
    stage.server.fail(status == 413 ? .status(413) : .halfDone(7), at: "/episodes/", method: "POST")
    #expect(try await library.sync().sent == 20)
    #expect(Set(stage.server.actions.compactMap { $0["guid"]?.text }).count == 20)
  }

  @Test func `a server that fails at everything loses nothing`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    for number in 1...4 { try await library.mark(.played, "alpha", number) }
    stage.server.fail(.status(500), at: "/episodes/", method: "POST", times: 1000)
    #expect(try await library.sync().failures == [.status(500)])
    #expect(stage.requests("POST", "/episodes/").count < 12)
    let other = try await stage.library()
    try await other.sync()
    #expect(try await library.store.unsentPlays(by: ServerClock(date: nil), to: "server-").count == 4)
  }

  @Test func `what could not be read first is not written over`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    try await library.mark(.played, "alpha", 1)
    for path in ["/subscriptions/", "/episodes/"] {
      stage.server.fail(.status(500), at: path, method: "POST", times: 100)
    }
    #expect(try await library.sync().sent == 0)
    let asked = stage.server.requests.count
    for path in ["/subscriptions/", "/episodes/"] { stage.server.fail(.page, at: path, method: "GET") }
    #expect(try await library.sync().failures == [.unreadable, .unreadable])
    #expect(stage.server.requests.dropFirst(asked).allSatisfy { $0.method == "GET" })
  }

  @Test func `what waits longest goes first`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    try await library.mark(.played, "alpha", 2)
    stage.server.fail(.status(401), at: "/episodes/", method: "POST")
    #expect(try await library.sync().failures == [.refused])
    try await library.mark(.played, "alpha", 1)
    #expect(try await library.sync().sent == 2)
    let sent = JSON(parsing: Array((stage.bodies("POST", "/episodes/").last ?? "").utf8))
    #expect(sent?.elements?.map { $0["guid"]?.text } == ["alpha-2", "alpha-1"])
  }

  @Test func `any status of success is one`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    try await library.mark(.played, "alpha", 1)
    stage.server.fail(.status(201), at: "/episodes/", method: "POST")
    stage.server.fail(.status(204), at: "/subscriptions/", method: "POST")
    let report = try await library.sync()
    #expect(report.failures == [] && report.sent == 1 && report.subscriptionsSent == 1)
  }

  @Test func `a server that has forgotten the device is told of it again`() async throws {
    let stage = try SyncStage(.mygpo)
    let library = try await stage.library()
    let known = stage.requests("POST", "/devices/").count
    stage.server.fail(.status(404), at: "/subscriptions/", method: "GET")
    #expect(try await library.sync().failures == [])
    #expect(stage.requests("POST", "/devices/").count == known + 1)
  }

  @Test func `of two reports of the same second the further one counts, in any order`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    let time = Timestamp.now + -60
    for position in [120, SyncStage.length] { stage.phone("alpha", 1, position, at: time) }
    for position in [SyncStage.length, 120] { stage.phone("alpha", 2, position, at: time) }
    try await library.sync()
    for number in 1...2 { #expect(try await library.state("alpha", number) == "done") }
  }

  @Test func `a position that is nearer here is not sent back when its report comes again`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    // The feed claims ten minutes.
    stage.phone("alpha", 1, 1200, at: Timestamp.now + -600, total: 2700)
    try await library.hear("alpha", 2, 30, at: Timestamp.now + -1200, for: 10)
    try await library.store.setMediaDuration(.seconds(1000), of: try await library.episode("alpha", 2).episode.id)
    stage.phone("alpha", 2, 1860, at: Timestamp.now + -600, total: 2400)
    for isFull in [false, false, true] { #expect(try await library.sync { $0.isFull = isFull }.sent == 0) }
    #expect(try await library.state("alpha", 1) == "1200")
    #expect(try await library.state("alpha", 2) == "985")
    try await library.hear("alpha", 1, 1300)
    #expect(try await library.sync().sent == 1)
    let last = try #require(stage.server.actions.last)
    #expect(last["position"]?.int == 1300 && last["total"]?.int ?? 0 > 1330)
  }

  @Test func `a page in place of the answer to what was sent is a failure, and it is sent again`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    try await library.sync()
    try await library.hear("alpha", 1, 300)
    stage.server.fail(.page, at: "/episodes/", method: "POST")
    let failed = try await library.sync()
    #expect(failed.sent == 0 && failed.failures == [.unreadable])
    #expect(try await library.sync().sent == 1)
  }

  @Test func `a server that has lost a podcast gets it again with everything`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    for name in ["alpha", "beta"] { try await library.subscribe(stage.feed(name)) }
    try await library.sync()
    stage.server.forgetEverything()
    stage.server.subscribe(stage.feed("alpha"))
    #expect(try await library.sync { $0.isFull = true }.failures == [])
    #expect(stage.server.subscriptions == [stage.feed("alpha"), stage.feed("beta")])
    #expect(try await library.titles == ["alpha", "beta"])
  }

  @Test func `a feed that could not be fetched is tried again by each sync that is asked for`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    stage.server.subscribe(stage.feed("delta"))
    #expect(try await library.sync().unreachable.count == 1)
    stage.serve("delta")
    #expect(try await library.sync { $0.isAutomatic = true }.unreachable.isEmpty)
    #expect(try await library.titles.isEmpty)
    #expect(try await library.sync().unreachable.isEmpty)
    #expect(try await library.titles == ["delta"])
  }

  @Test func `a position counts once 20 seconds were heard`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    try await library.hear("alpha", 1, 300, for: 19)
    #expect(try await library.sync().sent == 0)
    try await library.hear("alpha", 1, 330, for: 20)
    #expect(try await library.sync().sent == 1)
  }

  @Test func `a short session withholds nothing that was heard before it and could not be sent`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    try await library.hear("alpha", 1, 900, at: .now + -7200, for: 600)
    #expect(try await library.sync().sent == 1)
    try await library.hear("alpha", 1, 1500, at: .now + 60, for: 600)
    try await library.hear("alpha", 1, 1510, at: .now + 700, for: 10)
    #expect(try await library.sync().sent == 1)
    #expect(stage.server.actions.contains { $0["position"]?.int == 1510 })
    // A look at another part, when all of that was sent.
    try await library.hear("alpha", 2, 900, at: .now + -7200, for: 600)
    #expect(try await library.sync().sent == 1)
    try await library.hear("alpha", 2, 100, for: 10)
    #expect(try await library.sync().sent == 0)
  }

  @Test func `an episode of a podcast that was left is not told of`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    for name in ["alpha", "beta"] { try await library.subscribe(stage.feed(name)) }
    try await library.sync()
    try await library.hear("alpha", 1, 90)
    try await library.unsubscribe("alpha")
    try await library.sync()
    #expect(stage.server.actions.isEmpty)
    #expect(stage.server.subscriptions == [stage.feed("beta")])
  }

  @Test func `the episode of a player that runs stays untouched`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    try await library.hear("alpha", 1, 50, at: .now + -600)
    stage.phone("alpha", 1, 300)
    stage.phone("alpha", 2, 300)
    let lock = try #require(try library.live.playerLock())
    lock.announce(try await library.episode("alpha", 1).episode.id)
    try await library.sync()
    #expect(try await library.state("alpha", 1) == "50")
    #expect(try await library.state("alpha", 2) == "300")
    // The player's next position wins over what the phone said before.
    try await library.hear("alpha", 1, 80, at: .now + -500)
    try await library.sync()
    #expect(try await library.state("alpha", 1) == "80")
    #expect(stage.server.actions.contains { $0["position"]?.int == 80 })
    lock.endWell()
  }

  @Test func `a podcast is known by any address and an episode by its file`() async throws {
    let stage = try SyncStage(.opodsync)
    stage.feeds.serve("/old.xml", Response.redirect(to: stage.feed("alpha"), status: 301))
    let library = try await stage.library()
    try await library.subscribe(stage.feeds.url("/old.xml"))
    let secure = stage.feed("alpha").replacing("http://", with: "https://")
    stage.server.subscribe(secure)
    let action = { (feed: String, episode: String, position: Int64) -> JSON in
      [
        "podcast": JSON(feed), "episode": JSON(episode), "guid": "another", "action": "play",
        "timestamp": JSON(String(Timestamp.now.description.dropLast())), "position": JSON(position), "total": 600,
      ]
    }
    stage.server.report(action(secure, stage.media("alpha", 1) + "?token=9", 111))
    stage.server.report(action(stage.feeds.url("/old%2Exml/"), stage.media("alpha", 2), 222))
    try await library.sync()
    #expect(try await library.titles == ["alpha"])
    #expect(try await library.state("alpha", 1) == "111")
    #expect(try await library.state("alpha", 2) == "222")
    #expect(!stage.server.subscriptions.contains(stage.feed("alpha")))
  }

  @Test func `a query tells two files apart, but not two tokens of one file`() async throws {
    let stage = try SyncStage(.opodsync)
    let media = stage.feeds.url("/play?file=")
    let asked = SampleFeed(title: "asked", episodes: 2, mediaBase: media, seconds: SyncStage.length)
    stage.feeds.serve("/asked.xml", .feed(asked.bytes))
    let library = try await stage.library()
    for name in ["alpha", "asked"] { try await library.subscribe(stage.feed(name)) }
    let report = { (feed: String, episode: String, position: Int64, age: Int64) in
      stage.server.report([
        "podcast": JSON(stage.feed(feed)), "episode": JSON(episode), "guid": "another", "action": "play",
        "timestamp": JSON(String((Timestamp.now + -age).description.dropLast())), "position": JSON(position),
        "total": 600,
      ])
    }
    for number in 1...2 { report("asked", media + "/\(number).wav", Int64(number) * 111, 60) }
    report("alpha", stage.media("alpha", 1) + "?token=9", 130, 60)
    report("alpha", stage.media("alpha", 1) + "?token=8", 100, 120)
    try await library.sync()
    #expect(try await library.state("asked", 1) == "111")
    #expect(try await library.state("asked", 2) == "222")
    #expect(try await library.state("alpha", 1) == "130")
  }

  @Test func `a podcast is known by what the server calls it`() async throws {
    let stage = try SyncStage(.mygpo)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    let theirs = stage.feeds.url("/elsewhere")
    stage.server.fail(
      .text(#"{"timestamp":1,"update_urls":[["\#(stage.feed("alpha"))","\#(theirs)"]]}"#), at: "/subscriptions/",
      method: "POST")
    try await library.sync()
    stage.server.subscribe(theirs)
    stage.server.report([
      "podcast": JSON(theirs), "episode": JSON(stage.media("alpha", 1)), "action": "play",
      "timestamp": JSON(String((Timestamp.now + -60).description.dropLast())), "position": 111, "total": 600,
    ])
    try await library.sync { $0.isFull = true }
    #expect(try await library.titles == ["alpha"])
    #expect(try await library.state("alpha", 1) == "111")
    #expect(stage.feeds.requests(to: "/elsewhere").isEmpty)
  }

  @Test func `an address that the server spells anew is not renamed, sent again or left`() async throws {
    let stage = try SyncStage(.mygpo)
    let url = stage.feeds.url("/alpha.xml?show=a%2Bb")
    let library = try await stage.library()
    try await library.subscribe(url)
    try await library.sync()
    try await library.sync { $0.isFull = true }
    #expect(try await library.store.podcasts().map(\.reference.feedURL) == [url])
    #expect(stage.requests("POST", "/subscriptions/").count == 1)
    #expect(stage.server.subscriptions == [stage.feeds.url("/alpha.xml?show=a%252Bb")])
    stage.server.unsubscribe(url)
    try await library.sync()
    #expect(try await library.titles.isEmpty)
  }

  @Test func `a report waits for its episode`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    stage.phone("alpha", 5, 55)
    #expect(try await library.sync().waiting == 1)
    stage.serve("alpha", episodes: 5)
    try await library.subscribe(stage.feed("alpha"))
    #expect(try await library.sync().waiting == 0)
    #expect(try await library.state("alpha", 5) == "55")
  }

  @Test func `a report waits for ninety days`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    stage.phone("alpha", 8, 55, at: .now + -91 * day)
    stage.phone("alpha", 9, 55, at: .now + -89 * day)
    #expect(try await library.sync().waiting == 1)
  }

  @Test func `a state that wins is sent under the server's present`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    try await library.hear("alpha", 1, 90, at: .now + -3 * day)
    stage.phone("alpha", 1, 30, at: .now + -5 * day)
    try await library.hear("alpha", 2, 90, at: .now + -3 * day)
    stage.phone("alpha", 2, 30, at: .now + -day)
    let start = Timestamp.now
    try await library.sync()
    let sent = try #require(stage.server.actions.first { $0["device"]?.text != "phone" })
    #expect(EpisodeActionJSON.time(sent["timestamp"], .now) >= start)
    #expect(stage.server.actions.count { $0["device"]?.text != "phone" } == 1)
    #expect(try await library.state("alpha", 2) == "30")
    #expect(try #require(await library.episode("alpha", 1).status.lastPlayedAt) < start + -2 * day)
  }

  @Test(arguments: [-6 * 365 * day, 6 * 365 * day])
  func `a clock that is years off harms nothing`(offset: Int64) async throws {
    let stage = try SyncStage(.opodsync)
    stage.server.setClock(aheadBy: offset)
    let there = { Timestamp.now + offset }
    let (one, two) = (try await stage.library(), try await stage.library())
    for library in [one, two] { try await library.subscribe(stage.feed("alpha")) }
    stage.phone("alpha", 1, 100, at: there() + -60)
    #expect(try await one.sync().clockOffset != 0)
    #expect(try await one.state("alpha", 1) == "100")
    try await one.hear("alpha", 1, 200)
    try await one.sync()
    try await two.sync()
    #expect(try await two.state("alpha", 1) == "200")
    stage.phone("alpha", 1, 300, at: there() + 5)
    for library in [one, two] { try await library.sync() }
    #expect(try await one.state("alpha", 1) == "300")
    #expect(try await two.state("alpha", 1) == "300")
  }

  // MARK: Guards

  @Test func `many removals at once are refused until they are forced`() async throws {
    let stage = try SyncStage(.opodsync)
    let names = (1...8).map { "show\($0)" }
    for name in names { stage.serve(name) }
    for name in names { stage.server.subscribe(stage.feed(name)) }
    let library = try await stage.library()
    try await library.sync()
    for name in names.dropFirst() { stage.server.unsubscribe(stage.feed(name)) }
    for _ in 0..<2 {
      #expect(try await library.sync().failures == [.massRemoval(count: 7, total: 8, isHere: true)])
      #expect(try await library.titles.count == 8)
    }
    #expect(try await library.sync { $0.isForced = true }.failures == [])
    #expect(try await library.titles == ["show1"])
    for name in names.dropFirst() { try await library.subscribe(stage.feed(name)) }
    try await library.sync()
    for name in names.dropFirst() { try await library.unsubscribe(name) }
    #expect(try await library.sync().failures == [.massRemoval(count: 7, total: 8, isHere: false)])
    #expect(stage.server.subscriptions.count == 8)
  }

  @Test func `a list that is suddenly empty removes nothing, and is filled again when forced`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    try await library.sync()
    stage.server.forgetEverything()
    #expect(try await library.sync { $0.isFull = true }.failures == [.suddenlyEmpty])
    #expect(try await library.titles == ["alpha"])
    let forced = try await library.sync {
      $0.isFull = true
      $0.isForced = true
    }
    #expect(forced.failures == [])
    #expect(stage.server.subscriptions == [stage.feed("alpha")])
  }

  @Test func `a private podcast that the server lists is not followed a second time`() async throws {
    let stage = try SyncStage(.opodsync)
    stage.serve("hush", at: "/hush-hush")
    let library = try await stage.library()
    try await library.subscribe(stage.feeds.url("/hush-hush"), isPrivate: true)
    stage.server.subscribe(stage.feeds.url("/hush-hush"))
    for isFull in [false, true] {
      #expect(try await library.sync { $0.isFull = isFull }.failures == [])
      #expect(try await library.titles == ["hush"])
    }
    #expect(try await library.store.podcasts().allSatisfy(\.isPrivate))
  }

  @Test(arguments: Personality.allCases)
  func `no byte of a private podcast is in any request`(personality: Personality) async throws {
    let stage = try SyncStage(personality)
    for (name, path) in [
      ("hush", "/hush-hush"), ("keyed", "/keyed"), ("coded", "/9aF3kQ0bZ7xY2mN8vC4w/rss"), ("locked", "/locked"),
    ] {
      stage.serve(name, at: path)
    }
    // Public, but for one file, and one guid that is an address.
    let guid = "https://example.org/guided?token=t0k3n"
    var mixed = SampleFeed(title: "mixed", episodes: 3, mediaBase: stage.feeds.url("/mixed")).xml
    mixed = mixed.replacing("/mixed/1.wav", with: "/mixed/paid?token=t0k3n").replacing(">mixed-2<", with: ">\(guid)-2<")
    stage.feeds.serve("/mixed.xml", .feed(Array(mixed.utf8)))
    let library = try await stage.library()
    try await library.subscribe(stage.feeds.url("/hush-hush"), isPrivate: true)
    try await library.subscribe(stage.feeds.url("/keyed?token=t0k3n"))
    try await library.subscribe(stage.feeds.url("/9aF3kQ0bZ7xY2mN8vC4w/rss"))
    try await library.subscribe(stage.feeds.url("/locked").replacing("http://", with: "http://me:hunter2@"))
    for name in ["alpha", "mixed"] { try await library.subscribe(stage.feed(name)) }
    for name in ["hush", "keyed", "coded", "locked", "alpha", "mixed"] { try await library.hear(name, 1, 90) }
    for name in ["hush", "keyed", "coded", "locked", guid] { try await library.mark(.played, name, 2) }
    try await library.mark(.played, "mixed", 3)
    #expect(try await library.sync().hidden == 4)
    try await library.unsubscribe("hush")
    try await library.unsubscribe("coded")
    try await library.sync { $0.isFull = true }
    let said = stage.server.requests.map { request in
      request.target + request.headers.map { $0.name + $0.value }.joined()
        + String(decoding: request.body, as: UTF8.self)
    }.joined()
    for secret in ["hush", "keyed", "t0k3n", "coded", "9aF3kQ0bZ7xY2mN8vC4w", "locked", "paid", "guided"] {
      #expect(!said.contains(secret), "\(secret)")
    }
    #expect(said.contains("alpha-1") && said.contains("mixed-3"))
  }

  @Test func `a podcast that became private is not named again, not even as one that was left`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    try await library.mark(.played, "alpha", 1)
    stage.server.fail(.status(500), at: "/episodes/", method: "POST", times: 2)
    try await library.sync()
    let told = stage.requests("POST", "/").count
    try await library.subscribe(stage.feed("alpha").replacing("http://", with: "http://me:hunter2@"))
    #expect(try await library.sync().failures == [])
    try await library.unsubscribe("alpha")
    #expect(try await library.sync().failures == [])
    #expect(stage.requests("POST", "/").count == told)
    #expect(stage.server.subscriptions == [stage.feed("alpha")])
  }

  @Test func `a secret address that the server has is not written into the library`() async throws {
    let stage = try SyncStage(.opodsync)
    stage.serve("keyed", at: "/keyed")
    stage.server.subscribe(stage.feeds.url("/keyed?token=t0k3n"))
    stage.server.subscribe(stage.feeds.url("/gone?token=t0k3n"))
    let library = try await stage.library()
    for _ in 0..<2 { try await library.sync { $0.isFull = true } }
    #expect(try await library.titles == ["keyed"])
    #expect(try await library.store.serverFeeds().isEmpty)
  }

  @Test func `what a phone tells of a secret address is not written into the library`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    stage.server.report([
      "podcast": .string(stage.feeds.url("/keyed?token=t0k3n")), "episode": .string(stage.feeds.url("/1.mp3")),
      "guid": "one", "device": "phone", "action": "play",
      "timestamp": .string(String(Timestamp.now.description.dropLast())),
      "started": 0, "position": 60, "total": 600,
    ])
    try await library.sync()
    await library.store.close()
    for name in ["library.db", "library.db-wal"] {
      let bytes = (try? contents(of: library.live.paths.data + "/" + name)) ?? []
      #expect(!String(decoding: bytes, as: UTF8.self).contains("t0k3n"), "\(name)")
    }
  }

  @Test func `years of listening in one answer are taken`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    let long = String(repeating: "x", count: 2000)
    for number in 0..<5000 {
      stage.server.report([
        "podcast": .string(stage.feed("alpha")), "episode": .string("https://example.org/\(number)/\(long)"),
        "device": "phone", "action": "play", "timestamp": "2020-01-01T00:00:00", "started": 0, "position": 60,
        "total": 600,
      ])
    }
    stage.phone("alpha", 1, 240)
    try await library.sync()
    #expect(try await library.state("alpha", 1) == "240")
  }

  // MARK: Faults

  @Test func `a password that is refused after a while ends the sync, and changes nothing`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    try await library.hear("alpha", 1, 90)
    stage.server.fail(.status(401), at: "/episodes/", method: "POST", times: 100)
    #expect(try await library.sync().failures == [.refused])
    #expect(stage.requests("POST", "/subscriptions/").isEmpty)
    #expect(try await library.store.unsentPlays(by: ServerClock(date: nil), to: "server-").count == 1)
    #expect(try await ServerStatus(of: library.store)?.error != nil)
  }

  @Test func `a server that wants a pause gets it from automatic syncs`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    stage.server.fail(.status(429, headers: [("Retry-After", "3600")]), at: "/subscriptions/")
    #expect(try await library.sync().failures == [.busy(pause: 3600)])
    let asked = stage.server.requests.count
    #expect(try await library.sync { $0.isAutomatic = true }.isQuiet)
    #expect(stage.server.requests.count == asked)
    #expect(try await library.sync().failures == [])
    #expect(stage.server.requests.count > asked)
  }

  @Test(arguments: [PodcastServer.Fault.Kind.page, .text(#"{"actions":7}"#), .text("[]"), .text("")])
  func `an answer of another kind ends its step only`(kind: PodcastServer.Fault.Kind) async throws {
    let stage = try SyncStage(.opodsync)
    stage.server.subscribe(stage.feed("alpha"))
    let library = try await stage.library()
    try await library.subscribe(stage.feed("beta"))
    try await library.hear("beta", 1, 90)
    stage.server.fail(kind, at: "/episodes/", method: "GET")
    #expect(try await library.sync().failures == [.unreadable])
    #expect(stage.requests("POST", "/episodes/").isEmpty)
    #expect(try await library.titles == ["alpha", "beta"])
    #expect(stage.server.subscriptions.count == 2)
    #expect(try await library.store.syncState()[ServerValue.actionsSince] == nil)
    #expect(try await library.sync().sent == 1)
  }

  @Test func `an answer that is cut off or has no end is a failure of the network`() async throws {
    let stage = try SyncStage(.opodsync)
    stage.server.subscribe(stage.feed("alpha"))
    let library = try await stage.library()
    for kind in [PodcastServer.Fault.Kind.truncated, .endless] {
      stage.server.fail(kind, at: "/subscriptions/", method: "GET")
      let failures = try await library.sync().failures
      guard case .network = failures.first else {
        Issue.record("\(failures)")
        continue
      }
      #expect(try await library.titles.isEmpty)
    }
  }

  @Test func `no password follows a redirect to another host`() async throws {
    let stage = try SyncStage(.opodsync)
    let other = try LoopbackServer(host: "127.0.0.2")
    let library = try await stage.library()
    stage.server.fail(.redirect(other.url("/trap")), times: 100)
    #expect(try await library.sync().failures == [.moved(to: other.url("/trap"))])
    #expect(other.requests.isEmpty)
  }

  @Test func `an automatic sync with nothing new is one request`() async throws {
    let stage = try SyncStage(.opodsync)
    let library = try await stage.library()
    try await library.subscribe(stage.feed("alpha"))
    try await library.sync()
    let asked = stage.server.requests.count
    try await library.sync { $0.isAutomatic = true }
    #expect(stage.server.requests.count == asked + 1)
  }
}
