private import Glibc
internal import Playback
internal import PodcastModel
internal import PodcastStore
private import Synchronization
internal import System

/// Marks of the user that follow an episode from one rendition of its media file to the next: the kept position,
/// bookmarks, skips and ties of the transcript.
///
/// Before bytes go, a print of them is kept with the marks that were made in them. Once the next rendition is here whole, all
/// are found in it; of one that is being fetched only the kept position is looked for. Nothing is done for an episode without marks.
struct FormerRenditions: Sendable {
  let store: PodcastStore

  // MARK: Before bytes go

  /// `ranges`: of `bytes` in the file that the record describes.
  private func keep(
    _ record: MediaRecord, _ ranges: [Range<Int64>], sound: SoundPrint? = nil,
    in bytes: @escaping @Sendable (Int64, Int) -> [UInt8]
  ) async {
    guard !ranges.isEmpty, (try? await store.hasMarks(record.episode)) == true else { return }
    let size = record.total ?? ranges.last?.upperBound ?? 0
    let frames = await BlockingWork.run { FramePrint(size: size, ranges, in: bytes).map(\.data) }
    var rendition = FormerRendition(episode: record.episode, frames: frames, sound: sound?.data)
    (rendition.size, rendition.etag, rendition.lastModified) = (
      record.total ?? record.unprovenSize, record.etag, record.lastModified
    )
    try? await store.keep(rendition)
  }

  func keep(_ record: MediaRecord, _ map: RangeMap, in file: PartialFile) async {
    await keep(record, map.ranges) { file.bytes($1, from: $0) }
  }

  func keep(_ record: MediaRecord, partly file: PartialFile) async {
    await keep(record, file.present(RangeMap(record.ranges), of: record.rendition), in: file)
  }

  /// Of bytes that a fill does not go on with, as the episode has another address now: they are those of the marks. Without
  /// a validator nothing would tell that it is the same file again.
  func keep(unused record: MediaRecord, in file: PartialFile) async {
    if record.validator != nil { await keep(record, partly: file) }
  }

  /// Of a file that is here whole.
  func keep(_ record: MediaRecord, file path: String) async {
    guard let file = WholeFile(path) else { return }
    await keep(record, [0..<file.size], sound: await soundPrint(of: record.episode, file: path), in: file.bytes)
  }

  // MARK: In a file that is here whole

  /// Moves the marks of all former renditions that the file at `path` is a rendition of. Nil where none has moved.
  func settle(_ id: EpisodeID, file path: String) async -> MovedMarks? {
    guard let former = try? await store.formerRenditions(of: id), !former.isEmpty, let file = WholeFile(path) else {
      return nil
    }
    let frames = await BlockingWork.run { FramePrint(size: file.size, [0..<file.size], in: file.bytes) }
    let sound = await soundPrint(of: id, file: path)
    var all = MovedMarks()
    for rendition in former {
      // No print of either, and the same length: the same file again.
      if rendition.frames == nil, rendition.size == file.size {
        try? await store.forget(rendition)
        continue
      }
      let map = await BlockingWork.run { self.map(from: rendition, to: frames, sound) }
      // Once the file is measured, its sound may tell.
      if map == nil, rendition.sound != nil, sound == nil { continue }
      // A mark that is not found stays one of the former rendition; of a position a bookmark stays.
      let followed = rendition.marks.map { $0.followed(by: map) }
        .filter { $0.position != nil || $0.mark.kind == .position }
      guard !followed.isEmpty, let moved = try? await store.move(followed, of: rendition) else { continue }
      if all.from == nil { (all.from, all.to) = (moved.from, moved.to) }
      all.others += moved.others
    }
    return all.isEmpty ? nil : all
  }

  /// By frames, which is exact; where the encoding is another one, by the sound.
  private func map(from old: FormerRendition, to frames: FramePrint?, _ sound: SoundPrint?) -> RenditionMap? {
    if let frames, let former = old.frames.flatMap(FramePrint.init(data:)),
      let map = FrameAlignment.map(from: former, to: frames).ofOneShow
    {
      return map
    }
    guard let sound, let former = old.sound.flatMap(SoundPrint.init(data:)) else { return nil }
    return SoundAlignment.map(from: former, to: sound).ofOneShow
  }

