package import Playback
package import PodcastModel
package import Transfer

/// An episode's medium, opened: what the engine reads, and what is known about the reading.
package struct Medium: Sendable {
  package var source: MediaSource
  private let bytes: HTTPByteSource?

  /// A file on this machine, whole.
  package init(file path: String) {
    source = .file(path)
    bytes = nil
  }

  package init(bytes: HTTPByteSource) {
    source = .bytes(bytes)
    self.bytes = bytes
  }

  /// Why reading failed, when it did.
  package var fault: MediaFault? { bytes?.fault }

  /// Whether the end of its bytes was the end of the medium.
  package var wasReadToItsEnd: Bool { bytes?.wasReadToItsEnd ?? true }
}

/// Finds the medium of an episode: what is on this machine first, then its address, and nothing but http and https.
package struct MediumFinder: Sendable {
  let client: @Sendable () throws(TransferError) -> HTTPClient

  /// How long a network that went away may stay away.
  private let patience: Duration

  package init(
    patience: Duration = Settings()[SettingKeys.networkPatience],
    client: @escaping @Sendable () throws(TransferError) -> HTTPClient
  ) {
    self.patience = patience
    self.client = client
  }

  package func medium(of entry: EpisodeEntry) throws(ListenError) -> Medium {
    if let download = entry.download, download.state == .complete, let path = download.path,
      DownloadFiles.size(of: path) != nil
    {
      return Medium(file: path)
    }
    guard let url = entry.episode.enclosure?.url else { throw .noMedium }
    if let path = Self.localFile(url, of: entry.podcast) { return Medium(file: path) }
    if let fault = AddressGate.fault(in: url) { throw .refused(fault) }
    do {
      return Medium(bytes: HTTPByteSource(try client(), url: url, patience: patience))
    } catch {
      throw .media(.transfer(error))
    }
  }

  /// Only a feed from this machine may name files of this machine.
  private static func localFile(_ url: String, of podcast: PodcastReference) -> String? {
    let scheme = "file://"
    guard podcast.feedURL.hasPrefix(scheme), url.hasPrefix(scheme) else { return nil }
    let path = PercentCoding.decoded(url.dropFirst(scheme.count))
    return path.hasPrefix("/") && !path.utf8.contains(0) ? path : nil
  }
}

/// Why an episode does not play.
package enum ListenError: Error, Hashable, Sendable {
  /// The feed gives no medium for it.
  case noMedium
  /// Its address is none that podcli opens.
  case refused(String)
  case media(MediaFault)
  case playback(PlaybackError)
  /// The place to start at lies behind the end of the medium, which may be another one than it was.
  case behindItsEnd(Duration, length: Duration)
}
