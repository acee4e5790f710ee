private import CMPV
private import Glibc

/// A libmpv core. Every call but `wake` is made on the loop's thread only.
///
/// `@unchecked Sendable`: nothing in it changes after `init`, libmpv documents `mpv_wakeup` as safe from any
/// thread, and `MPVLoop` lets no `wake` come after `free`.
final class MPVHandle: @unchecked Sendable {
  private let mpv: podcli_mpv
  private let core: OpaquePointer
  private let byteSources = ByteSourceRegistry()

  init(options: [(name: String, value: String)]) throws(PlaybackError) {
    mpv = try MPVLibrary.table()
    guard let core = mpv.mpv_create() else { throw PlaybackError(.failed, "libmpv does not start") }
    self.core = core
    for option in options { _ = mpv.mpv_set_option_string(core, option.name, option.value) }
    let code = mpv.mpv_initialize(core)
    guard code >= 0 else {
      mpv.mpv_terminate_destroy(core)
      throw PlaybackError(mpv, code: code)
    }
    _ = byteSources.register(with: mpv, core)
    _ = mpv.mpv_hook_add(core, 0, "on_preloaded", 0)
    for property in ObservedProperty.allCases {
      _ = mpv.mpv_observe_property(core, property.rawValue, property.name, property.format)
    }
  }

  func wake() { mpv.mpv_wakeup(core) }

  /// Waits for libmpv to let go of everything. The byte sources outlive it.
  func free() {
    byteSources.cancelAll()
    mpv.mpv_terminate_destroy(core)
  }

  @discardableResult
  func command(_ words: [String]) -> Int32 { withResult(words) { code, _ in code } }

  /// To the exact position, not the nearest frame that is quick to reach.
  func seek(to position: Duration) { command(["seek", position.mpvSeconds, "absolute+exact"]) }

  func seek(by offset: Duration) { command(["seek", offset.mpvSeconds, "relative+exact"]) }

  func set(_ name: String, _ value: String) { _ = mpv.mpv_set_property_string(core, name, value) }

  func apply(_ state: inout EventReducer) {
    set("af", state.filterChain)
    setSpeed(state.snapshot.sound.speed, &state)
    set("volume", String(state.volume))
  }

  func setSpeed(_ speed: Double, _ state: inout EventReducer) {
    guard let former = double("speed"), former != speed else { return }
    let before = double("audio-pts")
    set("speed", String(speed))
    guard let before, let after = double("audio-pts") else { return }
    state.note(SpeedLag.Change(former: former, speed: speed, before: before, after: after))
  }

  /// Hands the media file to libmpv and returns its number in libmpv's playlist.
  func load(_ media: MediaSource, _ options: LoadOptions) -> Result<Int64, PlaybackError> {
    set("pause", options.isPaused ? "yes" : "no")
    return loadfile(media, "replace", options)
  }

  /// Plays the media file behind the one that plays now, or at once where that has just ended.
  func queue(_ media: MediaSource, _ options: LoadOptions) -> Result<Int64, PlaybackError> {
    loadfile(media, "append-play", options)
  }

  private func loadfile(
    _ media: MediaSource, _ how: String, _ options: LoadOptions
  ) -> Result<Int64, PlaybackError> {
    var words = ["loadfile", address(of: media), how]
    // Since API 2.3 an index in the playlist comes before the options.
    if mpv.mpv_client_api_version() >= 2 << 16 | 3 { words.append("-1") }
    words.append(Self.fileOptions(media, options))
    return withResult(words) { code, result in
      guard code >= 0, let entry = result.integer(named: "playlist_entry_id") else {
        return .failure(PlaybackError(mpv, code: code))
      }
      return .success(entry)
    }
  }

  private func address(of media: MediaSource) -> String {
    switch media {
    case .file(let path): path
    case .bytes(let source): byteSources.address(of: source)
    }
  }

