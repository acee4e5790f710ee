internal import System

/// Reads the chapter marks inside a media file that does not play.
package enum ChapterReader {
  /// Nil where the file cannot be read, or takes too long, and where libmpv is not installed.
  package static func chapters(inFile path: String) async -> [MediaChapter]? {
    await withCheckedContinuation { continuation in
      onThread {
        let core = try? ChapterCore()
        continuation.resume(returning: core?.chapters(inFile: path, within: .seconds(5)))
        // To free it can take as long as what it reads.
        withExtendedLifetime(core) {}
      }
    }
  }
}
