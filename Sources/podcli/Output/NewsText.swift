import PodcastModel
import Podcatcher

/// The text of the desktop notification of new episodes. Pure.
struct NewsText {
  /// The number of new episodes, of which `episodes` are the first.
  var count: Int
  var episodes: [EpisodeEntry]

  static let width = 80

  static let texts: AfterRefresh.NotificationText = { count, episodes in
    let text = NewsText(count: count, episodes: episodes)
    return (text.summary, text.body)
  }

  var summary: String { counted(count, "new episode") }

  /// Special characters are escaped: desktops read the body as markup, and `notify-send` interprets backslashes.
  var body: String {
    var lines = episodes.map { Self.escaped($0.headline(width: Self.width)) }
    if count > lines.count { lines.append("and \(count - lines.count) more") }
    return lines.joined(separator: "\n")
  }

  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\\", with: "\\\\")
  }
}
