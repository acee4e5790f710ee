private import Glibc
internal import System

/// Decodes a media file as fast as the machine allows, beside whatever plays, by a libmpv core of its own.
package enum SoundDecoder {
  /// Decodes the media file from `start` on, tenth by tenth of a second, on a thread that every other goes before. `take`
  /// returns false to stop. Returns the number of the file's channels after its end. `sampleRate`: of the samples.
  @discardableResult
  package static func decode(
    _ media: MediaSource, from start: Duration = .zero, sampleRate: Int = DecodedSound.sampleRate,
    _ take: @escaping @Sendable (DecodedSound) -> Bool
  ) async throws(PlaybackError) -> Int? {
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Int?, PlaybackError>, Never>) in
      onThread {
        // Linux has a niceness for each thread, and libmpv's threads inherit it.
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
        continuation.resume(
          returning: Result { () throws(PlaybackError) in try SoundCore(sampleRate).decode(media, from: start, take) })
      }
    }
    return try result.get()
  }

  /// The same of a file.
  @discardableResult
  package static func decode(
    file path: String, from start: Duration = .zero, sampleRate: Int = DecodedSound.sampleRate,
    _ take: @escaping @Sendable (DecodedSound) -> Bool
  ) async throws(PlaybackError) -> Int? {
    try await decode(.file(path), from: start, sampleRate: sampleRate, take)
  }
}
