private import Glibc
internal import Playback
internal import PodcastModel
internal import PodcastStore
internal import System

/// Cuts a stretch out of an episode. What is not on this machine of it is fetched into the episode's file.
///
/// - An MP3 is cut between two samples, and nothing of it is encoded again: `MP3Clip`.
/// - An AAC stream is cut between two frames, and nothing of it is encoded again: `ADTSClip`.
/// - Everything else, and what becomes another kind of file, is encoded by libmpv: `SoundEncoder`.
package struct Clipper: Sendable {
  private let library: MediaLibrary
  private let store: PodcastStore

  init(_ library: MediaLibrary, _ store: PodcastStore) { (self.library, self.store) = (library, store) }

  /// The kind of the file is that which its name says, else that of the episode's file.
  package func cut(_ clip: Clip, to target: ClipTarget) async throws(ClipError) -> CutClip {
    let media: ClipMedia
    do { media = try await library.openForClip(clip.entry) } catch { throw .listen(error) }
    let clip = await ends(of: clip)
    let result: Result<CutClip, ClipError> = await BlockingWork.run {
      Result { () throws(ClipError) in try ClipWork(clip, media, target).run() }
    }
    // A fault of the network explains what is missing.
    let fault = media.fault
    await media.close()
    if case .failure(let error) = result, let fault, error.isAboutBytes { throw .listen(.media(fault)) }
    return try result.get()
  }

  /// The clip with the ends that it gets: in pauses, where they are known.
  private func ends(of clip: Clip) async -> Clip {
    guard !clip.isExact, let sounding = await Sounding.kept(of: clip.entry, in: store) else { return clip }
    var moved = clip
    moved.range = ClipEnds.moved(clip.range, pauses: sounding.pauses)
    return moved
  }
}

extension ClipError {
  /// Bytes that did not come may be the reason.
  fileprivate var isAboutBytes: Bool {
    switch self {
    case .listen, .behindItsEnd: true
    case .file, .diskFull, .exists, .closedPipe: false
    }
  }
}

/// One cut, on a thread that may wait.
private struct ClipWork {
  private let clip: Clip
  private let media: ClipMedia
  private let target: ClipTarget

  init(_ clip: Clip, _ media: ClipMedia, _ target: ClipTarget) {
    self.clip = clip
    self.media = media
    self.target = target
  }

  func run() throws(ClipError) -> CutClip {
    let ending = MediaFileEnding.known(in: target.path) ?? clip.ending
    if ending == "mp3", let reader = ClipReader(media.source),
      let layout = MP3Layout.read(size: reader.size, { reader.bytes(0, Int($0)) })
    {
      return try cut(layout, reader)
    }
    if ending == "aac", let reader = ClipReader(media.source),
      let cut = ADTSClip(clip.range, in: { reader.bytes($0, $1) })
    {
      return try write(cut, reader)
    }
    return try encode(SoundFormat.byEnding[ending] ?? .mp3)
  }

  // MARK: MP3

  private func cut(_ layout: MP3Layout, _ reader: ClipReader) throws(ClipError) -> CutClip {
    let bytes: PresentBytes = { reader.bytes($0, $1) }
    let wanted = layout.ticks(of: clip.range)
    let isJump = layout.isScalable(clip.entry.episode, size: reader.size) && !isHere(wanted, layout)
    guard let start = layout.start(for: wanted.lowerBound, isJump: isJump, in: bytes) else {
      let length = clip.entry.duration
      throw .behindItsEnd(length.flatMap { $0 > .zero && $0 <= clip.range.lowerBound ? $0 : nil })
    }
    let stretch = MP3Stretch(
      from: wanted.lowerBound, upTo: wanted.upperBound, startingAt: start, size: reader.size, in: bytes)
    guard media.fault == nil, let cut = MP3Clip(wanted, of: stretch, layout, in: bytes) else {
      throw .behindItsEnd(Duration(ticks: max(0, stretch.end - layout.lead)))
    }
    let heard =
      Duration(ticks: cut.ticks.lowerBound - layout.lead)..<Duration(ticks: cut.ticks.upperBound - layout.lead)
    return try write(cut.head, cut.ranges, heard: heard, isTagHere: media.isHere(upTo: layout.sound), reader)
  }

