private import CMPV
private import Glibc
private import Synchronization
internal import System

/// A libmpv core that writes what it decodes into two pipes, without waiting for a clock: the samples, and the figures
/// of ebur128 for each tenth of a second. It is made and used on one thread, whose niceness its own threads inherit.
///
/// The figures come through a pipe because an observed `af-metadata` leaves frames out.
final class SoundCore {
  private let core: Core
  private let samples: Pipe
  private let figures: Pipe
  private let sampleRate: Int

  /// libmpv frees itself on another thread, while this one still reads what it writes.
  ///
  /// `@unchecked Sendable`: nothing in it changes after `init`, and `free` is the last call.
  private final class Core: @unchecked Sendable {
    let mpv: podcli_mpv
    let handle: OpaquePointer
    private let byteSources = ByteSourceRegistry()

    init(_ options: [(name: String, value: String)]) throws(PlaybackError) {
      mpv = try MPVLibrary.table()
      guard let handle = mpv.mpv_create() else { throw PlaybackError(.failed, "libmpv does not start") }
      self.handle = handle
      for (name, value) in options { _ = mpv.mpv_set_option_string(handle, name, value) }
      let code = mpv.mpv_initialize(handle)
      guard code >= 0 else {
        mpv.mpv_terminate_destroy(handle)
        throw PlaybackError(mpv, code: code)
      }
      _ = byteSources.register(with: mpv, handle)
      _ = mpv.mpv_hook_add(handle, 0, "on_preloaded", 0)
    }

    func load(_ media: MediaSource) {
      let address =
        switch media {
        case .file(let path): path
        case .bytes(let source): byteSources.address(of: source)
        }
      address.withCString { path in
        "loadfile".withCString { verb in
          var words: [UnsafePointer<CChar>?] = [verb, path, nil]
          _ = mpv.mpv_command_ret(handle, &words, nil)
        }
      }
    }

    /// Nil until the file has ended. `channels`: their number, once it is known.
    func end(_ channels: inout Int?) -> Result<Void, PlaybackError>? {
      while let event = mpv.mpv_wait_event(handle, 0)?.pointee, event.event_id != MPV_EVENT_NONE {
        if event.event_id == MPV_EVENT_HOOK { channels = opened(event) }
        guard event.event_id == MPV_EVENT_END_FILE,
          let end = event.data?.assumingMemoryBound(to: mpv_event_end_file.self).pointee
        else { continue }
        return end.reason == MPV_END_FILE_REASON_EOF ? .success(()) : .failure(PlaybackError(mpv, code: end.error))
      }
      return nil
    }

    /// The core waits until `mpv_hook_continue`, so nothing is written into a pipe yet, and the file cannot end.
    private func opened(_ event: mpv_event) -> Int? {
      defer {
        if let hook = event.data?.assumingMemoryBound(to: mpv_event_hook.self).pointee {
          _ = mpv.mpv_hook_continue(handle, hook.id)
        }
      }
      for track in 0..<4 {
        var count: Int64 = 0
        let name = "track-list/\(track)/demux-channel-count"
        // Only tracks of sound have one.
        if mpv.mpv_get_property(handle, name, MPV_FORMAT_INT64, &count) >= 0 { return Int(count) }
      }
      return nil
    }

    /// The byte sources outlive it.
    func free() { mpv.mpv_terminate_destroy(handle) }
  }

  init(_ sampleRate: Int) throws(PlaybackError) {
    guard let samples = Pipe(), let figures = Pipe() else {
      throw PlaybackError(.failed, String(cString: strerror(errno)))
    }
    (self.samples, self.figures, self.sampleRate) = (samples, figures, sampleRate)
    core = try Core(
      MPVOptions.fixed + [
        ("ao", "pcm"), ("ao-pcm-file", samples.path), ("ao-pcm-waveheader", "no"), ("untimed", "yes"), ("cache", "no"),
        ("demuxer-thread", "no"), ("af", Self.filters(figures.path, sampleRate)),
      ])
  }