  static func fileOptions(_ media: MediaSource, _ options: LoadOptions) -> String {
    var list: [String] = []
    // A file on this machine is read as it is needed, without a thread and a cache. A byte source may block.
    if case .file = media { list += ["demuxer-thread=no", "cache=no"] }
    // No seek where playing starts at the beginning.
    if let start = options.start, start > .zero { list.append("start=" + start.mpvSeconds) }
    // Quoted by its length, so that nothing in it can be taken for an option.
    if let title = options.title { list.append("force-media-title=%\(title.utf8.count)%\(title)") }
    if let gain = options.correction.gainOverTags { list += ["replaygain=track", "replaygain-preamp=\(gain)"] }
    if options.isScalable {
      let demuxer = MPVOptions.demuxer + ",fflags=+fastseek"
      list.append("demuxer-lavf-o=%\(demuxer.utf8.count)%\(demuxer)")
    }
    return list.joined(separator: ",")
  }

  private func withResult<T>(_ words: [String], _ use: (Int32, mpv_node) -> T) -> T {
    var arguments = words.map { UnsafePointer(strdup($0)) } + [nil]
    defer { for argument in arguments { Glibc.free(UnsafeMutablePointer(mutating: argument)) } }
    var result = mpv_node()
    let code = mpv.mpv_command_ret(core, &arguments, &result)
    defer { if code >= 0 { mpv.mpv_free_node_contents(&result) } }
    return use(code, result)
  }

  /// Waits. Nil for an event that is not used, or when woken. `prepare` is called before the sound of a file that has just
  /// been opened is decoded.
  func nextEvent(prepare: () -> Void) -> EngineEvent? {
    guard let event = mpv.mpv_wait_event(core, -1)?.pointee else { return nil }
    switch event.event_id {
    case MPV_EVENT_START_FILE:
      return event.read(mpv_event_start_file.self).map { .started(entry: $0.playlist_entry_id) }
    case MPV_EVENT_END_FILE:
      // An end because the core ends is reported by the loop, once there is another core.
      return event.read(mpv_event_end_file.self).flatMap { end in
        end.reason == MPV_END_FILE_REASON_QUIT ? nil : .ended(entry: end.playlist_entry_id, reason(of: end))
      }
    case MPV_EVENT_HOOK: return event.read(mpv_event_hook.self).map { opened($0, prepare) }
    case MPV_EVENT_PLAYBACK_RESTART: return .restarted(at: double("time-pos"))
    case MPV_EVENT_SEEK: return .seeking
    case MPV_EVENT_SHUTDOWN: return .shutdown
    case MPV_EVENT_PROPERTY_CHANGE:
      guard let property = ObservedProperty(rawValue: event.reply_userdata),
        let change = event.read(mpv_event_property.self)
      else { return nil }
      return property.value(change).map { .property($0) }
    default: return nil
    }
  }

  /// The core waits until `mpv_hook_continue`, so the duration that it reports now is that of the file that it has just
  /// opened, and is known even if that ends at once.
  private func opened(_ hook: mpv_event_hook, _ prepare: () -> Void) -> EngineEvent {
    prepare()
    defer { _ = mpv.mpv_hook_continue(core, hook.id) }
    return .opened(duration: double("duration"), tagGain: tagGain)
  }

  /// No track is chosen yet. Only tracks of sound have one.
  private var tagGain: TagGain? {
    for track in 0..<4 {
      if let gain = double("track-list/\(track)/replaygain-track-gain"),
        let peak = double("track-list/\(track)/replaygain-track-peak")
      {
        return TagGain(gain: gain, peak: peak)
      }
    }
    return nil
  }

  /// The first number in libmpv's playlist. A cleared playlist keeps only the file that plays.
  var firstEntry: Int64? {
    var entry: Int64 = 0
    return mpv.mpv_get_property(core, "playlist/0/id", MPV_FORMAT_INT64, &entry) >= 0 ? entry : nil
  }

  private func double(_ name: String) -> Double? {
    var value = 0.0
    return mpv.mpv_get_property(core, name, MPV_FORMAT_DOUBLE, &value) >= 0 ? value : nil
  }

  private func reason(of end: mpv_event_end_file) -> EndReason {
    switch end.reason {
    case MPV_END_FILE_REASON_EOF: .reachedEnd
    case MPV_END_FILE_REASON_ERROR: .failed(PlaybackError(mpv, code: end.error))
    default: .stopped
    }
  }
}

extension mpv_event {
  fileprivate func read<T>(_ type: T.Type) -> T? { data?.assumingMemoryBound(to: type).pointee }
}