  /// All bytes up to the end of the stretch need no network.
  private func isHere(_ wanted: Range<Int64>, _ layout: MP3Layout) -> Bool {
    let seconds = Double(wanted.upperBound) / Double(MP3Point.ticksPerSecond)
    return media.isHere(upTo: layout.sound + Int64(seconds * Double(layout.bitrate) / 8))
  }

  // MARK: AAC

  private func write(_ cut: ADTSClip, _ reader: ClipReader) throws(ClipError) -> CutClip {
    guard media.fault == nil, !cut.ranges.isEmpty else { throw .behindItsEnd(cut.heard.upperBound) }
    let isTagHere = media.isHere(upTo: Int64(ID3.size(reader.bytes(0, 10))))
    return try write([], cut.ranges, heard: cut.heard, isTagHere: isTagHere, reader)
  }

  // MARK: Frames

  /// Writes the tag, `head` and the ranges of the episode's file.
  private func write(
    _ head: [UInt8], _ ranges: [Range<Int64>], heard: Range<Duration>, isTagHere: Bool, _ reader: ClipReader
  ) throws(ClipError) -> CutClip {
    var described = clip
    described.range = clip.range.clamped(to: clip.range.lowerBound..<max(clip.range.lowerBound, heard.upperBound))
    let picture = isTagHere ? ClipPicture.content { reader.bytes($0, $1) } : nil
    var file = try ClipFile(target)
    try file.write(ClipTag(clip: described, picture: picture).bytes + head)
    for range in ranges { try copy(range, reader, to: &file) }
    try file.finish()
    return CutClip(range: heard, size: file.size)
  }

  private func copy(_ range: Range<Int64>, _ reader: ClipReader, to file: inout ClipFile) throws(ClipError) {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let bytes = reader.bytes(offset, Int(min(1 << 20, range.upperBound - offset)))
      guard !bytes.isEmpty else { throw .listen(.playback(PlaybackError(.cannotOpen, "its file cannot be read"))) }
      try file.write(bytes)
      offset += Int64(bytes.count)
    }
  }

  // MARK: Other formats

  private func encode(_ format: SoundFormat) throws(ClipError) -> CutClip {
    var file = try ClipFile(target)
    if let path = file.path {
      let end = try encode(format, into: path)
      try file.finish()
      return CutClip(range: clip.range.lowerBound..<end, size: file.size)
    }
    guard let folder = Files.makeTemporaryFolder() else { throw .file("TMPDIR", "no folder can be made there") }
    defer { Files.removeFlatFolder(folder) }
    let end = try encode(format, into: folder + "/clip")
    guard let bytes = Files.read(folder + "/clip") else { throw .file(folder, "it cannot be read") }
    try file.write(bytes)
    return CutClip(range: clip.range.lowerBound..<end, size: file.size)
  }

  /// Returns the position at which the clip ends.
  private func encode(_ format: SoundFormat, into path: String) throws(ClipError) -> Duration {
    let length: Duration?
    do throws(PlaybackError) {
      length = try SoundEncoder.encode(media.source, clip.range, as: format, tags: tags, to: path)
    } catch {
      guard Self.hasRoom(behind: path) else { throw .diskFull(target.path) }
      throw .listen(.playback(error))
    }
    let end = min(clip.range.upperBound, length ?? .seconds(1 << 40))
    guard clip.range.lowerBound < end, media.fault == nil else { throw .behindItsEnd(end) }
    // libmpv does not say that the disk is full, and of some formats what fits is a shorter clip.
    guard Files.size(of: path) ?? 0 > 0, Self.hasRoom(behind: path) else { throw .diskFull(target.path) }
    return end
  }

  /// Whether the file can still grow.
  private static func hasRoom(behind path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    let size = lseek(descriptor, 0, SEEK_END)
    defer { ftruncate(descriptor, size) }
    return Files.write([UInt8](repeating: 0, count: 4096), to: descriptor)
  }

  private var tags: [(name: String, value: String)] {
    let link = StretchLink.address(of: clip.range, in: clip.entry)
    return [("title", clip.title), ("album", clip.entry.podcast.title)] + (link.map { [("comment", $0)] } ?? [])
      + (clip.entry.episode.publishedAt.map { [("date", $0.dateText)] } ?? [])
  }
}
