private import PodcastModel
internal import Text

/// A link into Apple's podcast directory, as people share them.
enum AppleLink {
  /// The number in `https://podcasts.apple.com/de/podcast/name/id1234?i=5678`; nil for any other address.
  static func number(in address: String) -> String? {
    let parts = WebURL(address)
    guard parts.host == "podcasts.apple.com" || parts.host == "itunes.apple.com" else { return nil }
    return parts.path.split(separator: "/").lazy.compactMap { segment -> String? in
      let digits = segment.dropFirst(2)
      let isNumber = segment.hasPrefix("id") && !digits.isEmpty && digits.utf8.allSatisfy { (48...57).contains($0) }
      return isNumber ? String(digits) : nil
    }.first
  }
}
