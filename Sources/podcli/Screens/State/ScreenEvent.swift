import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import ScreenKit

/// Something that happened: typed, or learned from the library, the player or a command.
enum ScreenEvent: Sendable {
  case input(Input)
  case resized(Size)
  /// The local day may have changed, too.
  case time(Timestamp)
  case libraryChanged
  case status(PlayerStatus)
  /// The player should be there by now.
  case reached(Duration)
  // Answers to effects
  case home(HomeRows)
  case queue([EpisodeEntry])
  /// A move in the queue was carried out, or failed.
  case moved
  case podcasts([PodcastEntry])
  case podcastCount(Int, withImage: Int)
  /// An episode as the library has it now.
  case entry(EpisodeEntry)
  case episodes(EpisodeWindow, of: PodcastID)
  case settings([String: String], of: PodcastID)
  case found(FoundRows)
  case about(ScreenState.About)
  case texts(EpisodeTextsOnScreen)
  case anchors([TranscriptAnchor], of: EpisodeID)
  case candidates([Choice], for: String)
  /// All of the output so far, of the run with this number.
  case output(String, of: Int, isEnd: Bool)
  case progress(String?)
  case said(ScreenState.Message)
  case failed(ScreenState.ListName, String)
  /// Nil when there is none.
  case picture(PictureKey, PlacedPicture?)
}

/// The rows of Home.
struct HomeRows: Hashable, Sendable {
  var begun: [EpisodeEntry]
  var new: EpisodeWindow
}

/// The answer to a filter line.
struct FoundRows: Hashable, Sendable {
  var line: String
  var list = ScreenState.ListName.home
  /// The podcast whose episodes were searched.
  var podcast: PodcastID?
  var rows: [ScreenRow] = []
  /// How many hits were asked for, and whether there are more.
  var limit = 0
  var hasMore = false
  var took = Duration.zero
  var mistake: String?
  /// Beside the first one, in the same frame.
  var about: ScreenState.About?
}

/// Work that an event asks for. None of it blocks: its answer is another event.
enum ScreenEffect: Hashable, Sendable {
  // The library
  case loadHome(ListAnchor)
  case loadQueue
  case loadPodcasts
  case countPodcasts
  case loadEpisodes(PodcastID, ListAnchor)
  case search(String, ScreenState.ListName, PodcastID?, limit: Int)
  case loadAbout(EpisodeID)
  /// With `fetches`, a transcript that the library lacks is fetched.
  case loadTexts(EpisodeID, fetches: Bool)
  case loadAnchors(EpisodeID)
  case mark(EpisodeMark, EpisodeEntry)
  case enqueue(EpisodeEntry, QueueSlot)
  case tie(TranscriptAnchor, EpisodeID)
  case undo
  // The player
  /// A control word with its arguments.
  case control([String])
  case play(EpisodeEntry, at: Duration?)
  /// Tells after a while that a position is reached.
  case wait(for: Duration, Duration)
  // Other programs
  /// A podcli command whose lines are counted on the first line: what it does, its words, and the lines to come.
  case work(String, [String], total: Int?)
  /// A podcli command whose output is shown, and the number of its run.
  case run(Int, [String], isWatching: Bool)
  /// Ends the command that was run last, if its output goes on for ever.
  case endWatching
  case complete(kind: String, prefix: String, line: String)
  case open(String)
  case loadPicture(PictureKey)
  // The terminal
  /// Asks which pictures it draws.
  case askTerminal
  case copy(String)
  case redraw
  case suspend
  case leave(stops: Bool)
}
