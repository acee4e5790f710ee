import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

/// An error as the user sees it: code, exit status, message and hint. The errors of engines and journeys become words in
/// this folder, one file for each subject; what is wrong with an argument is worded beside its parser.
struct Failure: Error, Sendable {
  /// The code in JSON, which decides the exit status.
  enum Code: String, Sendable {
    case failed, usage, notFound, ambiguous, nothingToResume, notAFeed, refused, credentials, network, partial
    case syncFailed
    case notPlaying, alreadyPlaying, noAudioOutput, cannotDecode, libraryMissing, library, newerLibrary, damagedLibrary,
      diskFull

    var exitStatus: Int32 {
      switch self {
      case .failed, .notAFeed, .refused: 1
      case .usage: 2
      case .notFound, .ambiguous, .nothingToResume, .notPlaying: 3
      case .credentials: 4
      case .network, .syncFailed: 5
      case .partial: 6
      case .alreadyPlaying: 7
      case .noAudioOutput, .cannotDecode, .libraryMissing: 8
      case .library, .newerLibrary, .damagedLibrary, .diskFull: 9
      }
    }
  }

  var code: Code
  var message: String
  /// The next command to try.
  var hint: String?
  /// Standard output has the message already, so only the exit status is left.
  var isTold = false
  /// The matches, when there are several.
  var candidates: [Candidate] = []

  struct Candidate: Sendable {
    var id: Int64
    /// The title of an episode's podcast.
    var podcast: String?
    var title: String

    init(_ podcast: PodcastEntry) { (id, title) = (podcast.id.rawValue, podcast.title) }

    init(_ entry: EpisodeEntry) {
      (id, podcast, title) = (entry.episode.id.rawValue, entry.podcast.title, entry.episode.title)
    }

    var text: String { "\(id)  " + (podcast.map { $0 + ": " } ?? "") + title }
    var json: JSON { ["id": JSON(id), "podcast": JSON(podcast), "title": JSON(title)] }
  }

  init(_ code: Code, _ message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
  }

  /// So many candidates are listed on a terminal.
  static let listed = 20

  /// The message alone, as a terminal may show it.
  var line: String { CleanText.line(message, limit: .max) }

  /// The message with its cause, the candidates, and the hint.
  var text: String {
    var lines = ["podcli: " + CleanText.line(message)]
    lines += candidates.prefix(Self.listed).map { "  " + CleanText.line($0.text) }
    if candidates.count > Self.listed { lines.append("  and \(candidates.count - Self.listed) more") }
    if let hint { lines.append("  " + CleanText.line(hint, limit: 4000)) }
    return lines.joined(separator: "\n")
  }

  var json: JSON {
    [
      "error": [
        "code": JSON(code.rawValue), "message": JSON(message), "hint": JSON(hint),
        "candidates": JSON(nonEmpty: candidates.map(\.json)),
      ]
    ]
  }
}

extension Failure? {
  /// Partial results are shown.
  var leavesResults: Bool {
    switch self {
    case nil: true
    case let failure?: failure.code == .partial
    }
  }
}
