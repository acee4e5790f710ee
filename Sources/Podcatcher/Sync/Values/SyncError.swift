package import PodcastStore

/// Why a sync cannot be done. Nothing is lost by that: the next one catches up.
package enum SyncError: Error, Hashable, Sendable {
  /// No folder and no server was set.
  case notSet
  /// The folder is not there, or is not the one that was set: a stick that is not plugged in.
  case folderMissing(path: String)
  /// The folder cannot be read or written, in the system's words.
  case folderFailed(path: String, reason: String)
  case diskFull(path: String)
  /// Another podcli of this library syncs.
  case busy
  /// No device has this id or name, or several have this name.
  case noSuchDevice(String)
  case severalDevices(String)
  /// A device cannot forget itself.
  case ownDevice
  case store(StoreError)
}

extension SyncError {
  /// The form in which the library keeps the failure of the last sync, for `status` and `doctor`. Nil where it is no news.
  var text: String? {
    switch self {
    case .folderMissing(let path): "missing\t\(path)"
    case .folderFailed(let path, let reason): "failed\t\(path)\t\(reason)"
    case .diskFull(let path): "full\t\(path)"
    case .notSet, .busy, .noSuchDevice, .severalDevices, .ownDevice, .store: nil
    }
  }

  package init?(text: String) {
    let words = text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    switch (words.first, words.count) {
    case ("missing", 2): self = .folderMissing(path: words[1])
    case ("failed", 3): self = .folderFailed(path: words[1], reason: words[2])
    case ("full", 2): self = .diskFull(path: words[1])
    default: return nil
    }
  }
}