  /// Looks for the kept position, if it is of a former rendition, in the file at `path`, which has another encoding and was not
  /// measured, and moves it. The other marks move once it is measured. `say` hears that the listener waits.
  func find(_ id: EpisodeID, file path: String, say: (MediaNote?) -> Void) async -> MovedMarks? {
    guard let (rendition, mark) = await keptPosition(of: id),
      let sound = rendition.sound.flatMap(SoundPrint.init(data:))
    else { return nil }
    say(.aligning)
    defer { say(nil) }
    guard let found = await SoundSearch(sound, in: .file(path)).find(mark.start.inSeconds) else { return nil }
    return await move(mark, of: rendition, to: Duration(roundedSeconds: found))
  }

  /// Nil where it cannot be moved.
  private func move(_ mark: FormerMark, of rendition: FormerRendition, to position: Duration) async -> MovedMarks? {
    try? await store.move([FollowedMark(mark, position: position)], of: rendition)
  }

  /// Of the file at `path`, if it was measured.
  private func soundPrint(of id: EpisodeID, file path: String) async -> SoundPrint? {
    guard let record = try? await store.soundPrint(of: id), record.file == (await FileFingerprint.ofFile(at: path))
    else {
      return nil
    }
    return SoundPrint(data: record.data)
  }

  // MARK: In a file that is being fetched

  /// The moments of a fill at which this has something to do. `moved` hears of marks that were moved.
  func events(moved: @escaping @Sendable (MovedMarks) -> Void = { _ in }) -> FillEvents {
    FillEvents { record, map, file in
      await keep(record, map, in: file)
    } isWhole: { record in
      guard let path = record.path, let marks = await settle(record.episode, file: path) else { return }
      moved(marks)
    }
  }

  /// A kept position of a former rendition, before that is looked for.
  typealias Kept = (rendition: FormerRendition, mark: FormerMark)

  /// A kept position that was found again.
  struct Found: Sendable {
    var heard: HeardPosition
    /// Nil where it is the same one.
    var moved: MovedMarks?
  }

  /// Forgets the former renditions that this file is: the same file is here again, and its marks are right. Waits for the
  /// first answer.
  func forgetSame(_ id: EpisodeID, in media: StreamedMedia) async {
    guard let former = try? await store.formerRenditions(of: id), !former.isEmpty else { return }
    await reading(media) { source in
      guard await BlockingWork.run({ source.size }) != nil else { return }
      let known = media.fill.state.withLock(\.record.known)
      for rendition in former where known.isSure(rendition) { try? await store.forget(rendition) }
    }
  }

  /// Looks for the kept position, and moves it. Nil where it is the same file again, or the position cannot be found.
  func find(_ kept: Kept, in media: StreamedMedia) async -> Found? {
    let (rendition, mark) = kept
    guard let frames = rendition.frames else { return nil }
    return await reading(media) { source in
      guard let size = await BlockingWork.run({ source.size }),
        !media.fill.state.withLock(\.record.known).isSure(rendition)
      else { return nil }
      let found = await BlockingWork.run { Self.search(frames, mark.start.inSeconds, in: source, size) }
      return await move(mark, of: rendition, to: found, size)
    }
  }

  /// Where the position went that was kept before: the file may have come whole meanwhile, and its marks moved with it.
  func movedMeanwhile(_ kept: Kept) async -> MovedMarks? {
    let id = kept.rendition.episode
    guard let now = try? await store.episode(id)?.status.lastListenTime, now != kept.mark.start,
      let former = try? await store.formerRenditions(of: id),
      // One that another machine has set meanwhile leaves the mark.
      !former.contains(where: { $0.id == kept.rendition.id && $0.marks.contains(kept.mark) })
    else { return nil }
    var moved = MovedMarks()
    (moved.from, moved.to) = (kept.mark.start, now)
    return moved
  }

  /// Ends the reading once it has waited for bytes for a while, since the listener waits for it.
  private func reading<Result: Sendable>(
    _ media: StreamedMedia, _ body: @Sendable (TimedReader) async -> Result
  ) async -> Result {
    media.startFilling()
    // It is not closed: without a reader the fill would stop until the engine opens its own.
    let stream = MediaReader(media)
    let source = TimedReader(stream)
    let end = Task {
      while source.waited < Self.patience { try await Task.sleep(for: .milliseconds(100)) }
      stream.cancel()
    }
    defer {
      end.cancel()
      stream.cancel()
    }
    return await withTaskCancellationHandler {
      await body(source)
    } onCancel: {
      stream.cancel()
    }
  }

