import PodcastModel

/// New episodes, as a desktop tells of them. Pure.
struct NewsText {
  /// How many there are, of which `episodes` are the first.
  var count: Int
  var episodes: [EpisodeEntry]

  static let shown = 5
  private static let width = 80

  var summary: String { counted(count, "new episode") }

  /// What may mean something is protected: desktops read the body as markup, and `notify-send` a backslash before that.
  var body: String {
    var lines = episodes.prefix(Self.shown).map { Self.escaped($0.headline(width: Self.width)) }
    if count > lines.count { lines.append("and \(count - lines.count) more") }
    return lines.joined(separator: "\n")
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\\", with: "\\\\")
  }
}
