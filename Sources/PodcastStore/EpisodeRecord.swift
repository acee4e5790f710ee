internal import PodcastModel

/// An episode of a feed on its way into the rows that keep it.
struct EpisodeRecord {
  let guid: String
  private let title: String
  private let episode: FeedEpisode
  private let contentHash: Int64

  init(_ episode: FeedEpisode, contentHash: Int64) {
    self.episode = episode
    self.contentHash = contentHash
    guid = Self.guid(of: episode)
    title = Self.title(of: episode)
  }

  /// What stands for a guid where the publisher gives none.
  static func guid(of episode: FeedEpisode) -> String {
    if let guid = episode.guid, !guid.isEmpty { return guid }
    if let url = episode.enclosure?.url ?? episode.link { return url }
    return "untitled:"
      + String(
        UInt64(bitPattern: ContentHash.of("\(title(of: episode)) \(episode.publishedAt?.seconds ?? 0)")), radix: 16)
  }

  static func title(of episode: FeedEpisode) -> String {
    if let title = episode.title, !title.isEmpty { return title }
    return episode.subtitle ?? episode.guid ?? "Untitled"
  }

  static func duration(of episode: FeedEpisode) -> Duration? {
    episode.duration.flatMap { Duration(validSeconds: $0) }
  }

  private var duration: Duration? { Self.duration(of: episode) }

  private var listedChapters: Int? {
    episode.inlineChapters.isEmpty ? nil : episode.inlineChapters.count(where: \.isListed)
  }

  func insertion(into podcast: PodcastID, twin: Int64, isNew: Bool, at now: Timestamp) -> SQL {
    """
    INSERT INTO episodes (podcast_id, listed_at, is_listed, is_new, has_transcript, chapter_count, published_at, duration,
      season, episode, episode_type, is_explicit, guid, twin, title, link, image,
      enclosure_url, enclosure_type, enclosure_length, enclosure_hash, content_hash, added_at)
    VALUES (\(podcast), \(episode.publishedAt?.seconds ?? 0),
      (SELECT is_subscribed FROM podcasts WHERE id = \(podcast)), \(isNew),
      \(!episode.transcripts.isEmpty), \(listedChapters), \(episode.publishedAt), \(duration),
      \(episode.season), \(episode.episode), \(episode.episodeType), \(episode.isExplicit), \(guid), \(twin),
      \(title), \(episode.link), \(episode.image),
      \(episode.enclosure?.url), \(episode.enclosure?.type), \(episode.enclosure?.length),
      \(episode.enclosure.map { ContentHash.of($0.url) }), \(contentHash), \(now))
    """
  }

  /// What was fetched beside the feed, chapters and transcripts, stays when the feed says nothing of them.
  func update(_ id: EpisodeID, twin: Int64) -> SQL {
    """
    UPDATE episodes SET listed_at = \(episode.publishedAt?.seconds ?? 0),
      has_transcript = max(\(!episode.transcripts.isEmpty), EXISTS (SELECT 1 FROM transcripts WHERE episode_id = \(id))),
      chapter_count = ifnull(\(listedChapters), chapter_count),
      published_at = \(episode.publishedAt), duration = \(duration),
      season = \(episode.season), episode = \(episode.episode), episode_type = \(episode.episodeType),
      is_explicit = \(episode.isExplicit), guid = \(guid), twin = \(twin), title = \(title), link = \(episode.link),
      image = \(episode.image), enclosure_url = \(episode.enclosure?.url), enclosure_type = \(episode.enclosure?.type),
      enclosure_length = \(episode.enclosure?.length),
      enclosure_hash = \(episode.enclosure.map { ContentHash.of($0.url) }), content_hash = \(contentHash)
    WHERE id = \(id)
    """
  }

  /// The rows beside the main one.
  func writeParts(of id: EpisodeID, replacing: Bool, _ connection: Connection) throws(StoreError) {
    if replacing { try removeParts(of: id, connection) }
    try connection.execute(
      """
      INSERT INTO episode_details (episode_id, notes, summary, subtitle, author, updated_at, chapters_url, chapters_type)
      VALUES (\(id), \(episode.notes), \(distinctSummary), \(episode.subtitle), \(episode.author), \(episode.updatedAt),
        \(episode.chapters?.url), \(episode.chapters?.type))
      """)
    try writeTranscriptLinks(of: id, connection)
    try writeRenditions(of: id, connection)
    try writePersons(of: id, connection)
    if !episode.inlineChapters.isEmpty { try ChapterRows.replace(episode.inlineChapters, of: id, connection) }
    if replacing { try connection.execute("INSERT OR IGNORE INTO search_queue (episode_id) VALUES (\(id))") }
  }

  private func removeParts(of id: EpisodeID, _ connection: Connection) throws(StoreError) {
    try connection.execute("DELETE FROM episode_details WHERE episode_id = \(id)")
    try connection.execute("DELETE FROM transcript_links WHERE episode_id = \(id)")
    try connection.execute("DELETE FROM renditions WHERE episode_id = \(id)")
    try connection.execute("DELETE FROM persons WHERE episode_id = \(id)")
  }

  /// Most feeds repeat their notes here.
  private var distinctSummary: String? {
    let summary = episode.description ?? episode.summary
    return summary == episode.notes ? nil : summary
  }

  private func writeTranscriptLinks(of id: EpisodeID, _ connection: Connection) throws(StoreError) {
    for (place, link) in episode.transcripts.enumerated() {
      try connection.execute(
        """
        INSERT INTO transcript_links (episode_id, place, url, type, language, relation)
        VALUES (\(id), \(place), \(link.url), \(link.type), \(link.language), \(link.relation))
        """)
    }
  }

  private func writeRenditions(of id: EpisodeID, _ connection: Connection) throws(StoreError) {
    for (place, other) in episode.alternateEnclosures.enumerated() {
      guard let source = other.sources.first else { continue }
      try connection.execute(
        """
        INSERT INTO renditions (episode_id, place, url, type, length, bitrate, height, language, title)
        VALUES (\(id), \(place), \(source.uri), \(source.contentType ?? other.type), \(other.length), \(other.bitrate),
          \(other.height), \(other.language), \(other.title))
        """)
    }
  }

  private func writePersons(of id: EpisodeID, _ connection: Connection) throws(StoreError) {
    for (place, person) in episode.persons.enumerated() {
      try connection.execute(
        """
        INSERT INTO persons (episode_id, place, name, role, image, link)
        VALUES (\(id), \(place), \(person.name), \(person.role), \(person.image), \(person.link))
        """)
    }
  }
}

/// An episode's chapters, from the feed or from a document of their own.
enum ChapterRows {
  static func replace(_ chapters: [Chapter], of id: EpisodeID, _ connection: Connection) throws(StoreError) {
    try connection.execute("DELETE FROM chapters WHERE episode_id = \(id)")
    for (place, chapter) in chapters.enumerated() {
      try connection.execute(
        """
        INSERT INTO chapters (episode_id, place, start, end, title, link, image, is_listed)
        VALUES (\(id), \(place), \(Duration(validSeconds: chapter.start) ?? .zero),
          \(chapter.end.flatMap { Duration(validSeconds: $0) }), \(chapter.title), \(chapter.link), \(chapter.image),
          \(chapter.isListed))
        """)
    }
  }
}
