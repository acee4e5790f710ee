/// A kind of sound file that libmpv can write.
package struct SoundFormat: Hashable, Sendable {
  /// As libavformat calls it.
  let container: String
  /// As libavcodec calls it.
  let codec: String
  /// In bits a second; nil where nothing is lost.
  let bitrate: Int?

  package static let mp3 = Self(container: "mp3", codec: "libmp3lame", bitrate: 128_000)
  private static let mp4 = Self(container: "ipod", codec: "aac", bitrate: 128_000)
  private static let ogg = Self(container: "ogg", codec: "libvorbis", bitrate: 128_000)
  private static let opus = Self(container: "opus", codec: "libopus", bitrate: 96_000)
  private static let webm = Self(container: "webm", codec: "libopus", bitrate: 96_000)
  private static let wav = Self(container: "wav", codec: "pcm_s16le", bitrate: nil)

  /// By the ending of a file's name.
  package static let byEnding: [String: Self] = [
    "mp3": mp3, "m4a": mp4, "m4b": mp4, "mp4": mp4, "m4v": mp4, "mov": mp4, "ogg": ogg, "oga": ogg, "opus": opus,
    "webm": webm, "wav": wav, "flac": Self(container: "flac", codec: "flac", bitrate: nil),
    "aac": Self(container: "adts", codec: "aac", bitrate: 128_000),
  ]
}
