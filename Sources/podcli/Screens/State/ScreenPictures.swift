import PodcastModel
import Podcatcher
import ScreenKit

/// A picture at a size, as a kind of terminal draws it.
struct PictureKey: Hashable, Sendable {
  var url: String
  var kind: PictureText.Kind
  /// At most so large.
  var size: Size
}

/// The picture that belongs on a page, and where.
struct PictureArea: Hashable {
  var key: PictureKey
  var origin: Point
}

extension ScreenState {
  /// Nil where the page has no room, the terminal draws none, or there is no picture.
  var pictureArea: PictureArea? {
    guard let kind = pictureKind, palette == nil, output == nil, let (origin, room) = pictureRoom,
      let url = pictureURL, url.hasPrefix("https://") || url.hasPrefix("http://")
    else { return nil }
    let key = PictureKey(url: url, kind: kind, size: room)
    // Known to be none.
    if let known = pictures[key], known == nil { return nil }
    return PictureArea(key: key, origin: origin)
  }

  private var pictureRoom: (Point, Size)? {
    let layout = ScreenLayout(self)
    if let side = layout.side, page != .podcasts, layout.body.count >= 16 {
      let room = page == .playing ? Size(columns: min(24, side.count), rows: 12) : Size(columns: 16, rows: 8)
      return (Point(column: side.lowerBound, row: layout.body.lowerBound), room)
    }
    guard page == .playing, size.columns >= 60, size.rows >= 16 else { return nil }
    return (Point(column: 1, row: layout.body.lowerBound), Size(columns: 8, rows: 4))
  }

  /// The picture of the chapter, else of the episode, else of the podcast.
  private var pictureURL: String? {
    guard let entry = selectedEntry else { return nil }
    if page == .playing, let index = player.chapter?.index, transcript.chapters.indices.contains(index - 1),
      let image = transcript.chapters[index - 1].image
    {
      return image
    }
    return entry.episode.image ?? images[entry.podcast.id]
  }
}
