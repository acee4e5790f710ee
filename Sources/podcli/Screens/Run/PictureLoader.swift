import Podcatcher
import ScreenKit
import Synchronization
import Text

/// Makes pictures ready for the screen. Another process fetches and decodes those that the cache lacks, once the selection
/// rests: moving through a list would start one for each row.
final class PictureLoader: Sendable {
  private let live: Live
  private let fetch: @Sendable (_ url: String) async -> Void
  private let send: @Sendable (ScreenEvent) -> Void
  private let wanted = Mutex(PictureKey?.none)

  /// Longer than between two repeats of a key that is held.
  private static let rest = Duration.milliseconds(200)

  /// `fetch` brings a picture into the cache.
  init(
    live: Live, fetch: @escaping @Sendable (_ url: String) async -> Void,
    send: @escaping @Sendable (ScreenEvent) -> Void
  ) {
    self.live = live
    self.fetch = fetch
    self.send = send
  }

  /// The picture that the screen wants now, and no other one any more.
  func want(_ key: PictureKey) { wanted.withLock { $0 = key } }

  func load(_ key: PictureKey) async {
    if !live.artwork.kept(at: key.url).isFresh {
      await TaskQueue.sleep(for: Self.rest)
      guard wanted.withLock({ $0 == key }) else { return }
      await fetch(key.url)
    }
    send(.picture(key, live.artwork.kept(at: key.url).picture.map { ready($0, key) }))
  }

  /// The first word of the command line of that process.
  static let command = "__artwork"

  private func ready(_ picture: Picture, _ key: PictureKey) -> PlacedPicture {
    var text = PictureText(kind: key.kind, rows: key.size.rows)
    if let height = ScreenSession.cellHeight { text.cellHeight = height }
    // Sixels do not take half blocks of the same size for themselves.
    let id = Int(SHA1.hex("\(key.kind) \(key.url)").prefix(6), radix: 16) ?? 1
    return text.placed(picture, id: max(1, id), columns: key.size.columns)
  }
}
