package import PodcastModel

extension PodcastStore {
  package func details(of id: EpisodeID) throws(StoreError) -> EpisodeDetails? {
    guard let entry = try episode(id) else { return nil }
    var details = EpisodeDetails(entry: entry)
    try connection.forEachRow(
      """
      SELECT notes, summary, subtitle, author, updated_at, chapters_url, chapters_type FROM episode_details
      WHERE episode_id = \(id)
      """
    ) { row in
      details.notes = row.optionalText(0)
      details.summary = row.optionalText(1)
      details.subtitle = row.optionalText(2)
      details.author = row.optionalText(3)
      details.updatedAt = row.optionalTime(4)
      details.chaptersLink = row.optionalText(5).map { ChaptersLink(url: $0, type: row.optionalText(6)) }
    }
    details.chapters = try chapters(of: id)
    details.transcripts = try transcriptLinks(of: id)
    details.alternateEnclosures = try alternateEnclosures(of: id)
    details.persons = try persons(of: id)
    details.bookmarks = try bookmarks(of: id)
    return details
  }

  package func transcriptLinks(of id: EpisodeID) throws(StoreError) -> [TranscriptLink] {
    try connection.rows(
      "SELECT url, type, language, relation FROM transcript_links WHERE episode_id = \(id) ORDER BY place"
    ) { row in
      var link = TranscriptLink(url: row.text(0))
      link.type = row.optionalText(1)
      link.language = row.optionalText(2)
      link.relation = row.optionalText(3)
      return link
    }
  }

  private func alternateEnclosures(of id: EpisodeID) throws(StoreError) -> [AlternateEnclosure] {
    try connection.rows(
      """
      SELECT url, type, length, bitrate, height, language, title FROM renditions WHERE episode_id = \(id)
      ORDER BY place
      """
    ) { row in
      var other = AlternateEnclosure()
      other.sources = [AlternateEnclosure.Source(uri: row.text(0), contentType: row.optionalText(1))]
      other.type = row.optionalText(1)
      other.length = row.optionalInteger(2)
      other.bitrate = row.optionalReal(3)
      other.height = row.optionalInteger(4).map { Int($0) }
      other.language = row.optionalText(5)
      other.title = row.optionalText(6)
      return other
    }
  }

  private func persons(of id: EpisodeID) throws(StoreError) -> [Person] {
    try connection.rows("SELECT name, role, image, link FROM persons WHERE episode_id = \(id) ORDER BY place") { row in
      var person = Person(name: row.text(0))
      person.role = row.text(1)
      person.image = row.optionalText(2)
      person.link = row.optionalText(3)
      return person
    }
  }

  package func details(of podcast: PodcastID) throws(StoreError) -> PodcastDetails? {
    guard let entry = try self.podcast(podcast) else { return nil }
    var details = PodcastDetails(entry: entry)
    try connection.forEachRow(
      """
      SELECT d.description, d.subtitle, d.copyright, d.owner_name, d.owner_email, d.categories, d.feed_guid, d.medium,
        d.is_complete, p.language, p.type, p.is_explicit
      FROM podcasts p JOIN podcast_details d ON d.podcast_id = p.id WHERE p.id = \(podcast)
      """
    ) { row in
      details.description = row.optionalText(0)
      details.subtitle = row.optionalText(1)
      details.copyright = row.optionalText(2)
      details.ownerName = row.optionalText(3)
      details.ownerEmail = row.optionalText(4)
      details.categories = row.text(5).split(separator: "\n").map(String.init)
      details.guid = row.optionalText(6)
      details.medium = row.optionalText(7)
      details.isComplete = row.optionalFlag(8)
      details.language = row.optionalText(9)
      details.type = row.optionalText(10)
      details.isExplicit = row.optionalFlag(11)
    }
    details.fundings = try connection.rows(
      "SELECT url, text FROM fundings WHERE podcast_id = \(podcast) ORDER BY place"
    ) { Funding(url: $0.text(0), text: $0.optionalText(1)) }
    details.tags = try tags(of: podcast)
    details.settings = try settings(of: podcast)
    return details
  }
}
