internal import PodcastModel
internal import Text

/// The path of an episode's media file: one folder per podcast, `ID-slug.ext` in it. The number makes it unique and the
/// rest readable; no text of a feed can lead out of the folder.
struct MediaFilePath: Hashable, Sendable {
  let folder: String
  let file: String

  init(of entry: EpisodeEntry) {
    folder = Self.name(entry.podcast.id.rawValue, entry.podcast.title)
    file = Self.name(entry.episode.id.rawValue, entry.episode.title) + "." + MediaFileEnding.of(entry.episode.enclosure)
  }

  /// The path that it got before its podcast or the episode was renamed; nil for one that is not in `media`.
  init?(path: String?, in media: String) {
    guard let path, path.hasPrefix(media + "/") else { return nil }
    let parts = path.dropFirst(media.count + 1).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else { return nil }
    folder = String(parts[0])
    file = String(parts[1])
  }

  var partial: String { file + ".part" }
  var note: String { partial + ".map" }

  func path(in media: String) -> String { media + "/" + folder + "/" + file }

  /// Of a name of a file or folder without its ending. Empty for one that is only a number.
  static func slug(ofName name: some StringProtocol) -> String {
    let rest = name.drop { $0.isASCII && $0.isNumber }
    return rest.hasPrefix("-") ? String(rest.dropFirst()) : ""
  }

  private static func name(_ number: Int64, _ title: String) -> String {
    let slug = FileNameText.slug(title)
    return slug.isEmpty ? String(number) : "\(number)-\(slug)"
  }
}
