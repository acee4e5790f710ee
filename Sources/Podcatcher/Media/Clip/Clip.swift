internal import Playback
package import PodcastModel

/// A stretch of an episode that becomes a file of its own.
package struct Clip: Sendable {
  package var entry: EpisodeEntry
  /// Positions in the episode.
  package var range: Range<Duration>
  /// Of the whole episode.
  package var chapters: [Chapter]
  /// Its ends stay where they are, though a word may be cut there.
  package var isExact: Bool

  package init(entry: EpisodeEntry, range: Range<Duration>, chapters: [Chapter], isExact: Bool = false) {
    self.entry = entry
    self.range = range
    self.chapters = chapters
    self.isExact = isExact
  }

  /// A readable name for its file: `Late Night Linux - Episode 312 41.07-41.52.mp3`.
  package var fileName: String {
    let times = [range.lowerBound, range.upperBound].map(Self.clock).joined(separator: "-")
    let titles = [entry.podcast.title, entry.episode.title].map { FileNameText.readable($0, upTo: Self.longestTitle) }
      .filter { !$0.isEmpty }
    return titles.joined(separator: " - ") + " " + times + "." + ending
  }

  /// Two of them, the times and the ending of a draft fit into the 255 bytes of a name.
  private static let longestTitle = 100

  /// That of the episode's file.
  var ending: String {
    let ending = MediaFileEnding.of(entry.episode.enclosure)
    return SoundFormat.byEnding[ending] == nil ? "mp3" : ending
  }

  /// Whether the name of a file says a kind that cannot be written. Another ending is part of the name.
  package static func isOfOtherKind(_ path: String) -> Bool {
    guard let dot = path.lastIndex(of: ".") else { return false }
    return otherEndings.contains(path[path.index(after: dot)...].lowercased())
  }

  private static let otherEndings: Set<String> = [
    "ac3", "aif", "aiff", "amr", "ape", "avi", "caf", "json", "md", "mka", "mkv", "mp2", "pdf", "srt", "txt", "vtt",
    "wma",
    "wv",
  ]

  /// The kinds of file that can be written.
  package static var endings: [String] { SoundFormat.byEnding.keys.sorted() }

  var title: String { entry.episode.title + " (clip)" }

  /// Those in the stretch, with times from its beginning.
  var shiftedChapters: [Chapter] {
    let (from, to) = (range.lowerBound.inSeconds, range.upperBound.inSeconds)
    let listed = chapters.filter(\.isListed).sorted { $0.start < $1.start }
    return listed.indices.compactMap { index in
      var chapter = listed[index]
      let end = chapter.end ?? (index + 1 < listed.count ? listed[index + 1].start : .infinity)
      guard chapter.start < to, end > from else { return nil }
      (chapter.start, chapter.end) = (max(chapter.start, from) - from, min(end, to) - from)
      return chapter
    }
  }

  private static func clock(_ position: Duration) -> String {
    let seconds = position.components.seconds
    let parts = seconds < 3600 ? [seconds / 60, seconds % 60] : [seconds / 3600, seconds / 60 % 60, seconds % 60]
    return parts.map { $0 < 10 ? "0\($0)" : String($0) }.joined(separator: ".")
  }
}

/// The destination of a clip.
package enum ClipTarget: Sendable {
  case file(String, replaces: Bool)
  /// An open pipe.
  case descriptor(Int32)

  var path: String {
    switch self {
    case .file(let path, _): path
    case .descriptor: "-"
    }
  }
}

/// A clip that was made.
package struct CutClip: Hashable, Sendable {
  /// The stretch that is heard in it.
  package var range: Range<Duration>
  /// In bytes.
  package var size: Int64
}

/// Why there is no clip.
package enum ClipError: Error, Sendable {
  case listen(ListenError)
  /// The media file is no longer than this, as far as that is known.
  case behindItsEnd(Duration?)
  /// A file that cannot be written, and why.
  case file(String, String)
  case diskFull(String)
  case exists(String)
  /// The reader of the clip has gone.
  case closedPipe
}
