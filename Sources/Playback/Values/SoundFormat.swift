/// A kind of sound file that libmpv can write.
package struct SoundFormat: Hashable, Sendable {
  /// As libavformat calls it.
  let container: String
  /// As libavcodec calls it.
  let codec: String
  /// For the encoder; nil where nothing is lost.
  let options: String?

  var isWave: Bool { container == "wav" }

  package static let mp3 = Self(container: "mp3", codec: "libmp3lame", options: "b=128000")
  private static let mp4 = Self(container: "ipod", codec: "aac", options: "b=128000")
  /// Quality 4: libvorbis takes a bit rate only where it fits the sampling rate.
  private static let ogg = Self(container: "ogg", codec: "libvorbis", options: "flags=+qscale,global_quality=472")
  private static let opus = Self(container: "opus", codec: "libopus", options: "b=96000")
  private static let webm = Self(container: "webm", codec: "libopus", options: "b=96000")
  private static let wav = Self(container: "wav", codec: "pcm_s16le", options: nil)

  /// By the ending of a file's name.
  package static let byEnding: [String: Self] = [
    "mp3": mp3, "m4a": mp4, "m4b": mp4, "mp4": mp4, "m4v": mp4, "mov": mp4, "ogg": ogg, "oga": ogg, "opus": opus,
    "webm": webm, "wav": wav, "flac": Self(container: "flac", codec: "flac", options: nil),
    "aac": Self(container: "adts", codec: "aac", options: "b=128000"),
  ]
}
