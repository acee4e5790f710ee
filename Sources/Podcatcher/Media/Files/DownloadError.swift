private import Glibc
package import PodcastStore
package import Transfer

/// Why an episode is not on this machine.
package enum DownloadError: Error, Hashable, Sendable {
  /// The feed gives no media file for it.
  case noMediaFile
  /// podcli does not open its address.
  case refused(String)
  /// A web page or a playlist came instead.
  case notMedia(String)
  /// The answer had no bytes.
  case empty
  case status(Int)
  /// The server refused the range requests for the rest.
  case rangeRefused
  case transfer(TransferError)
  case tooLarge(limit: Int64)
  /// Too little room is left on the disk of this path.
  case diskFull(path: String)
  case fileSystem(path: String, reason: String)
  /// Another podcli downloads it.
  case underway
  /// Another podcli removed it meanwhile.
  case removed
  case store(StoreError)

  static func file(_ path: String, _ code: Int32) -> DownloadError {
    switch code {
    // A limit on the size of files counts as a full disk.
    case ENOSPC, EDQUOT, EFBIG: .diskFull(path: path)
    default: .fileSystem(path: path, reason: String(cString: strerror(code)))
    }
  }

  /// The server answered, but not with the file.
  var isAnswer: Bool {
    switch self {
    case .notMedia, .empty, .status, .rangeRefused, .tooLarge: true
    case .transfer(let error):
      [.refusedRedirect, .tooManyRedirects, .insecure, .badAnswer, .badEncoding].contains(error.code)
    default: false
    }
  }

  /// The bytes that have arrived so far are still good.
  var leavesBytes: Bool {
    switch self {
    case .transfer, .status, .diskFull, .fileSystem, .store: true
    default: false
    }
  }
}
