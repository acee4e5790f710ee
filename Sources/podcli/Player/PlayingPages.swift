import PodcastModel
import Podcatcher
import Text

/// The answers to the keys that show something of the episode. Pure.
enum PlayingPages {
  static func chapters(_ chapters: [Chapter], playing: Int?) -> [String] {
    if chapters.isEmpty { return ["This episode has no chapters"] }
    return chapters.enumerated().map { index, chapter in
      let mark = index == playing ? "▶" : " "
      return "\(mark) \(ClockText.short(.seconds(chapter.start)))  \(CleanText.line(chapter.title))"
    }
  }

  static func notes(_ details: EpisodeDetails?) -> String {
    let text = details?.plainNotes() ?? ""
    return text.isEmpty ? "This episode has no notes" : CleanText.lines(text)
  }
}
