package import Transfer

/// Why a media file could not be read or filled.
package enum MediaFault: Error, Hashable, Sendable {
  case status(Int)
  case transfer(TransferError)
  /// The publisher replaced the file.
  case changed
  /// A web page, a playlist.
  case notMedia(String)
  /// Some of it is not on this machine, and the network is not to be used.
  case offline
  case disk(DownloadError)
}

extension MediaFault {
  /// There is no client to fetch with.
  init(noClient error: TransferError) { self = error.code == .libraryMissing ? .transfer(error) : .offline }

  /// Trying again may help.
  var mayPass: Bool {
    switch self {
    case .status(let status): status >= 500 || status == 429 || status == 408
    case .transfer(let error):
      [.stalled, .cut, .cannotConnect, .cannotResolve, .failed, .badAnswer].contains(error.code)
    case .changed, .notMedia, .offline, .disk: false
    }
  }

  /// Another address may lead to the file.
  var isOfAddress: Bool {
    switch self {
    case .status, .transfer, .notMedia: !isCancelled
    case .changed, .offline, .disk: false
    }
  }

  /// The connection ended before the answer did.
  var isCut: Bool {
    if case .transfer(let error) = self { error.code == .cut } else { false }
  }

  var isCancelled: Bool {
    if case .transfer(let error) = self { error.code == .cancelled } else { false }
  }
}