  /// The samples have two channels: all channels as one, and the difference of the two that they are mixed down to. Nothing
  /// above half the sample rate is compared.
  ///
  /// Mono on two loudspeakers is as loud as two equal channels, and is measured so.
  private static func filters(_ figures: String, _ sampleRate: Int) -> String {
    let print = ["M", "sample_peak"].map { "ametadata=mode=print:key=lavfi.r128.\($0):direct=1:file=\(figures)" }
    let mono = "aformat=sample_fmts=s16:channel_layouts=mono"
    let difference = "aformat=channel_layouts=stereo,pan=mono|c0=c0-c1,\(mono)"
    // Between two filters that leave channels as they are, the format that one asks for is that of both.
    let branches = "asplit[one][two];[one]aresample,\(mono)[all];[two]aresample,\(difference)[difference]"
    let samples = "aresample=\(sampleRate),\(branches)"
    let graph = "ebur128=metadata=1:peak=sample:dualmono=1,\(print.joined(separator: ",")),\(samples)"
    return "lavfi=[\(graph);[all][difference]amerge]"
  }

  /// Returns the number of the file's channels.
  func decode(
    _ media: MediaSource, from start: Duration, _ take: (DecodedSound) -> Bool
  ) throws(PlaybackError) -> Int? {
    _ = core.mpv.mpv_set_option_string(core.handle, "start", start.mpvSeconds)
    core.load(media)
    var pieces = SoundPieces(from: start / .seconds(1), sampleRate: sampleRate)
    var end: Result<Void, PlaybackError>?
    var channels: Int?
    var (isWanted, isFreed) = (true, false)
    while samples.isOpen || figures.isOpen {
      Pipe.wait(samples, figures)
      samples.read { pieces.add(samples: $0) }
      figures.read { pieces.add(figures: $0) }
      while isWanted, let piece = pieces.next() { isWanted = take(piece) }
      if !isFreed { end = core.end(&channels) ?? end }
      guard !isFreed, end != nil || !isWanted else { continue }
      isFreed = true
      onThread { [core, samples, figures] in
        core.free()
        samples.closeWriting()
        figures.closeWriting()
      }
    }
    while isWanted, let piece = pieces.last() { isWanted = take(piece) }
    if isWanted { try end?.get() }
    return channels
  }
}

/// A pipe to a path, for what can only write files. The reading end is used on one thread.
///
/// `@unchecked Sendable`: of its two threads one only reads, and the other closes the writing end once.
private final class Pipe: @unchecked Sendable {
  private let input: Int32
  private let output: Int32
  private let isWritable = Atomic(true)
  private(set) var isOpen = true
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  init?() {
    guard let pipe = ChildProgram.pipe() else { return nil }
    (input, output) = pipe
    // More room, fewer changes from thread to thread.
    _ = fcntl(input, 1031 /* F_SETPIPE_SZ */, 1 << 19)
  }

  deinit {
    close(input)
    closeWriting()
  }

  /// Each opening of it writes into the pipe.
  var path: String { "/dev/fd/\(output)" }

  func closeWriting() {
    if isWritable.exchange(false, ordering: .acquiringAndReleasing) { close(output) }
  }

  /// Returns a little after one of them can be read, and now and then: the writers write some hundred times in ten
  /// milliseconds, and a change of threads for each would cost more than what is written. They fill a pipe in seventy.
  static func wait(_ first: Pipe, _ second: Pipe) {
    var waiting = [first, second].filter(\.isOpen).map { pollfd(fd: $0.input, events: Int16(POLLIN), revents: 0) }
    if poll(&waiting, nfds_t(waiting.count), 20) > 0 { usleep(10_000) }
  }

  /// Never waits.
  func read(_ take: (ArraySlice<UInt8>) -> Void) {
    while isOpen {
      var state = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
      guard poll(&state, 1, 0) > 0 else { return }
      let count = Glibc.read(input, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count > 0 { take(buffer[..<count]) } else { isOpen = false }
    }
  }
}
