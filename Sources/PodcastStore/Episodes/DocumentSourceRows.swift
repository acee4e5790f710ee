internal import PodcastModel

/// The rows of `document_sources`: the addresses from which chapters and transcripts were fetched. Where the feed links
/// to others later on, they are fetched again when they are asked for, and stay until then.
struct DocumentSourceRows {
  let connection: Connection

  enum Kind: String {
    case chapters, transcript
  }

  func url(_ kind: Kind, of id: EpisodeID) throws(StoreError) -> String? {
    try connection.first(
      "SELECT url FROM document_sources WHERE episode_id = \(id) AND kind = \(kind.rawValue)"
    ) { $0.text(0) }
  }

  /// Nil for those that come from the feed itself, the media file or a program.
  func set(_ url: String?, _ kind: Kind, of id: EpisodeID) throws(StoreError) {
    guard let url else {
      return try connection.execute("DELETE FROM document_sources WHERE episode_id = \(id) AND kind = \(kind.rawValue)")
    }
    try connection.execute(
      """
      INSERT INTO document_sources (episode_id, kind, url) VALUES (\(id), \(kind.rawValue), \(url))
      ON CONFLICT (episode_id, kind) DO UPDATE SET url = excluded.url
      """)
  }
}
