/// Encodes a stretch of a media file into a file of its own, by libmpv.
package enum SoundEncoder {
  /// Waits until the file is whole; not for a task. Returns the length of the media file, where libmpv knows it: where
  /// the stretch begins behind that, nothing was written. `tags` are names of libavformat and their values.
  package static func encode(
    _ media: MediaSource, _ range: Range<Duration>, as format: SoundFormat, tags: [(name: String, value: String)],
    to path: String
  ) throws(PlaybackError) -> Duration? {
    let core = try EncodingCore(range, format, tags: tags, to: path)
    let length = Result { () throws(PlaybackError) in try core.encode(media) }
    core.free()
    if format.isWave {
      let end = min(range.upperBound, (try? length.get()) ?? range.upperBound)
      WaveEnd.cut(path, to: (end - range.lowerBound) / .seconds(1))
    }
    return try length.get()
  }
}
