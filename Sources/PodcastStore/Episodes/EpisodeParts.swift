internal import PodcastModel

/// A table with one row for each part of an episode, such as a person, in the order of the feed.
final class EpisodePartTable<Part: Sendable>: Sendable {
  let name: String
  let columns: [String]
  /// Binds the columns of a part, in their order.
  let bind: @Sendable (Part, inout Statement.Values) -> Void
  /// Adds a part to the episode's content hash.
  let hash: @Sendable (Part, inout ContentHash) -> Void
  let read: @Sendable (Statement.Row) -> Part

  init(
    name: String, columns: [String], bind: @escaping @Sendable (Part, inout Statement.Values) -> Void,
    hash: @escaping @Sendable (Part, inout ContentHash) -> Void, read: @escaping @Sendable (Statement.Row) -> Part
  ) {
    self.name = name
    self.columns = columns
    self.bind = bind
    self.hash = hash
    self.read = read
  }

  var insertion: String {
    let parameters = repeatElement("?", count: columns.count + 2).joined(separator: ", ")
    return "INSERT INTO \(name) (episode_id, place, \(columns.joined(separator: ", "))) VALUES (\(parameters))"
  }

  func read(of id: EpisodeID, _ connection: Connection) throws(StoreError) -> [Part] {
    let columns = SQL(text: columns.joined(separator: ", "))
    return try connection.rows(
      "SELECT \(columns) FROM \(SQL(text: name)) WHERE episode_id = \(id) ORDER BY place"
    ) { read($0) }
  }

  func write(_ parts: [Part], of id: EpisodeID, _ writer: RowWriter) throws(StoreError) {
    for (index, part) in parts.enumerated() {
      try writer.write { values in
        values.add(id)
        values.add(index)
        bind(part, &values)
      }
    }
  }

  func remove(of id: EpisodeID, _ connection: Connection) throws(StoreError) {
    try connection.execute("DELETE FROM \(SQL(text: name)) WHERE episode_id = \(id)")
  }

  func hash(_ parts: [Part], into hash: inout ContentHash) {
    for part in parts { self.hash(part, &hash) }
  }
}

/// The parts of an episode that the feed gives, apart from chapters (`ChapterRows`).
enum EpisodeParts {
  static let transcripts = EpisodePartTable<TranscriptLink>(
    name: "transcript_links", columns: ["url", "type", "language", "relation"],
    bind: { link, values in
      for text in [link.url, link.type, link.language, link.relation] { values.add(text) }
    },
    hash: { link, hash in
      for text in [link.url, link.type, link.language, link.relation] { hash.add(text) }
    },
    read: { row in
      var link = TranscriptLink(url: row.text(0))
      link.type = row.optionalText(1)
      link.language = row.optionalText(2)
      link.relation = row.optionalText(3)
      return link
    })

  static let persons = EpisodePartTable<Person>(
    name: "persons", columns: ["name", "role", "image", "link"],
    bind: { person, values in
      for text in [person.name, person.role, person.image, person.link] { values.add(text) }
    },
    hash: { person, hash in
      for text in [person.name, person.role, person.image, person.link] { hash.add(text) }
    },
    read: { row in
      var person = Person(name: row.text(0))
      person.role = row.text(1)
      person.image = row.optionalText(2)
      person.link = row.optionalText(3)
      return person
    })

  /// Alternative enclosures; those without a source are not written.
  static let renditions = EpisodePartTable<AlternateEnclosure>(
    name: "renditions", columns: ["url", "type", "length", "bitrate", "height", "language", "title"],
    bind: { rendition, values in
      let source = rendition.sources.first
      values.add(source?.uri)
      values.add(source?.contentType ?? rendition.type)
      values.add(rendition.length)
      values.add(rendition.bitrate)
      values.add(rendition.height)
      values.add(rendition.language)
      values.add(rendition.title)
    },
    hash: { rendition, hash in
      let source = rendition.sources.first
      let texts = [source?.uri, source?.contentType, rendition.type, rendition.language, rendition.title]
      for text in texts { hash.add(text) }
      hash.add(rendition.length)
      hash.add(rendition.bitrate)
      hash.add(rendition.height.map(Int64.init))
    },
    read: { row in
      var rendition = AlternateEnclosure()
      rendition.sources = [AlternateEnclosure.Source(uri: row.text(0), contentType: row.optionalText(1))]
      rendition.type = row.optionalText(1)
      rendition.length = row.optionalInteger(2)
      rendition.bitrate = row.optionalReal(3)
      rendition.height = row.optionalInteger(4).map { Int($0) }
      rendition.language = row.optionalText(5)
      rendition.title = row.optionalText(6)
      return rendition
    })
}
