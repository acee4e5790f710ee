import PodcastModel
import Podcatcher
import Synchronization
import Text

/// The JSON document of a feed, written while the feed is read. The episodes come first: what the feed says of itself may
/// stand behind them.
final class PreviewDocument: Sendable {
  private let console: Console
  private let unwritten = Mutex((text: #"{"episodes":["#, separator: ""))

  init(_ console: Console) { self.console = console }

  func add(_ episodes: [FeedEpisode]) {
    unwritten.withLock { unwritten in
      for episode in episodes {
        unwritten.text += unwritten.separator
        unwritten.text += FeedDocument.episode(episode).withoutUsers.compact
        unwritten.separator = ","
        guard unwritten.text.utf8.count > 64 << 10 else { continue }
        console.write(unwritten.text)
        unwritten.text = ""
      }
    }
  }

  func end(_ feed: Feed) {
    add(feed.episodes)
    let rest =
      #"],"feed":\#(FeedDocument.header(feed).withoutUsers.compact),"warnings":\#(JSON(feed.warnings).compact)}"#
    console.write(unwritten.withLock { $0.text } + rest + "\n")
  }
}
