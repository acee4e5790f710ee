import Podcatcher
import ScreenKit
import Text

/// Makes pictures ready for the screen. Another process fetches and decodes those that the cache lacks.
struct PictureLoader: Sendable {
  let live: Live
  let programs: ScreenPrograms
  let send: @Sendable (ScreenEvent) -> Void

  func load(_ key: PictureKey) async {
    if !live.artwork.kept(at: key.url).isFresh { await programs.run([Self.command, key.url]) }
    send(.picture(key, live.artwork.kept(at: key.url).picture.map { ready($0, key) }))
  }

  /// The first word of the command line of that process.
  static let command = "__artwork"

  private func ready(_ picture: Picture, _ key: PictureKey) -> PlacedPicture {
    var text = PictureText(kind: key.kind, rows: key.size.rows)
    if let height = ScreenSession.cellHeight { text.cellHeight = height }
    let id = Int(SHA1.hex(key.url).prefix(6), radix: 16) ?? 1
    return text.placed(picture, id: max(1, id), columns: key.size.columns)
  }
}
