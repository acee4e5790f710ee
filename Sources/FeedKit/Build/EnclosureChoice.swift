import PodcastModel
internal import Text

/// Chooses the enclosure of an episode that is played.
enum EnclosureChoice {
  enum Origin: Equatable {
    /// RSS `<enclosure>` or Atom `link rel=enclosure`.
    case enclosure
    case mediaRSS(isPlayable: Bool)
  }

  /// The first audio or video, else the first that is no picture. Media RSS counts after real enclosures.
  static func preferred(of enclosures: [Enclosure], from origins: [Origin]) -> Enclosure? {
    var best: (index: Int, rank: Int)?
    for (index, origin) in zip(enclosures.indices, origins) {
      guard let rank = rank(kind(enclosures[index], origin), origin), rank < best?.rank ?? .max else { continue }
      best = (index, rank)
    }
    return best.map { enclosures[$0.index] }
  }

  private static func rank(_ kind: Kind, _ origin: Origin) -> Int? {
    switch kind {
    case .playable: origin == .enclosure ? 0 : 1
    case .unknown: origin == .enclosure ? 2 : 3
    case .picture: nil
    }
  }

  private enum Kind { case playable, picture, unknown }

  private static func kind(_ enclosure: Enclosure, _ origin: Origin) -> Kind {
    if origin == .mediaRSS(isPlayable: true) { return .playable }
    let type = enclosure.type ?? ""
    if type == "audio/mpeg" || type.hasPrefix("audio/") || type.hasPrefix("video/") { return .playable }
    if type.hasPrefix("image/") { return .picture }
    guard type.isEmpty || type == "application/octet-stream" else { return .unknown }
    let path = WebURL(enclosure.url).path.lowercased()
    if playableEndings.contains(where: path.hasSuffix) { return .playable }
    return pictureEndings.contains(where: path.hasSuffix) ? .picture : .unknown
  }

  private static let playableEndings = [
    ".mp3", ".m4a", ".m4b", ".aac", ".ogg", ".oga", ".opus", ".flac", ".wav", ".mp4", ".m4v", ".mov", ".webm", ".mkv",
    ".wma", ".avi", ".mka", ".spx",
  ]
  private static let pictureEndings = [".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg", ".avif"]
}
