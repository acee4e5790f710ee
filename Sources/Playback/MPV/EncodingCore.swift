private import CMPV

/// A libmpv core that writes a file instead of playing. It is made, used and freed on one thread.
final class EncodingCore {
  private let mpv: podcli_mpv
  private let core: OpaquePointer
  private let byteSources = ByteSourceRegistry()
  private let start: Duration

  init(
    _ range: Range<Duration>, _ format: SoundFormat, tags: [(name: String, value: String)], to path: String
  ) throws(PlaybackError) {
    mpv = try MPVLibrary.table()
    guard let core = mpv.mpv_create() else { throw PlaybackError(.failed, "libmpv does not start") }
    self.core = core
    start = range.lowerBound
    // Quoted by its length, so that nothing in it can be taken for another one.
    let metadata = tags.map { "\($0.name)=%\($0.value.utf8.count)%\($0.value)" }.joined(separator: ",")
    var options =
      MPVOptions.fixed + [
        ("hr-seek", "yes"), ("start", range.lowerBound.mpvSeconds), ("end", range.upperBound.mpvSeconds), ("o", path),
        ("of", format.container), ("oac", format.codec), ("ocopy-metadata", "no"), ("oset-metadata", metadata),
      ]
    if let encoder = format.options { options.append(("oacopts", encoder)) }
    for (name, value) in options { _ = mpv.mpv_set_option_string(core, name, value) }
    let code = mpv.mpv_initialize(core)
    guard code >= 0 else {
      mpv.mpv_terminate_destroy(core)
      throw PlaybackError(mpv, code: code)
    }
    _ = byteSources.register(with: mpv, core)
    _ = mpv.mpv_hook_add(core, 0, "on_preloaded", 0)
  }

  /// The end of the file is written now.
  func free() { mpv.mpv_terminate_destroy(core) }

  /// Returns the length of the media file.
  func encode(_ media: MediaSource) throws(PlaybackError) -> Duration? {
    load(media)
    var length: Duration?
    while let event = mpv.mpv_wait_event(core, -1)?.pointee {
      switch event.event_id {
      // The core waits, so the length is that of the file also where nothing of it is to be encoded.
      case MPV_EVENT_HOOK:
        length = duration()
        _ = mpv.mpv_hook_continue(core, event.data.assumingMemoryBound(to: mpv_event_hook.self).pointee.id)
      case MPV_EVENT_SHUTDOWN: throw PlaybackError(.engineLost, "the engine broke down")
      case MPV_EVENT_END_FILE:
        let end = event.data.assumingMemoryBound(to: mpv_event_end_file.self).pointee
        let isBehindItsEnd = length.map { $0 <= start } ?? false
        guard end.reason == MPV_END_FILE_REASON_ERROR, !isBehindItsEnd else { return length }
        throw failure(end.error)
      default: break
      }
    }
    return length
  }

  /// The encoder takes the place of an audio output.
  private func failure(_ code: Int32) -> PlaybackError {
    let error = PlaybackError(mpv, code: code)
    return error.code == .noAudioOutput
      ? PlaybackError(.cannotDecode, "the encoder does not take this sound", engineCode: code) : error
  }

  private func load(_ media: MediaSource) {
    let address =
      switch media {
      case .file(let path): path
      case .bytes(let source): byteSources.address(of: source)
      }
    address.withCString { address in
      "loadfile".withCString { verb in
        var words: [UnsafePointer<CChar>?] = [verb, address, nil]
        _ = mpv.mpv_command_ret(core, &words, nil)
      }
    }
  }

  private func duration() -> Duration? {
    var value = 0.0
    guard mpv.mpv_get_property(core, "duration", MPV_FORMAT_DOUBLE, &value) >= 0 else { return nil }
    return Duration(mpvSeconds: value)
  }
}
