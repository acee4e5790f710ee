private import Glibc
internal import Playback
internal import PodcastModel
internal import System

extension MP3Layout {
  /// Of a whole file.
  init?(file path: String) {
    guard path.hasSuffix(".mp3"), let size = RegularFile.size(of: path) else { return nil }
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard let layout = Self.read(size: size, { Self.bytes(of: file, 0, Int(min($0, size))) }) else { return nil }
    self = layout
  }

  static func bytes(of file: Int32, _ offset: Int64, _ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
      read = max(0, pread(file, buffer.baseAddress, buffer.count, off_t(offset)))
    }
  }

  /// `beginning` hands out so many bytes from the start, or as many as there are.
  static func read(size: Int64?, _ beginning: (Int64) -> [UInt8]) -> MP3Layout? {
    var count: Int64 = 4 << 10
    while count < 32 << 20 {
      let bytes = beginning(count)
      switch read(bytes, size: size, isAll: bytes.count < count) {
      case .layout(let layout): return layout
      case .needs(let more): count = max(more, count + 1)
      case .notMP3: return nil
      }
    }
    return nil
  }

  func isScalable(_ episode: Episode, size: Int64?) -> Bool {
    isConstant && !contradicts(seconds: toldSeconds ?? episode.duration?.inSeconds, size: size)
  }

  /// How many frames there are, as far as that can be told. There is sound at least up to `position`.
  func frames(_ episode: Episode, size: Int64, after position: Duration, in bytes: @escaping PresentBytes) -> Int64? {
    guard let frame = MP3Frame(first, at: 0) else { return nil }
    if let frames = tag?.frames, frames > 0 { return frames }
    let seconds = episode.duration?.inSeconds ?? 0
    let bitrate = Double(size - sound) * 8 / max(seconds, 1)
    let told = Int64((seconds * Double(MP3Point.ticksPerSecond)).rounded())
    let ticks = MP3Frame.bitrates.contains(bitrate) ? told : length(size: size, by: bytes)
    return max(ticks, (position + .seconds(1)).ticks) / frame.ticks + 1
  }

  /// In ticks, if all of it is like its beginning.
  private func length(size: Int64, by bytes: @escaping PresentBytes) -> Int64 {
    let enough: Int64 = 8 << 20
    var line = MP3Line(from: MP3Point(tick: 0, byte: sound))
    _ = line.frame(with: sound + enough) { offset, count in offset > sound + enough ? [] : bytes(offset, count) }
    let (known, heard) = (line.last.byte - sound, line.last.tick)
    let ticks = Double(MP3Point.ticksPerSecond) * 8 / Double(bitrate)
    return Int64(Double(size - sound) * (known > 0 ? Double(heard) / Double(known) : ticks))
  }

  func timeline(frames: Int64, size: Int64) -> MP3Timeline? {
    guard let frame = MP3Frame(first, at: 0) else { return nil }
    let (length, isOverflow) = frames.multipliedReportingOverflow(by: frame.ticks)
    // Days of sound, or no sound at all.
    guard !isOverflow, length > 0, length < 1 << 42 else { return nil }
    let contents = tag?.contents.map { MP3Point(tick: $0.frame * frame.ticks, byte: start + $0.offset) } ?? []
    return MP3Timeline(sound: sound, size: size, length: length, contents: contents)
  }
}

extension MP3Layout {
  /// The length of the sound, where the tag tells it and its number of bytes is that of the file: any other number may be
  /// wrong, and would end the episode early.
  fileprivate func toldLength(of timeline: MP3Timeline, frames: Int64, size: Int64) -> Duration? {
    guard let tag, tag.size != nil, tag.frames == frames else { return nil }
    let length = Duration(ticks: timeline.length - lead - padding)
    guard length > .zero, MP3Frame.bitrates.contains(Double(size - sound) * 8 / length.inSeconds) else { return nil }
    return length
  }
}

extension MP3Frame {
  /// The average bit rates that a whole file may have.
  fileprivate static let bitrates = 8_000.0...320_000.0
}

/// How the engine finds a position in a streamed media file.
enum MediaAccess {
  /// The engine searches by itself; in some formats by reading all bytes before.
  case plain
  /// Every time is an offset in the file.
  case scalable
  case timed(TimedMedia)
}

extension StreamedMedia {
  /// Reads the first bytes, which the engine reads first, too.
  func access(_ episode: Episode, position: Duration) async -> MediaAccess {
    startFilling()
    // It is not closed: without a reader the fill would stop until the engine opens its own.
    let stream = MediaReader(self)
    defer { stream.cancel() }
    return await withTaskCancellationHandler {
      await BlockingWork.run { [self] in access(episode, position, through: stream) }
    } onCancel: {
      stream.cancel()
    }
  }

  private func access(_ episode: Episode, _ position: Duration, through stream: any ByteStream) -> MediaAccess {
    // The end of a connection that told no length may not be the end of the file.
    guard let size = stream.size, unprovenSize == nil else { return .plain }
    let layout = MP3Layout.read(size: size) { stream.bytes(Int($0), from: 0) }
    if let layout, layout.isScalable(episode, size: size) { return .scalable }
    if let timed = layout.flatMap({ timed($0, episode, size: size, position) }) { return .timed(timed) }
    fill.state.change { $0.isUnindexed = true }
    return .plain
  }

  private func timed(_ layout: MP3Layout, _ episode: Episode, size: Int64, _ position: Duration) -> TimedMedia? {
    guard let frames = layout.frames(episode, size: size, after: position, in: fill.present), frames < 1 << 32,
      let head = layout.head(announcing: frames), let timeline = layout.timeline(frames: frames, size: size)
    else { return nil }
    return TimedMedia(
      self, timeline, head, toldLength: layout.toldLength(of: timeline, frames: frames, size: size))
  }
}
