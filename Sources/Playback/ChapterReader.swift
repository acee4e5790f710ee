internal import System

/// Reads the chapter marks inside a media file that does not play.
package enum ChapterReader {
  /// Empty where the file has none or cannot be read, and where libmpv is not installed.
  package static func chapters(inFile path: String) async -> [MediaChapter] {
    await withCheckedContinuation { continuation in
      onThread { continuation.resume(returning: (try? ChapterCore())?.chapters(inFile: path) ?? []) }
    }
  }
}
