package import PodcastModel
internal import Text

/// Addresses of a stretch of an episode.
package enum StretchLink {
  /// The media file with a media fragment, `#t=2467,2512`: a browser plays just that. Where the address of the file is
  /// a secret, or has one in it, the page of the episode. Nil where neither is on the web.
  package static func address(of range: Range<Duration>, in entry: EpisodeEntry) -> String? {
    let episode = entry.episode
    let media = episode.enclosure.flatMap { enclosure in
      PrivateAddress.isCover(entry.podcast.feedURL) || PrivateAddress.hasToken(enclosure.url) ? nil : enclosure.url
    }
    guard let address = [media, episode.link].compactMap(\.self).first(where: WebURL.looksLikeHTTP) else { return nil }
    let times = [range.lowerBound, range.upperBound].map { EpisodeJSON.seconds($0).compact }.joined(separator: ",")
    return SafeAddress.withoutUser(String(address.prefix { $0 != "#" })) + "#t=" + times
  }
}
