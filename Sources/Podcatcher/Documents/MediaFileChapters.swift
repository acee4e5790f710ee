internal import Playback
internal import PodcastModel

/// The chapter marks inside media files.
enum MediaFileChapters {
  /// A single one says nothing.
  static func chapters(_ marks: [MediaChapter]) -> [Chapter] {
    guard marks.count > 1 else { return [] }
    return marks.map { mark in
      var chapter = Chapter(start: start(mark.start), title: mark.title)
      chapter.isEmbedded = true
      return chapter
    }
  }

  /// In an MP3 libmpv counts from the first sample behind the encoder's padding, and so tells each mark early by as much: 25 ms
  /// at 44.1 kHz, 138 ms at 8 kHz.
  private static func start(_ told: Double) -> Double {
    let second = told.rounded(.up)
    return second - told < 0.15 ? second : told
  }

  /// Those of a file that is here as a whole. Of others too little may be here. Nil where it cannot be read.
  static func chapters(inFileOf entry: EpisodeEntry) async -> [Chapter]? {
    guard let download = entry.download, download.state == .complete, let path = download.path else { return nil }
    return await ChapterReader.chapters(inFile: path).map(chapters)
  }
}
