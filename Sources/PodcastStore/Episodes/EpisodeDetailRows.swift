internal import PodcastModel

/// Reads everything that is stored of an episode's feed item.
struct EpisodeDetailRows {
  let connection: Connection

  func read(of id: EpisodeID) throws(StoreError) -> EpisodeDetails? {
    guard let entry = try EpisodeLists(connection: connection).episode(id) else { return nil }
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
    details.chapters = try ChapterRows(connection: connection).read(of: id)
    details.transcripts = try transcriptLinks(of: id)
    details.alternateEnclosures = try alternateEnclosures(of: id)
    details.persons = try persons(of: id)
    return details
  }

  func transcriptLinks(of id: EpisodeID) throws(StoreError) -> [TranscriptLink] {
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
}
