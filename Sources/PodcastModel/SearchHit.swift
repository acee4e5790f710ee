/// An episode found by a search, with the passage that matches.
package struct SearchHit: Hashable, Sendable {
  /// The text that matches.
  package enum Field: String, Hashable, Sendable, CaseIterable { case title, notes, chapters, transcript }

  package var entry: EpisodeEntry
  package var field: Field
  /// The words around the match.
  package var snippet: String
  /// The matching words in `snippet`, as offsets in its UTF-8.
  package var matches: [Range<Int>]
  /// The position in the episode, for chapters and transcripts.
  package var time: Duration?

  package init(entry: EpisodeEntry, field: Field, snippet: String, matches: [Range<Int>], time: Duration? = nil) {
    self.entry = entry
    self.field = field
    self.snippet = snippet
    self.matches = matches
    self.time = time
  }
}
