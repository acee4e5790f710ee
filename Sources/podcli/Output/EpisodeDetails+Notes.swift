import PodcastModel
import Text

extension EpisodeDetails {
  /// The text of the notes, with the addresses of their links; nil where there are none. `limit`: characters that are read.
  func plainNotes(limit: Int? = nil) -> String? {
    longestText.map { html in
      PlainText.notes(limit.map { String(html.prefix($0)) } ?? html, baseURL: linkBase).textWithLinks
    }
  }
}
