package import Transfer

/// Why a medium could not be read.
package enum MediaFault: Error, Hashable, Sendable {
  case status(Int)
  case transfer(TransferError)
  /// The publisher put another file in its place.
  case changed
  /// A web page, a playlist.
  case notAMedium(String)
  /// Some of it is not on this machine, and the network is not to be used.
  case offline
  case disk(DownloadError)
}

extension MediaFault {
  /// There is nobody to fetch with.
  init(noClient error: TransferError) { self = error.code == .libraryMissing ? .transfer(error) : .offline }

  /// Trying again may help.
  var mayPass: Bool {
    switch self {
    case .status(let status): status >= 500 || status == 429 || status == 408
    case .transfer(let error):
      [.stalled, .cut, .cannotConnect, .cannotResolve, .failed, .badAnswer].contains(error.code)
    case .changed, .notAMedium, .offline, .disk: false
    }
  }
}