  /// Where the kept position is of a former rendition, and could not be found: playing goes on at the same time. The
  /// bookmark may be found later.
  func keepPositionAsBookmark(of id: EpisodeID) async -> MovedMarks? {
    guard let (rendition, mark) = await keptPosition(of: id) else { return nil }
    try? await store.addBookmark(at: mark.start, in: rendition)
    var moved = MovedMarks()
    moved.from = mark.start
    return moved
  }

  private func move(
    _ mark: FormerMark, of rendition: FormerRendition, to found: PositionSearch.Found?, _ size: Int64
  ) async -> Found? {
    guard let found else { return nil }
    let position = Duration(roundedSeconds: found.seconds)
    guard let moved = await move(mark, of: rendition, to: position), !moved.isEmpty || position == mark.start else {
      return nil
    }
    return Found(
      heard: HeardPosition(position: position, byte: HeardByte(offset: found.byte, fileSize: size, isExact: true)),
      moved: moved.isEmpty ? nil : moved)
  }

  private static func search(
    _ frames: [UInt8], _ moment: Double, in source: TimedReader, _ size: Int64
  ) -> PositionSearch.Found? {
    guard let old = FramePrint(data: frames),
      let search = PositionSearch(old, size: size, { source.bytes($0, from: $1) })
    else { return nil }
    return search.find(moment)
  }

  /// A slow server does not keep the listener waiting for ever; the position is worth a while.
  private static let patience = Duration.seconds(20)

  /// The kept position where it is of a former rendition, and that rendition.
  func keptPosition(of id: EpisodeID) async -> Kept? {
    guard let former = try? await store.formerRenditions(of: id), !former.isEmpty,
      let kept = try? await store.episode(id)?.status.lastListenTime
    else { return nil }
    for rendition in former {
      if let mark = rendition.marks.first(where: { $0.kind == .position && $0.start == kept }) {
        return (rendition, mark)
      }
    }
    return nil
  }
}

extension Rendition {
  /// Whether it is surely that one.
  fileprivate func isSure(_ other: FormerRendition) -> Bool {
    guard validator != nil, total == other.size else { return false }
    return etag != nil ? etag == other.etag : lastModified == other.lastModified
  }
}

extension FormerMark {
  /// Where both ends of a skip are found, it is.
  fileprivate func followed(by map: RenditionMap?) -> FollowedMark {
    let start = map?.position(of: start.inSeconds).map(Duration.init(roundedSeconds:))
    guard let end else { return FollowedMark(self, position: start) }
    guard let start, let newEnd = map?.position(of: end.inSeconds).map(Duration.init(roundedSeconds:)) else {
      return FollowedMark(self, position: nil)
    }
    return FollowedMark(self, position: start, end: newEnd)
  }
}

extension Duration {
  /// Of so many seconds, to the millisecond, as the library keeps them.
  init(roundedSeconds seconds: Double) { self = .milliseconds(Int64((max(0, seconds) * 1000).rounded())) }
}

extension PartialFile {
  fileprivate func bytes(_ count: Int, from offset: Int64) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      done = read(into: UnsafeMutableRawBufferPointer(buffer), at: offset) ?? 0
    }
  }
}

/// A reader whose waiting for bytes is timed; what is computed between two readings is not.
private final class TimedReader: Sendable {
  private let stream: MediaReader
  private let time = Mutex<(spent: Duration, since: ContinuousClock.Instant?)>((.zero, nil))

  init(_ stream: MediaReader) { self.stream = stream }

  /// Also while a reading waits.
  var waited: Duration { time.withLock { $0.spent + ($0.since.map { .now - $0 } ?? .zero) } }

  var size: Int64? { timed { stream.size } }

  func bytes(_ count: Int, from offset: Int64) -> [UInt8] { timed { stream.bytes(count, from: offset) } }

  private func timed<Result>(_ wait: () -> Result) -> Result {
    time.withLock { $0.since = .now }
    defer { time.withLock { $0 = ($0.spent + ($0.since.map { .now - $0 } ?? .zero), nil) } }
    return wait()
  }
}

/// A file on this machine, to be read here and there.
private final class WholeFile: Sendable {
  let size: Int64
  private let descriptor: Int32

  init?(_ path: String) {
    guard let size = RegularFile.size(of: path) else { return nil }
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    self.size = size
  }

  deinit { close(descriptor) }

  var bytes: @Sendable (Int64, Int) -> [UInt8] {
    { [self] offset, count in MP3Layout.bytes(of: descriptor, offset, count) }
  }
}
