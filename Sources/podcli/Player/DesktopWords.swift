import PodcastModel
import Podcatcher

extension DesktopTexts {
  /// The words for media controls and for the notification at the end of an episode.
  static let podcli = DesktopTexts(clean: { CleanText.line($0) }) { finished, next in
    let body = next.map { "Next: " + $0.headline(width: NewsText.width) } ?? "Nothing follows"
    return ("Finished " + finished.headline(width: NewsText.width), NewsText.escaped(body))
  }
}
