package import PodcastModel
package import PodcastStore

/// How good or bad a finding is.
package enum FindingState: String, Sendable { case fine, doubtful, bad }

/// A finding about this machine: the library, its disk, the settings, audio and network.
package enum MachineFinding: Sendable {
  /// There is no library yet.
  /// With the newest backup of a library that was there once.
  case noLibrary(path: String, backup: String?)
  /// The library cannot be opened or read.
  case unusableLibrary(StoreError)
  /// SQLite's or podcli's own checks found problems.
  case damagedLibrary(path: String, problems: [String])
  case library(LibraryFacts)
  /// The podcasts whose last refresh failed, and the number of all.
  case feeds(failed: [PodcastEntry], count: Int)
  /// Downloaded files: their number, their size, and the episodes whose file cannot be read.
  case downloads(count: Int, size: Int64, missing: [EpisodeID], unnamed: [UnnamedFiles.File])
  /// Free bytes on the disk with `folder`; nil when they cannot be read.
  case space(free: Int64?, folder: String)
  /// Files and folders of podcli that other users may read or change.
  case rights([String])
  /// The number of settings in the file.
  case settings(path: String, Result<Int, ConfigFile.Mistake>)
  /// Lines of the file that are passed over.
  case badSettings(path: String, [ConfigFile.BadLine])
  /// The program for events that is set, and its last failure.
  case hook(program: String, HookFailure?)
  /// Sync through a folder, where that is set, and whether the library lies in a folder that another program syncs.
  case sync(SyncStatus, libraryLiesIn: String?)
  /// Sync with a server, where one is logged in at.
  case server(ServerStatus)
  /// The podcli that is playing.
  case player(PlayerLock.Holder?)
  /// Nil when silence could be played.
  case audio(PlaybackFailure?)
  case offline
  /// Nil when libcurl could be loaded.
  case network(NetworkFailure?)

  /// A library that can be read.
  package struct LibraryFacts: Sendable {
    package var path: String
    package var podcasts: Int
    package var episodes: Int
    package var size: Int64
    /// The file system has no shared memory, so SQLite writes a rollback journal instead of a WAL.
    package var lacksWAL: Bool
    /// This user cannot write the file or its folder.
    package var isReadOnly: Bool
  }

  /// Below this many bytes there is no room for a few downloads.
  private static let littleSpace: Int64 = 200_000_000

  /// A word that lists and JSON show.
  package var name: String {
    switch self {
    case .noLibrary, .unusableLibrary, .damagedLibrary, .library: "library"
    case .feeds: "feeds"
    case .downloads: "downloads"
    case .space: "space"
    case .rights: "rights"
    case .settings, .badSettings: "settings"
    case .hook: "hook"
    case .sync: "sync"
    case .server: "server"
    case .player: "player"
    case .audio: "audio"
    case .offline, .network: "network"
    }
  }

  package var state: FindingState {
    switch self {
    case .noLibrary(_, let backup): backup == nil ? .fine : .doubtful
    case .player, .offline, .settings(_, .success), .hook(_, nil), .audio(nil), .network(nil): .fine
    case .unusableLibrary, .damagedLibrary, .settings(_, .failure), .badSettings, .audio(_?), .network(_?): .bad
    case .hook(_, _?): .doubtful
    case .server(let status): status.error == nil ? .fine : .doubtful
    case .sync(let status, let folder): status.error == nil && folder == nil ? .fine : .doubtful
    case .library(let facts): facts.lacksWAL || facts.isReadOnly ? .doubtful : .fine
    case .feeds(let failed, _): failed.isEmpty ? .fine : .doubtful
    case .downloads(_, _, let missing, let unnamed): missing.isEmpty && unnamed.isEmpty ? .fine : .doubtful
    case .rights(let wide): wide.isEmpty ? .fine : .doubtful
    case .space(let free, _): (free ?? 0) < Self.littleSpace ? .doubtful : .fine
    }
  }
}

/// A finding about one podcast: its last refresh, and each step from its address to its newest media file.
package enum FeedFinding: Sendable {
  /// The error of the last refresh, or its time.
  case lastRefresh(error: String?, Timestamp?)
  /// A step towards an answer, with the failure that ended it.
  case step(Step, host: String, NetworkFailure?)
  case redirects([Redirect])
  case answer(Answer, host: String)
  /// The answer or the file is no feed.
  case unreadable(FollowError)
  case contents(Feed.Format, episodes: Int, isIncomplete: Bool)
  case warnings([String])
  /// The answer for the newest media file.
  case mediaFile(title: String, Result<Answer, NetworkFailure>)
  /// The newest media file is one of this machine; without a size it cannot be read.
  case localMediaFile(title: String, path: String, size: Int64?)

  /// podcli may open the address, its host's name resolves, the host takes connections and is trusted, it answers.
  package enum Step: String, Sendable { case address, name, connect, tls, answer }

  /// One redirect on the way to the answer.
  package struct Redirect: Sendable {
    package var status: Int
    package var location: String
  }

  /// The head of an HTTP answer, and the size of its body.
  package struct Answer: Sendable {
    package var status: Int
    package var type: String?
    package var size: Int
    /// It has an ETag or a date, so that "not modified" is possible.
    package var hasValidators: Bool

    /// The type is that of a page or a feed instead of audio.
    package var isText: Bool { type.map { $0.hasPrefix("text/") || $0.contains("xml") } ?? false }
    package var isSuccess: Bool { (200..<300).contains(status) }
  }

  /// A word that lists and JSON show.
  package var name: String {
    switch self {
    case .lastRefresh: "refresh"
    case .step(let step, _, _): step.rawValue
    case .redirects: "redirects"
    case .answer: "answer"
    case .unreadable, .contents: "feed"
    case .warnings: "warnings"
    case .mediaFile, .localMediaFile: "medium"
    }
  }

  package var state: FindingState {
    switch self {
    case .step(_, _, nil), .redirects: .fine
    case .step(_, _, _?), .unreadable, .mediaFile(_, .failure), .localMediaFile(_, _, nil): .bad
    case .lastRefresh(let error, _): error == nil ? .fine : .doubtful
    case .answer(let answer, _): answer.status == 200 ? .fine : .bad
    case .contents(_, _, let isIncomplete): isIncomplete ? .doubtful : .fine
    case .warnings: .doubtful
    case .localMediaFile: .fine
    case .mediaFile(_, .success(let answer)): !answer.isSuccess ? .bad : answer.isText ? .doubtful : .fine
    }
  }
}
