package import PodcastModel
package import PodcastStore

/// The outcome of a sync.
package struct SyncReport: Hashable, Sendable {
  /// Facts that came from other machines and count here now.
  package var merged = 0
  /// Facts that were written for others.
  package var written = 0
  /// Podcasts that are followed elsewhere, and from now on here.
  package var added: [PodcastID] = []
  /// Files that were left alone, with the reason, and lines that made no sense.
  package var problems: [SyncFile] = []
  /// The library was restored or cloned, and has a new id.
  package var hasNewDevice = false

  package init() {}

  init(_ outcome: SyncOutcome, _ files: [SyncFile]) {
    merged = outcome.merged
    added = outcome.added
    hasNewDevice = outcome.hasNewDevice
    problems = files.filter { $0.problem != nil || $0.passedOver > 0 }
  }

  /// Two syncs in one report.
  package func followed(by later: SyncReport) -> SyncReport {
    var both = later
    both.merged += merged
    both.written += written
    both.added = added + later.added
    both.hasNewDevice = hasNewDevice || later.hasNewDevice
    return both
  }
}

/// The names under which the library keeps what a sync needs.
enum SyncState {
  static let folder = "folder"
  static let label = "label"
  static let seen = "seen"
  static let lastSync = "last-sync"
  static let error = "last-error"
  static let reader = "reader"
  /// Until the next sync: what is here counts more than what others had by then, in milliseconds.
  static let claim = "claim"
  /// The stamp of the last podcast that was deleted, and that of the last one whose files were read again since.
  static let buried = "buried"
  static let buriedRead = "buried-read"
  /// Grows when this podcli understands more of the same files.
  static let currentReader = "1"
}

/// A machine that shares its library.
package struct SyncDevice: Hashable, Sendable {
  package var id: String
  package var label: String?
  /// The day of its last sync, as `2026-11-22`.
  package var seen: String?
  package var isThisOne: Bool
  package var files: [String]
}

/// How sync is set, and how it went.
package struct SyncStatus: Hashable, Sendable {
  package var folder: String?
  package var device: String?
  package var isAutomatic = true
  package var lastSync: Timestamp?
  package var error: SyncError?
  package var hasChanges = false
  /// Podcasts that are not shared, because they are private or their address looks like a secret.
  package var hidden = 0
  /// Facts about podcasts and episodes that are not in the library yet.
  package var parked = 0
  package var devices: [SyncDevice] = []
  package var problems: [SyncFile] = []
}
