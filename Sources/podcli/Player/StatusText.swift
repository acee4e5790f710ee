import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import ScreenKit
import System
import Text

/// A status as `status` and the control words print it.
struct StatusText {
  private let status: PlayerStatus?
  private let document: JSON
  private let showsSound: Bool

  init(_ status: PlayerStatus) {
    self.status = status
    document = status.document
    showsSound = false
  }

  /// A status from a player's socket. `showsSound`: its line tells the volume and the filters.
  init(document: JSON, showsSound: Bool = false) {
    status = PlayerStatus(document: document)
    self.document = document
    self.showsSound = showsSound
  }

  /// `width` asks for a line of at most that many columns, wherever it goes.
  func text(for console: Console, asLine width: Int? = nil) -> String {
    if console.isJSON { return document.compact + "\n" }
    if let width { return line(width: width, orElse: "") + "\n" }
    guard console.isOutputTerminal else { return tabSeparated + "\n" }
    let nothing = "Nothing is playing, and there is nothing to resume."
    return line(width: max(20, console.width), orElse: nothing) + "\n"
  }

  /// State, number, podcast, title, position and length in seconds.
  private var tabSeparated: String {
    guard let status, let entry = status.entry else { return document["state"]?.text ?? "" }
    let numbers = [status.positionOrKept, status.durationOrAnnounced].map { length in
      length.map { String($0.components.seconds) } ?? ""
    }
    let texts = [entry.podcast.title, entry.episode.title].map { CleanText.line($0, limit: .max) }
    return ([status.state.rawValue, String(entry.episode.id.rawValue)] + texts + numbers).joined(separator: "\t")
  }

  private func line(width: Int, orElse nothing: String) -> String {
    guard let status, var line = PlayingLine(status) else {
      let words = [nothing, CleanText.line(status?.note ?? "")].filter { !$0.isEmpty }.joined(separator: " ")
      return DisplayWidth.fitted(words, to: width)
    }
    if showsSound { line.note = status.soundText ?? line.note }
    return line.rendered(width: width)
  }
}

extension PlayerStatus {
  /// `volume 80 %, trim mild, boost on`
  var soundText: String? {
    guard let volume, let trim, let boost else { return nil }
    return PlayingLine.soundText(volume: volume, trim: trim, boost: boost)
  }
}
