internal import CMPV

/// libmpv, opened on first use: it brings some 230 shared objects with it.
enum MPVLibrary {
  private static let loaded: Result<podcli_mpv, PlaybackError> = load()

  static func table() throws(PlaybackError) -> podcli_mpv { try loaded.get() }

  private static func load() -> Result<podcli_mpv, PlaybackError> {
    var mpv = podcli_mpv()
    if let missing = podcli_mpv_load(&mpv) {
      return .failure(PlaybackError(.libraryMissing, String(cString: missing)))
    }
    return .success(mpv)
  }
}

extension PlaybackError {
  init(_ mpv: podcli_mpv, code: Int32) {
    let message = mpv.mpv_error_string(code).map { String(cString: $0) } ?? "unknown error"
    self.init(Self.code(for: code), message, engineCode: code)
  }

  private static func code(for code: Int32) -> Code {
    switch mpv_error(code) {
    case MPV_ERROR_AO_INIT_FAILED: .noAudioOutput
    case MPV_ERROR_UNKNOWN_FORMAT, MPV_ERROR_NOTHING_TO_PLAY: .cannotDecode
    case MPV_ERROR_LOADING_FAILED: .cannotOpen
    default: .failed
    }
  }
}
