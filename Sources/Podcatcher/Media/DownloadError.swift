private import Glibc
package import PodcastStore
package import Transfer

/// Why an episode is not on this machine.
package enum DownloadError: Error, Hashable, Sendable {
  /// The feed gives no medium for it.
  case noMedium
  /// Its address is none that podcli opens.
  case refused(String)
  /// What came is something else: a web page, a playlist.
  case notAMedium(String)
  /// The answer had no bytes.
  case empty
  case status(Int)
  /// The server would not go on where the download broke off.
  case rangeRefused
  case transfer(TransferError)
  case tooLarge(limit: Int64)
  /// So little room is left where this file would go.
  case diskFull(path: String)
  case fileSystem(path: String, reason: String)
  /// Another podcli is at it.
  case underway
  case store(StoreError)

  static func file(_ path: String, _ code: Int32) -> DownloadError {
    switch code {
    // A limit on the size of files is a full disk to whoever meets it.
    case ENOSPC, EDQUOT, EFBIG: .diskFull(path: path)
    default: .fileSystem(path: path, reason: String(cString: strerror(code)))
    }
  }

  /// Trying again may help.
  var mayPass: Bool {
    if case .transfer(let error) = self { MediaFault.transfer(error).mayPass } else { false }
  }

  /// What has arrived so far is still good.
  var leavesBytes: Bool {
    switch self {
    case .transfer, .status, .diskFull, .fileSystem, .store: true
    default: false
    }
  }
}
