private import CMPV

/// A libmpv core that opens a file for its chapter marks, and decodes nothing of it. It is made, used and freed on one thread.
final class ChapterCore {
  private let mpv: podcli_mpv
  private let core: OpaquePointer

  init() throws(PlaybackError) {
    mpv = try MPVLibrary.table()
    guard let core = mpv.mpv_create() else { throw PlaybackError(.failed, "libmpv does not start") }
    self.core = core
    let options = MPVOptions.fixed + [("ao", "null"), ("pause", "yes"), ("cache", "no"), ("demuxer-thread", "no")]
    for (name, value) in options { _ = mpv.mpv_set_option_string(core, name, value) }
    let code = mpv.mpv_initialize(core)
    guard code >= 0 else { throw PlaybackError(mpv, code: code) }
    _ = mpv.mpv_hook_add(core, 0, "on_preloaded", 0)
  }

  deinit { mpv.mpv_terminate_destroy(core) }

  /// Nil where the file cannot be opened within this time.
  func chapters(inFile path: String, within limit: Duration) -> [MediaChapter]? {
    guard command("loadfile", path) else { return nil }
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline, let event = mpv.mpv_wait_event(core, 0.05)?.pointee {
      switch event.event_id {
      case MPV_EVENT_HOOK:
        let chapters = listed()
        let hook = event.data.assumingMemoryBound(to: mpv_event_hook.self).pointee
        // Else it would begin to play.
        _ = command("stop")
        _ = mpv.mpv_hook_continue(core, hook.id)
        return chapters
      case MPV_EVENT_END_FILE, MPV_EVENT_SHUTDOWN: return nil
      default: break
      }
    }
    return nil
  }

  private func command(_ verb: String, _ argument: String? = nil) -> Bool {
    verb.withCString { verb in
      guard let argument else {
        var words: [UnsafePointer<CChar>?] = [verb, nil]
        return mpv.mpv_command_ret(core, &words, nil) >= 0
      }
      return argument.withCString { argument in
        var words: [UnsafePointer<CChar>?] = [verb, argument, nil]
        return mpv.mpv_command_ret(core, &words, nil) >= 0
      }
    }
  }

  private func listed() -> [MediaChapter]? {
    var node = mpv_node()
    guard mpv.mpv_get_property(core, "chapter-list", MPV_FORMAT_NODE, &node) >= 0 else { return nil }
    defer { mpv.mpv_free_node_contents(&node) }
    return node.chapters
  }
}
