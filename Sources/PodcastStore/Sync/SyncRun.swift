package import PodcastModel
internal import Text

/// The lines that one sync brings from elsewhere, and its findings about the files there.
package struct SyncInput: Sendable {
  /// Everything in the files of one device, which replaces what was known of them.
  package struct Group: Sendable {
    package var device: String
    package var lines: [SyncLine]

    package init(device: String, lines: [SyncLine]) {
      self.device = device
      self.lines = lines
    }
  }

  /// Reports that a server has of other devices.
  package struct Server: Sendable {
    package var plays: [RemotePlay]
    package var clock: ServerClock
    /// Its name among the devices that stamp registers, which begins with `server-`.
    package var author: String

    package init(plays: [RemotePlay], clock: ServerClock, author: String) {
      self.plays = plays
      self.clock = clock
      self.author = author
    }
  }

  package var groups: [Group] = []
  package var server: Server?
  /// All files of the folder; nil leaves what is known of them.
  package var files: [SyncFile]?
  /// This device's file is among the groups, and is as this device left it: what is not known of it was forgotten here.
  package var isOwnFileAsLeft = false
  /// The text kept under this key, which this sync removes, is a time in milliseconds: the state of this library counts more
  /// than what others had by then of the same podcasts and episodes, also where it has nothing of it. Podcasts that are not
  /// here, or not followed any more, come nevertheless.
  package var claimKey: String?
  /// Texts to keep, in the same transaction.
  package var state: [String: String?] = [:]

  package init() {}
}

/// The outcome of a sync's transaction.
package struct SyncOutcome: Hashable, Sendable {
  /// Registers that were stamped here.
  package var stamped = 0
  /// Registers of elsewhere that count from now on.
  package var merged = 0
  /// Podcasts that are followed from now on, and have yet to be fetched.
  package var added: [PodcastID] = []
  /// This library's id, which may be a new one.
  package var device = ""
  /// The library was restored or cloned: it has a new id.
  package var hasNewDevice = false
  /// This device's file holds something that became private.
  package var mustRewrite = false
  /// Episodes that changed by a server's reports, and its reports whose episode is not in the library.
  package var reported = 0
  package var waiting = 0
}

/// A file of another device, or of this one.
package struct SyncFile: Hashable, Sendable {
  package var name: String
  package var device: String
  /// Its size, time and number; empty where it must be read again.
  package var signature: String
  /// The name of the machine, and the day on which it last synced.
  package var label: String?
  package var seen: String?
  /// Lines that make no sense.
  package var passedOver = 0
  /// Why it was left alone.
  package var problem: String?

  package init(name: String, device: String, signature: String) {
    self.name = name
    self.device = device
    self.signature = signature
  }
}

/// One sync: what was done here is stamped, what came from elsewhere is merged, and what counts is applied. Inside one
/// transaction.
struct SyncRun {
  let connection: Connection
  let rules: SyncRules

  func run(_ input: SyncInput) throws(StoreError) -> SyncOutcome {
    var outcome = SyncOutcome()
    let state = SyncStateRows(connection: connection)
    outcome.device = try state.device()
    var podcasts = try SyncPodcasts(connection, rules)
    let before = Set(podcasts.shared.keys)
    var scan = try SyncScan(connection, rules, podcasts)
    try scan.run()
    outcome.stamped = scan.count
    var merge = SyncMerge(connection, rules, podcasts, device: outcome.device)
    try read(input, &merge)
    podcasts = merge.podcasts
    let added = Set(podcasts.shared.keys).subtracting(before)
    let server = input.server.map { ServerPlays(connection: connection, author: $0.author, clock: $0.clock) }
    let reported = try server?.merge(input.server?.plays ?? [], podcasts, now: rules.now) ?? []
    outcome.merged = merge.news
    outcome.added = added.sorted { $0.rawValue < $1.rawValue }
    var apply = SyncApply(connection, rules, podcasts)
    if let key = input.claimKey, let at = try state[key].flatMap({ Int64($0) }) {
      try apply.refuse(SyncApply.Claim(at: at, now: rules.now, added: added))
      // It finds what was refused, as that differs from what is here.
      var scan = try SyncScan(connection, rules, podcasts, leavesUnapplied: true)
      try scan.run()
      outcome.stamped += scan.count
      try state.set(key, to: nil)
    }
    try apply.run()
    try chooseCurrent(heardLast: apply.heardLast, state)
    let applied = reported.filter { $0 != rules.held && !apply.refused.contains($0) }
    try server?.noteApplied(applied)
    outcome.reported = applied.count
    outcome.waiting = Int(try server?.parkedCount() ?? 0)
    if merge.hasForeign, !input.isOwnFileAsLeft {
      outcome.device = try state.takeNewDevice()
      outcome.hasNewDevice = true
    }
    outcome.mustRewrite = try state["rewrite"] != nil
    for (key, value) in input.state { try state.set(key, to: value) }
    // An applied register is no change of this library.
    try state.set("changed", to: "0")
    return outcome
  }

  /// Listening goes on with what was heard last, on whichever machine. While a player holds an episode that is the current
  /// one, and the choice is left to a later sync.
  private func chooseCurrent(
    heardLast new: (id: EpisodeID, at: Int64)?, _ state: SyncStateRows
  ) throws(StoreError) {
    let numbers = try state[SyncStateRows.heardLast]?.split(separator: " ").compactMap { Int64($0) } ?? []
    let old = numbers.count == 2 ? (id: EpisodeID(rawValue: numbers[0]), at: numbers[1]) : nil
    guard let last = [new, old].compactMap(\.self).max(by: { $0.at < $1.at }) else { return }
    guard rules.held == nil else {
      return try state.set(SyncStateRows.heardLast, to: "\(last.id.rawValue) \(last.at)")
    }
    if old != nil { try state.set(SyncStateRows.heardLast, to: nil) }
    try StatusRows(connection: connection).makeCurrent(heardElsewhere: last.id)
  }

