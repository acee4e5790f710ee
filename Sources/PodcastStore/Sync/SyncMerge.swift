internal import PodcastModel
internal import Text

/// Merges lines of elsewhere into the registers: those of podcasts first, as they say under which keys the others know
/// them. Lines whose podcast or episode is not here are parked. Inside a transaction.
struct SyncMerge {
  let connection: Connection
  let rules: SyncRules
  private(set) var podcasts: SyncPodcasts
  private var episodes: SyncEpisodes
  private let rows: SyncRegisterRows
  /// Guids that several lines have: they were copied from one feed to another, and name none of them.
  private var copiedGUIDs: Set<String> = []
  /// Keys that were looked for in vain.
  private var unknown: Set<String> = []
  private let device: String
  /// Registers that count from now on.
  private(set) var news = 0
  /// Registers under our own id that we do not know: this library was restored, or cloned.
  private(set) var hasForeign = false

  init(_ connection: Connection, _ rules: SyncRules, _ podcasts: SyncPodcasts, device: String) {
    self.connection = connection
    self.rules = rules
    self.podcasts = podcasts
    self.device = device
    episodes = SyncEpisodes(connection: connection)
    rows = SyncRegisterRows(connection: connection)
  }

  /// `holder`: the device whose files these lines are.
  mutating func merge(_ lines: [SyncLine], holder: String) throws(StoreError) {
    let guids = lines.compactMap { $0.entity.episode == nil ? $0.identity?.guid : nil }
    copiedGUIDs.formUnion(Dictionary(grouping: guids, by: \.self).filter { $1.count > 1 }.keys)
    for line in lines where line.entity.episode == nil { try mergePodcast(line, holder) }
    try addPodcasts()
    var doubtful: [(line: SyncLine, podcast: PodcastID, episode: EpisodeID)] = []
    for line in lines {
      guard let episode = line.entity.episode else { continue }
      guard let podcast = try podcast(line.entity.podcast) else {
        try park(line, holder)
        continue
      }
      guard !podcasts.hidden.contains(podcast) else { continue }
      switch try episodes.find(episode, in: podcast) {
      case .episode(let id): try put(line, id, holder)
      case .guidAlone(let id): doubtful.append((line, podcast, id))
      case .nothing: try park(line, holder)
      }
    }
    for (line, podcast, id) in doubtful {
      if episodes.isNamedByGUID(in: podcast) {
        try put(line, id, holder)
      } else {
        try park(line, holder, isKnown: true)
      }
    }
  }

  private func find(_ key: String, _ identity: SyncIdentity?) -> PodcastID? {
    let guid = identity?.guid.flatMap { copiedGUIDs.contains($0) ? nil : $0 }
    let addresses = identity?.addresses ?? []
    return podcasts.find(key, addresses: addresses + addresses.flatMap(rules.covers), guid: guid)
  }

  /// Also one that is private here.
  private mutating func podcast(_ key: String) throws(StoreError) -> PodcastID? {
    if let known = podcasts.find(key) { return known }
    guard !podcasts.hidden.isEmpty, !unknown.contains(key), !rules.isSecret("https://" + key) else { return nil }
    guard let covered = podcasts.find(key, addresses: rules.covers("https://" + key)) else {
      unknown.insert(key)
      return nil
    }
    try podcasts.learn(key, covered, connection)
    return covered
  }

  private mutating func mergePodcast(_ line: SyncLine, _ holder: String?) throws(StoreError) {
    let identity = line.identity
    // Nothing may carry an address with a secret on to others.
    guard !(identity?.addresses.contains(where: rules.isSecret) ?? false) else { return }
    guard let id = find(line.entity.podcast, identity) else { return try park(line, holder) }
    try podcasts.learn(line.entity.podcast, id, connection)
    guard !podcasts.hidden.contains(id) else { return }
    for register in line.registers { try put(register, .podcast(id, register.name), holder) }
  }

  private mutating func put(_ line: SyncLine, _ id: EpisodeID, _ holder: String?) throws(StoreError) {
    for register in line.registers { try put(register, .episode(id, register.name), holder) }
  }

  private mutating func put(
    _ register: SyncRegister, _ key: SyncRegisterRows.Key, _ holder: String?, wasParked: Bool = false
  ) throws(StoreError) {
    let known = try rows.read(key)
    if key.name == "play", let known { try noteFurther(register, known, EpisodeID(rawValue: key.id)) }
    guard try rows.merge(register, key, over: known, holder: holder) else { return }
    news += 1
    // A value that is known here comes back with another time from a machine that told a server of it.
    let isKnown = known?.register.value == register.value
    if register.device == device, !wasParked, !isKnown { hasForeign = true }
  }

  /// `isKnown`: its registers may be here under another guid.
  private mutating func park(_ line: SyncLine, _ holder: String?, isKnown: Bool = false) throws(StoreError) {
    guard !rules.isSecret("https://" + line.entity.podcast) else { return }
    let entity = line.entity.text
    for register in line.registers where try rows.park(register, entity, holder: holder) {
      if register.device == device, !isKnown { hasForeign = true }
    }
  }

  // MARK: Podcasts that are followed elsewhere

