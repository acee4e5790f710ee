internal import PodcastModel

/// Writes episodes of feeds into the rows that keep them. Its statements last for a whole merge.
struct EpisodeWriter {
  private let connection: Connection
  private let episodes, changes, details, transcripts, renditions, persons: RowWriter

  init(_ connection: Connection) throws(StoreError) {
    self.connection = connection
    episodes = try RowWriter(Self.insertion, connection)
    changes = try RowWriter(Self.update, connection)
    details = try RowWriter(Self.detailsInsertion, connection)
    transcripts = try RowWriter(
      "INSERT INTO transcript_links (episode_id, place, url, type, language, relation) VALUES (?, ?, ?, ?, ?, ?)",
      connection)
    renditions = try RowWriter(
      """
      INSERT INTO renditions (episode_id, place, url, type, length, bitrate, height, language, title)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, connection)
    persons = try RowWriter(
      "INSERT INTO persons (episode_id, place, name, role, image, link) VALUES (?, ?, ?, ?, ?, ?)", connection)
  }

  /// The columns of a new episode that do not come from the feed.
  struct Owner {
    var podcast: PodcastID
    var isListed: Bool
    var isNew: Bool
    var addedAt: Timestamp
  }

  private static let insertion = """
    INSERT INTO episodes (podcast_id, is_listed, is_new, added_at, listed_at, published_at, duration, season, episode,
      episode_type, is_explicit, guid, twin, title, link, image, enclosure_url, enclosure_type, enclosure_length,
      enclosure_hash, content_hash, has_transcript, chapter_count)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  func insert(
    _ episode: borrowing FeedEpisode, _ names: EpisodeNames, twin: Int64, hash: Int64, of owner: Owner
  ) throws(StoreError) -> EpisodeID {
    try episodes.write { values in
      values.add(owner.podcast)
      values.add(owner.isListed)
      values.add(owner.isNew)
      values.add(owner.addedAt)
      Self.bind(episode, names, twin, hash, &values)
    }
    let id = EpisodeID(rawValue: connection.lastInsertedID)
    try writeParts(episode, of: id)
    return id
  }

  /// What was fetched beside the feed, chapters and transcripts, stays when the feed says nothing of them.
  private static let update = """
    UPDATE episodes SET listed_at = ?2, published_at = ?3, duration = ?4, season = ?5, episode = ?6, episode_type = ?7,
      is_explicit = ?8, guid = ?9, twin = ?10, title = ?11, link = ?12, image = ?13, enclosure_url = ?14,
      enclosure_type = ?15, enclosure_length = ?16, enclosure_hash = ?17, content_hash = ?18,
      has_transcript = max(?19, EXISTS (SELECT 1 FROM transcripts WHERE episode_id = ?1)),
      chapter_count = ifnull(?20, chapter_count)
    WHERE id = ?1
    """

  func update(
    _ id: EpisodeID, to episode: borrowing FeedEpisode, _ names: EpisodeNames, twin: Int64, hash: Int64
  ) throws(StoreError) {
    try changes.write { values in
      values.add(id)
      Self.bind(episode, names, twin, hash, &values)
    }
    try removeParts(of: id)
    try writeParts(episode, of: id)
    try connection.execute("INSERT OR IGNORE INTO search_queue (episode_id) VALUES (\(id))")
  }

  /// What both statements say, in the order of both.
  private static func bind(
    _ episode: borrowing FeedEpisode, _ names: EpisodeNames, _ twin: Int64, _ hash: Int64,
    _ values: inout Statement.Values
  ) {
    values.add(episode.publishedAt?.seconds ?? 0)
    values.add(episode.publishedAt)
    values.add(names.duration)
    values.add(episode.season)
    values.add(episode.episode)
    values.add(episode.episodeType)
    values.add(episode.isExplicit)
    values.add(names.guid)
    values.add(twin)
    values.add(names.title)
    values.add(episode.link)
    values.add(episode.image)
    let enclosure = episode.enclosure
    values.add(enclosure?.url)
    values.add(enclosure?.type)
    values.add(enclosure?.length)
    values.add(enclosure.map { ContentHash.of($0.url) })
    values.add(hash)
    values.add(!episode.transcripts.isEmpty)
    values.add(listedChapters(episode))
  }

  private static func listedChapters(_ episode: borrowing FeedEpisode) -> Int64? {
    let chapters = episode.inlineChapters
    return chapters.isEmpty ? nil : Int64(chapters.count(where: \.isListed))
  }

  // MARK: The rows beside the main one

  private static let detailsInsertion = """
    INSERT INTO episode_details (episode_id, notes, summary, subtitle, author, updated_at, chapters_url, chapters_type)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    """

  private func writeParts(_ episode: borrowing FeedEpisode, of id: EpisodeID) throws(StoreError) {
    let notes = episode.notes
    let summary = episode.description ?? episode.summary
    try details.write { values in
      values.add(id)
      values.add(notes)
      // Most feeds repeat their notes here.
      values.add(summary == notes ? nil : summary)
      values.add(episode.subtitle)
      values.add(episode.author)
      values.add(episode.updatedAt)
      values.add(episode.chapters?.url)
      values.add(episode.chapters?.type)
    }
    try write(episode.transcripts, of: id)
    try write(episode.alternateEnclosures, of: id)
    try write(episode.persons, of: id)
    let chapters = episode.inlineChapters
    if !chapters.isEmpty { try ChapterRows(connection: connection).replace(chapters, of: id) }
  }

  private func removeParts(of id: EpisodeID) throws(StoreError) {
    try connection.execute("DELETE FROM episode_details WHERE episode_id = \(id)")
    try connection.execute("DELETE FROM transcript_links WHERE episode_id = \(id)")
    try connection.execute("DELETE FROM renditions WHERE episode_id = \(id)")
    try connection.execute("DELETE FROM persons WHERE episode_id = \(id)")
  }

  private func write(_ links: [TranscriptLink], of id: EpisodeID) throws(StoreError) {
    try transcripts.write(links, of: id) { link, values in
      values.add(link.url)
      values.add(link.type)
      values.add(link.language)
      values.add(link.relation)
    }
  }

  private func write(_ others: [AlternateEnclosure], of id: EpisodeID) throws(StoreError) {
    try renditions.write(others.filter { !$0.sources.isEmpty }, of: id) { other, values in
      let source = other.sources[0]
      values.add(source.uri)
      values.add(source.contentType ?? other.type)
      values.add(other.length)
      values.add(other.bitrate)
      values.add(other.height)
      values.add(other.language)
      values.add(other.title)
    }
  }

  private func write(_ people: [Person], of id: EpisodeID) throws(StoreError) {
    try persons.write(people, of: id) { person, values in
      values.add(person.name)
      values.add(person.role)
      values.add(person.image)
      values.add(person.link)
    }
  }
}

extension RowWriter {
  /// A row for each part of an episode, in their order.
  fileprivate func write<Part>(
    _ parts: [Part], of id: EpisodeID, _ bind: (Part, inout Statement.Values) -> Void
  ) throws(StoreError) {
    for (index, part) in parts.enumerated() {
      try write { values in
        values.add(id)
        values.add(index)
        bind(part, &values)
      }
    }
  }
}
