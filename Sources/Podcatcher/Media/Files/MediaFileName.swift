internal import PodcastModel
internal import Text

/// Turns a feed's text into names of files.
package enum FileNameText {
  package static let longestSlug = 120

  /// Letters, digits, blank, `_` and `-`, at most 120 bytes.
  static func slug(_ text: String) -> String {
    cut(cleaned(text) { isWord($0) || $0 == "_" || $0 == "-" }, to: longestSlug)
  }

  /// A readable name without the characters that some file system or shell stumbles over. `limit` is in bytes.
  package static func readable(_ text: String, upTo limit: Int = longestSlug) -> String {
    cut(cleaned(text) { isWord($0) || "_-.,'&()[]+!#".unicodeScalars.contains($0) }, to: limit)
  }

  /// Any other character becomes a blank, and a name begins and ends with neither a blank nor a dot.
  private static func cleaned(_ text: String, keeping isKept: (Unicode.Scalar) -> Bool) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let scalar = isKept(scalar) ? scalar : " "
      if scalar == " ", result.last == " " { continue }
      result.append(scalar)
    }
    return trimmed(String(result))
  }

  private static func cut(_ text: String, to limit: Int) -> String {
    var result = ""
    var size = 0
    for character in text {
      size += character.utf8.count
      guard size <= limit else { break }
      result.append(character)
    }
    return trimmed(result)
  }

  private static func trimmed(_ text: String) -> String {
    let isEdge = { (character: Character) in character == " " || character == "." }
    return String(text.drop(while: isEdge).reversed().drop(while: isEdge).reversed())
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isVariationSelector { return false }
    if scalar.properties.isAlphabetic || scalar.properties.numericType != nil { return true }
    return [.nonspacingMark, .spacingMark].contains(scalar.properties.generalCategory)
  }
}

/// The endings that a media file may have on this machine.
package enum MediaFileEnding {
  private static let byType = [
    "audio/mpeg": "mp3", "audio/mp3": "mp3", "audio/mp4": "m4a", "audio/x-m4a": "m4a", "audio/m4a": "m4a",
    "audio/aac": "aac", "audio/ogg": "ogg", "audio/opus": "opus", "audio/flac": "flac", "audio/wav": "wav",
    "audio/x-wav": "wav", "audio/webm": "webm", "video/mp4": "mp4", "video/x-m4v": "m4v", "video/quicktime": "mov",
    "video/webm": "webm",
  ]
  private static let known: Set = [
    "mp3", "m4a", "m4b", "mp4", "aac", "ogg", "oga", "opus", "flac", "wav", "webm", "mka", "mkv", "mov", "m4v", "mpg",
    "wma", "amr", "ac3", "aif", "aiff",
  ]

  static func of(_ enclosure: Enclosure?) -> String {
    guard let enclosure else { return "bin" }
    return known(in: WebURL(enclosure.url).path) ?? byType[enclosure.type?.lowercased() ?? ""] ?? "bin"
  }

  /// The ending of a media file; nil for a path with no such ending.
  package static func known(in path: String) -> String? {
    let ending = path.split(separator: ".").last?.lowercased() ?? ""
    return known.contains(ending) ? ending : nil
  }
}
