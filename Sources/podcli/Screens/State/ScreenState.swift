import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import ScreenKit

/// The pages, in the order of their keys.
enum ScreenPage: Int, CaseIterable, Sendable {
  case home, queue, podcasts, playing

  var title: String {
    switch self {
    case .home: "Home"
    case .queue: "Queue"
    case .podcasts: "Podcasts"
    case .playing: "Playing"
    }
  }
}

/// Everything that the screen shows. Only `update` changes it, and `ScreenDrawing` draws it.
struct ScreenState: Sendable {
  /// The commands that the palette runs. They are made when it is opened.
  let program: @Sendable () -> Program
  var size: Size
  var now: Timestamp
  var page = ScreenPage.home
  var home = RowList()
  var queue = RowList()
  var podcasts = RowList()
  /// The addresses of their pictures, which each frame looks for.
  var images: [PodcastID: String] = [:]
  /// The episodes of the podcast that is selected, or that was entered.
  var episodes = RowList()
  var podcast: PodcastEntry?
  /// The settings that it has of its own.
  var podcastSettings: [String: String] = [:]
  /// Keys go to the episodes of the podcast.
  var isInPodcast = false
  /// Rows that a key has asked for; the keys that follow wait for them.
  var awaited: AwaitedRows?
  var filter: Filter?
  var palette: Palette?
  var output: CommandOutput?
  /// How many commands were run from the palette.
  var runs = 0
  var player = PlayerStatus(state: .stopped)
  var transcript = TranscriptState()
  /// The position of the next word, at which the screen is drawn again.
  var nextWord: Duration?
  /// Beside or below the selection.
  var about: About?
  /// The first line of the side that is shown.
  var sideTop = 0
  /// Nil where the terminal draws no pictures.
  var pictureKind: PictureText.Kind?
  var hasAskedTerminal = false
  /// Those that are ready; nil for one that there is not.
  var pictures: [PictureKey: PlacedPicture?] = [:]
  /// The answer to the last key, until the next one.
  var message: Message?
  /// Long work, at the right of the first line.
  var progress: String?
  /// The library has changed since its lists were read.
  var isBehind = false
  /// Moves in the queue that keys asked for and the library does not have yet.
  var movesUnderWay = 0
  /// So has that of the podcasts.
  var arePodcastsBehind = false
  /// The library follows no podcast yet.
  var isFirstRun = false

  struct Message: Hashable, Sendable {
    var text: String
    var isError = false
    /// It goes when the player plays.
    var isUntilPlaying = false
    /// It goes with another state of the player, or after so many statuses, which come each second while it plays.
    var statusesLeft: Int?

    init(text: String, isError: Bool = false, isUntilPlaying: Bool = false) {
      (self.text, self.isError, self.isUntilPlaying) = (text, isError, isUntilPlaying)
    }

    /// Why the player has not done what was asked for.
    static func refusal(_ failure: Failure) -> Self {
      var message = Self(failure: failure.text)
      message.statusesLeft = 10
      return message
    }

    /// A command's last failure on one line: its message, then its hint.
    init(failure output: String) {
      let lines = output.split(separator: "\n").map { String($0.drop { $0 == " " }) }
      let start = lines.lastIndex { $0.hasPrefix("podcli: ") } ?? max(0, lines.count - 1)
      let text = lines[start...].joined(separator: " · ")
      self.init(text: String(text.hasPrefix("podcli: ") ? text.dropFirst(8) : text[...]), isError: true)
    }
  }

  /// The texts about an episode.
  struct About: Hashable, Sendable {
    var episode: EpisodeID
    /// Notes as plain text.
    var notes: String
    var link: String?
  }

  init(_ program: @escaping @Sendable () -> Program, size: Size, now: Timestamp) {
    self.program = program
    self.size = size
    self.now = now
  }

  // MARK: The list that keys go to

  enum ListName: Hashable, Sendable { case home, queue, podcasts, episodes }

  /// Nil on Playing, which has no list.
  var listName: ListName? {
    switch page {
    case .home: .home
    case .queue: .queue
    case .podcasts: isInPodcast ? .episodes : .podcasts
    case .playing: nil
    }
  }

  subscript(name: ListName) -> RowList {
    get {
      switch name {
      case .home: home
      case .queue: queue
      case .podcasts: podcasts
      case .episodes: episodes
      }
    }
    set {
      switch name {
      case .home: home = newValue
      case .queue: queue = newValue
      case .podcasts: podcasts = newValue
      case .episodes: episodes = newValue
      }
    }
  }

  /// The filter's rows where there is a filter.
  var list: RowList? {
    get { listName.map { filter?.rows ?? self[$0] } }
    set {
      guard let name = listName, let newValue else { return }
      if filter != nil { filter?.rows = newValue } else { self[name] = newValue }
    }
  }

  var selectedEntry: EpisodeEntry? { page == .playing ? player.entry : list?.selectedRow?.entry }

  /// The podcast that is selected, or that of the selected episode.
  var selectedPodcast: PodcastID? {
    if listName == .podcasts, case .podcast(let podcast)? = list?.selectedRow { return podcast.id }
    return selectedEntry?.podcast.id ?? podcast?.id
  }

  /// True in lists of episodes, also on Playing: the keys that mark have something to mark.
  var hasEpisode: Bool { selectedEntry != nil }
}

/// Rows of a list that are not held yet, and the keys that wait for them.
struct AwaitedRows: Hashable, Sendable {
  enum Target: Hashable, Sendable {
    case first, last
    /// So many rows below the selected one, or above.
    case further(Int)
  }

  var list: ScreenState.ListName
  var target: Target
  var inputs: [Input] = []
}

/// The filter line, and the rows that it found.
struct Filter: Hashable, Sendable {
  var field = TextField()
  var isTyping = true
  var rows = RowList()
  /// The line that the rows answer, how many hits were asked for, and how long it took.
  var answered: String?
  var limit = 0
  var took: Duration?
  /// Words that are no filter and search nothing, such as `age<x`.
  var mistake: String?
  /// Enter was typed before the rows came.
  var opensFirst = false
}

/// The line of `:`, and what it offers.
struct Palette: Hashable, Sendable {
  var field = TextField()
  var selected = 0
  /// Completions of the last word, after Tab.
  var candidates: [Choice] = []

  /// The text was changed.
  mutating func startAnew() { (selected, candidates) = (0, []) }
}

/// A podcli command that ran from the palette, and its output.
struct CommandOutput: Hashable, Sendable {
  /// The same line may run twice at once.
  var number: Int
  var line: String
  var text = ""
  var isRunning = true
  /// It goes on for ever.
  var isWatching = false
  /// The width that it is wrapped for.
  var width = 0
  var top = 0

  /// All about an episode, which another width has in other lines.
  var isAboutEpisode: Bool { line.hasPrefix("info ") }
}