  private func read(_ input: SyncInput, _ merge: inout SyncMerge) throws(StoreError) {
    let rows = SyncRegisterRows(connection: connection)
    for group in input.groups {
      try rows.release(group.device)
      try merge.merge(group.lines, holder: group.device)
    }
    try retryParked(&merge)
    guard let files = input.files else { return }
    try connection.execute("DELETE FROM sync_files")
    for file in files {
      try connection.execute(
        """
        INSERT INTO sync_files (name, device, signature, label, seen, passed_over, problem)
        VALUES (\(file.name), \(file.device), \(file.signature), \(file.label), \(file.seen), \(file.passedOver),
          \(file.problem))
        """)
    }
  }

  private func retryParked(_ merge: inout SyncMerge) throws(StoreError) {
    let mark = try ParkedMark(connection)
    guard try !mark.isKept else { return }
    try merge.retryParked()
    try mark.keep()
  }
}

/// Tells whether a podcast, an address or an episode has come since the parked registers were tried last.
struct ParkedMark {
  private let state: SyncStateRows
  private let current: String?

  init(_ connection: Connection) throws(StoreError) {
    state = SyncStateRows(connection: connection)
    current = try connection.first(
      """
      SELECT (SELECT ifnull(max(id), 0) FROM episodes) || ' ' || (SELECT count(*) FROM addresses) || ' '
        || (SELECT count(*) FROM sync_aliases)
      """
    ) { $0.text(0) }
  }

  var isKept: Bool { get throws(StoreError) { try state["parked-mark"] == current } }

  func keep() throws(StoreError) { try state.set("parked-mark", to: current) }
}

/// The registers that stand in no file yet, at a moment: while two are equal, nothing was set in between.
package struct UnwrittenMark: Equatable, Sendable {
  private let text: String?

  init(_ connection: Connection) throws(StoreError) {
    // The low bits of the stamps: the sum of whole ones can be too large.
    text = try connection.first(
      """
      SELECT (SELECT count(*) || ' ' || ifnull(sum(stamp & 0x3FFFFFFF), 0) FROM sync_registers WHERE holder IS NULL)
        || ' ' || (SELECT count(*) || ' ' || ifnull(sum(stamp & 0x3FFFFFFF), 0) FROM sync_parked WHERE holder IS NULL)
        || ' ' || ifnull((SELECT value FROM sync_state WHERE key = 'rewrite'), '')
      """
    ) { $0.text(0) }
  }
}

/// Reads what has yet to be written into this device's file.
struct SyncExport {
  let connection: Connection

  /// Of `all`: everything that stands in no other device's file.
  func lines(all: Bool, device: String, _ rules: SyncRules) throws(StoreError) -> [SyncLine] {
    let podcasts = try SyncPodcasts(connection, rules)
    var episodes = SyncEpisodes(connection: connection)
    let wanted: SQL = all ? "(holder IS NULL OR holder = \(device))" : "holder IS NULL"
    let rows = try connection.rows(
      "SELECT kind, entity, name, stamp, device, value FROM sync_registers WHERE \(wanted) ORDER BY kind DESC, entity, name"
    ) { row in
      (
        kind: row.text(0), id: row.integer(1),
        register: SyncRegister(row.text(2), stamp: row.integer(3), device: row.text(4), value: row.text(5))
      )
    }
    var lines: [SyncLine] = []
    var last: (kind: String, id: Int64)?
    var isKnown = false
    for row in rows {
      if last?.kind != row.kind || last?.id != row.id {
        last = (row.kind, row.id)
        let entity = try entity(row.kind, row.id, podcasts, &episodes)
        isKnown = entity != nil
        if let entity { lines.append(SyncLine(entity, [])) }
      }
      if isKnown { lines[lines.count - 1].registers.append(row.register) }
    }
    return lines + (try parked(wanted, podcasts, rules))
  }

  private func entity(
    _ kind: String, _ id: Int64, _ podcasts: SyncPodcasts, _ episodes: inout SyncEpisodes
  ) throws(StoreError) -> SyncEntity? {
    if kind == SyncRegisterRows.Kind.podcast.rawValue {
      return podcasts.shared[PodcastID(rawValue: id)].map { SyncEntity(podcast: $0.key) }
    }
    guard let traits = try episodes.traits(of: EpisodeID(rawValue: id)), let podcast = podcasts.shared[traits.podcast]
    else { return nil }
    return SyncEntity(podcast: podcast.key, episode: traits.episode)
  }

  /// A podcast may have become private after its lines came.
  private func parked(
    _ wanted: SQL, _ podcasts: SyncPodcasts, _ rules: SyncRules
  ) throws(StoreError) -> [SyncLine] {
    try connection.rows(
      "SELECT entity, name, stamp, device, value FROM sync_parked WHERE \(wanted) ORDER BY entity, name"
    ) { row in
      let register = SyncRegister(row.text(1), stamp: row.integer(2), device: row.text(3), value: row.text(4))
      return JSON(parsing: row.text(0)).flatMap(SyncEntity.init).map { SyncLine($0, [register]) }
    }.compactMap(\.self).filter { !podcasts.hides($0, rules) }
  }
}
