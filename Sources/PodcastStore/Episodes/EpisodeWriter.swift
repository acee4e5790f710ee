internal import PodcastModel

/// Writes episodes of feeds. Its statements are compiled once for a whole merge.
struct EpisodeWriter {
  private let connection: Connection
  private let insertion, update, details, transcripts, renditions, persons: RowWriter

  init(_ connection: Connection) throws(StoreError) {
    self.connection = connection
    insertion = try RowWriter(Self.insertionText, connection)
    update = try RowWriter(Self.updateText, connection)
    details = try RowWriter(Self.detailsText, connection)
    transcripts = try RowWriter(EpisodeParts.transcripts.insertion, connection)
    renditions = try RowWriter(EpisodeParts.renditions.insertion, connection)
    persons = try RowWriter(EpisodeParts.persons.insertion, connection)
  }

  /// The columns of a new episode that do not come from the feed.
  struct Owner {
    var podcast: PodcastID
    var isListed: Bool
    var isNew: Bool
    var addedAt: Timestamp

    static let columns = ["podcast_id", "is_listed", "is_new", "added_at"]

    func bind(_ values: inout Statement.Values) {
      values.add(podcast)
      values.add(isListed)
      values.add(isNew)
      values.add(addedAt)
    }
  }

  private static let insertionText = insertion(
    into: "episodes", Owner.columns + EpisodeColumn.ofEpisodes.map(\.name))

  private static let detailsText = insertion(
    into: "episode_details", ["episode_id"] + EpisodeColumn.ofDetails.map(\.name))

  private static func insertion(into table: String, _ columns: [String]) -> String {
    let parameters = repeatElement("?", count: columns.count).joined(separator: ", ")
    return "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(parameters))"
  }

  private static let updateText: String = {
    let changes = EpisodeColumn.ofEpisodes.enumerated().map { index, column in
      column.name + " = " + column.updated("?\(index + 2)")
    }
    return "UPDATE episodes SET \(changes.joined(separator: ", ")) WHERE id = ?1"
  }()

  func insert(
    _ episode: borrowing FeedEpisode, _ names: EpisodeNames, of owner: Owner
  ) throws(StoreError) -> EpisodeID {
    try insertion.write { values in
      owner.bind(&values)
      for bind in EpisodeColumn.episodeBinders { bind(episode, names, &values) }
    }
    let id = EpisodeID(rawValue: connection.lastInsertedID)
    try writeParts(episode, names, of: id)
    return id
  }

  func update(
    _ id: EpisodeID, to episode: borrowing FeedEpisode, _ names: EpisodeNames
  ) throws(StoreError) {
    try SearchIndex(connection: connection).withdraw(id)
    try update.write { values in
      values.add(id)
      for bind in EpisodeColumn.episodeBinders { bind(episode, names, &values) }
    }
    try removeParts(of: id)
    try writeParts(episode, names, of: id)
  }

  private func writeParts(
    _ episode: borrowing FeedEpisode, _ names: EpisodeNames, of id: EpisodeID
  ) throws(StoreError) {
    try details.write { values in
      values.add(id)
      for bind in EpisodeColumn.detailsBinders { bind(episode, names, &values) }
    }
    try EpisodeParts.transcripts.write(episode.transcripts, of: id, transcripts)
    try EpisodeParts.renditions.write(
      episode.alternateEnclosures.filter { !$0.sources.isEmpty }, of: id, renditions)
    try EpisodeParts.persons.write(episode.persons, of: id, persons)
    let chapters = episode.inlineChapters
    guard !chapters.isEmpty else { return }
    try ChapterRows(connection: connection).replace(chapters, of: id)
    try DocumentSourceRows(connection: connection).set(nil, .chapters, of: id)
  }

  private func removeParts(of id: EpisodeID) throws(StoreError) {
    try connection.execute("DELETE FROM episode_details WHERE episode_id = \(id)")
    try EpisodeParts.transcripts.remove(of: id, connection)
    try EpisodeParts.renditions.remove(of: id, connection)
    try EpisodeParts.persons.remove(of: id, connection)
  }
}
