import PodcastModel

/// What was found: which episode, and below it the words around the place. Pure.
struct SearchPage {
  var width: Int
  var paint: Paint

  func rendered(_ hit: SearchHit) -> String {
    let reference = PlaceText.reference(hit.entry, hit.time)
    let place = width >= 60 ? "  " + hit.field.rawValue : ""
    let room = width - DisplayWidth.of(reference) - 2 - place.count
    let line = paint.green(reference) + "  " + hit.entry.headline(width: room) + paint.dim(place) + "\n"
    guard hit.field != .title else { return line }
    let snippet = Highlighted(hit.snippet, matches: hit.matches).rendered(width: width - 4, paint)
    return line + "    " + snippet + "\n"
  }

  /// What `play` takes, podcast, title, where, and the words around the place.
  static func tabSeparated(_ hit: SearchHit) -> String {
    let texts = [hit.entry.podcast.title, hit.entry.episode.title, hit.field.rawValue, hit.snippet]
    return ([PlaceText.reference(hit.entry, hit.time)] + texts.map { CleanText.line($0, limit: .max) })
      .joined(separator: "\t") + "\n"
  }
}
