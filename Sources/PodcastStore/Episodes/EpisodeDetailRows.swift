internal import PodcastModel
internal import Text

/// Reads everything that is stored of a feed's episode.
struct EpisodeDetailRows {
  let connection: Connection

  func read(of id: EpisodeID) throws(StoreError) -> EpisodeDetails? {
    guard let entry = try EpisodeLists(connection: connection).episode(id) else { return nil }
    var details = EpisodeDetails(entry: entry)
    let columns = SQL(text: EpisodeColumn.ofDetails.map(\.name).joined(separator: ", "))
    try connection.forEachRow("SELECT \(columns) FROM episode_details WHERE episode_id = \(id)") { row in
      for (index, column) in EpisodeColumn.ofDetails.enumerated() {
        if case .details(let read) = column.read { read(row, Int32(index), &details) }
      }
    }
    details.linkBase = try linkBase(of: entry)
    details.chapters = try ChapterRows(connection: connection).read(of: id)
    details.transcripts = try EpisodeParts.transcripts.read(of: id, connection)
    details.alternateEnclosures = try EpisodeParts.renditions.read(of: id, connection)
    details.persons = try EpisodeParts.persons.read(of: id, connection)
    let sources = DocumentSourceRows(connection: connection)
    details.chaptersSource = try sources.url(.chapters, of: id)
    details.transcriptSource = try sources.url(.transcript, of: id)
    details.isTranscriptMadeHere = try TranscriptionRows(connection: connection).isMade(id)
    return details
  }

  /// The episode's page, or else the podcast's. Relative ones of a private feed were resolved against the feed's address,
  /// which is secret; nor is an address with a user a base.
  private func linkBase(of entry: EpisodeEntry) throws(StoreError) -> String? {
    let link = try connection.first(
      "SELECT ifnull(link, '') FROM podcasts WHERE id = \(entry.podcast.id) AND is_private = 0"
    ) { $0.text(0) }
    guard let link else { return nil }
    return [entry.episode.link, link].compactMap(\.self).first { WebURL($0).authority?.contains("@") == false }
  }
}