  /// Follows them here; the next refresh fetches their feeds.
  private mutating func addPodcasts() throws(StoreError) {
    let followed = try connection.rows(
      "SELECT entity, stamp FROM sync_parked WHERE name = 'sub' AND value = '1' ORDER BY stamp, entity"
    ) { (entity: $0.text(0), stamp: $0.integer(1)) }
    for (entity, stamp) in followed {
      guard let key = JSON(parsing: entity).flatMap(SyncEntity.init)?.podcast,
        let value = try rows.parked(entity, "is").flatMap({ JSON(parsing: $0.value) })
      else { continue }
      let identity = SyncIdentity(value)
      guard let url = identity.url, !identity.addresses.contains(where: rules.isSecret) else { continue }
      if let known = find(key, identity) {
        try podcasts.learn(key, known, connection)
      } else {
        try add(identity, at: url, key, followedAt: Timestamp(seconds: min(stamp / 1000, rules.now / 1000)))
      }
      try unpark(entity, key)
    }
  }

  private mutating func add(
    _ identity: SyncIdentity, at url: String, _ key: String, followedAt: Timestamp
  ) throws(StoreError) {
    let rows = SubscriptionRows(connection: connection)
    let id = try rows.addUnfetched(url, title: identity.title, otherAddresses: identity.others, followedAt)
    podcasts.add(
      SyncPodcasts.Podcast(
        id: id, url: url, others: identity.others, guid: identity.guid, title: identity.title ?? "",
        isSubscribed: true, changedAt: followedAt))
    for address in identity.addresses { try podcasts.learn(SyncAddress.key(address), id, connection) }
    try podcasts.learn(key, id, connection)
  }

  private mutating func unpark(_ entity: String, _ key: String) throws(StoreError) {
    guard let id = podcasts.find(key), !podcasts.hidden.contains(id) else { return }
    for (register, holder) in try rows.unpark(entity) {
      try put(register, .podcast(id, register.name), holder, wasParked: true)
    }
  }

  // MARK: Parked lines

  /// Puts the parked registers whose podcast or episode has come.
  mutating func retryParked() throws(StoreError) {
    try addPodcasts()
    var doubtful: [(text: String, podcast: PodcastID, episode: EpisodeID)] = []
    for text in try rows.parkedEntities() {
      guard let entity = JSON(parsing: text).flatMap(SyncEntity.init), let podcast = try podcast(entity.podcast)
      else { continue }
      if podcasts.hidden.contains(podcast) {
        // They may stand in this device's file.
        _ = try rows.unpark(text)
        try SyncStateRows(connection: connection).set("rewrite", to: String(rules.now))
        continue
      }
      guard let episode = entity.episode else {
        try unpark(text, entity.podcast)
        continue
      }
      switch try episodes.find(episode, in: podcast) {
      case .episode(let id): try unpark(text, id)
      case .guidAlone(let id): doubtful.append((text, podcast, id))
      case .nothing: break
      }
    }
    for (text, podcast, id) in doubtful where episodes.isNamedByGUID(in: podcast) { try unpark(text, id) }
  }

  private mutating func unpark(_ text: String, _ id: EpisodeID) throws(StoreError) {
    for (register, holder) in try rows.unpark(text) {
      try put(register, .episode(id, register.name), holder, wasParked: true)
    }
  }

  // MARK: Heard further elsewhere

  /// Remembers where the loser of two listenings was that did not know of each other, if it was more than a minute
  /// further. A listening of ours that others may have known says nothing, nor does one of theirs that is old.
  private func noteFurther(
    _ new: SyncRegister, _ known: SyncRegisterRows.Row, _ episode: EpisodeID
  ) throws(StoreError) {
    guard !new.isIdentical(to: known.register) else { return }
    let wins = new.beats(known.register)
    let (loser, winner) = wins ? (known.register, new) : (new, known.register)
    guard loser.device != winner.device, let lost = JSON(parsing: loser.value), let won = JSON(parsing: winner.value),
      won["done"]?.int == 0, lost["done"]?.int == 0, let further = lost["pos"]?.int,
      further > (won["pos"]?.int ?? 0) + 60_000, try isConcurrent(loser, lostHere: wins)
    else { return }
    try connection.execute(
      """
      INSERT OR REPLACE INTO sync_further (episode_id, device, position)
      VALUES (\(episode), \(loser.device), \(further))
      """)
  }

  private func isConcurrent(_ loser: SyncRegister, lostHere: Bool) throws(StoreError) -> Bool {
    let last = try SyncStateRows(connection: connection)["last-sync"].flatMap { Int64($0) } ?? 0
    return loser.stamp >= last * 1000 && (!lostHere || loser.device == device)
  }
}

/// The addresses and names in the value of a podcast's `is`.
struct SyncIdentity {
  var url: String?
  var others: [String]
  var guid: String?
  var title: String?

  init(_ value: JSON) {
    url = value["url"]?.text
    others = (value["was"]?.elements ?? []).compactMap(\.text)
    guid = value["guid"]?.text
    title = value["title"]?.text.flatMap { $0.isEmpty ? nil : $0 }
  }

  var addresses: [String] { (url.map { [$0] } ?? []) + others }
}
