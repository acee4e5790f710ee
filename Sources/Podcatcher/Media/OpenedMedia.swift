internal import Playback
internal import PodcastModel
internal import PodcastStore

/// An episode's media file, opened: what the engine reads, and how the reading goes.
struct OpenedMedia: Sendable {
  var source: MediaSource
  /// It was begun anew because the publisher changed it.
  let isNew: Bool
  /// One request brings all of it.
  var isInOrder = false
  /// It was fetched before, whole, and could be fetched again.
  let isStored: Bool
  /// A time is an offset in it, so that a jump needs none of the bytes between.
  let isScalable: Bool
  /// The true time of a kept position that was approximate, or is another one in this rendition.
  private(set) var position: Duration?
  /// The marks that followed from the publisher's file of before.
  private(set) var moved: MovedMarks?
  private let bytes: (any ReportingSource)?
  private let file: FileOnDisk?
  /// The bytes of a file that is here, where nothing proves that these are all.
  private let unprovenSize: Int64?
  /// Of a whole MP3 whose frames are not alike.
  private let line: StoredLine?

  /// A file on this machine, whole.
  init(
    file path: String, isStored: Bool = false, unprovenSize: Int64? = nil, isScalable: Bool = false,
    position: Duration? = nil, line: StoredLine? = nil
  ) {
    self.line = line
    self.unprovenSize = unprovenSize
    self.isStored = isStored
    self.isScalable = isScalable
    self.position = position
    source = .file(path)
    file = FileOnDisk(path)
    isNew = false
    bytes = nil
  }

  init(
    bytes: any ReportingSource, isNew: Bool = false, isScalable: Bool = false, position: Duration? = nil
  ) {
    isStored = false
    line = nil
    unprovenSize = nil
    self.isNew = isNew
    self.isScalable = isScalable
    self.position = position
    source = .bytes(bytes)
    file = nil
    self.bytes = bytes
  }

  func moved(_ marks: MovedMarks?) -> OpenedMedia {
    var media = self
    media.moved = marks
    media.position = marks?.to ?? position
    return media
  }

  /// Why reading failed, when it did. A reader that came to the end all the same did not need the missing bytes.
  var fault: MediaFault? { bytes.flatMap { $0.wasReadToItsEnd ? nil : $0.fault } }

  /// Whether the end of its bytes was the end of the media file. A file is read for it.
  var wasReadToItsEnd: Bool { bytes?.wasReadToItsEnd ?? (unprovenSize == nil && file?.isWhole ?? true) }

  /// How much of it is on the disk by now. Nil where nothing is added.
  var download: Download? { bytes?.download }

  /// How much came of the length that the feed announces, where nothing but the end of the connection marks the end.
  func share(of announced: Int64?) -> Double? {
    guard let size = bytes?.unprovenSize ?? unprovenSize, let announced, announced > 0 else { return nil }
    return Double(size) / Double(announced)
  }

  /// Whether the end of its bytes was the end of the media file, also because exactly as many came as the feed announces.
  func isWhole(announced: Int64?) -> Bool { wasReadToItsEnd || fault == nil && share(of: announced) == 1 }

  /// Ends reading, and saves what is here.
  func close() async { await bytes?.close() }

  /// Where bytes are missing, its length is approximate at best.
  var tellsItsLength: Bool { fault == nil }

  /// The engine does not know the size, and so may take what came so far for all.
  var isSizeUntold: Bool { bytes?.isSizeUntold ?? false }

  /// The length of the episode where the engine tells this one: it may be that of what came so far.
  func length(told: Duration, of entry: EpisodeEntry) -> Duration {
    guard isSizeUntold, let known = entry.episode.duration else { return told }
    return max(told, known)
  }

  /// An MP3 of unlike frames that does not tell its length, or an AAC stream, which never does: the engine estimates it from
  /// the first frames.
  var isLengthEstimated = false

  /// The length of a `TimedMedia` whose file tells it. The engine does not know where that ends: a jump behind its end
  /// finds other sound.
  var toldLength: Duration? { (bytes as? TimedMedia)?.toldLength }

  /// Whether a position lies behind a length that is told.
  func isBehindItsEnd(_ position: Duration) -> Bool { toldLength.map { position >= $0 } ?? false }

  func options(
    from start: Duration, isPaused: Bool = false, title: String? = nil,
    _ correction: SoundCorrection = SoundCorrection()
  ) -> LoadOptions {
    var options = LoadOptions(start: start, isPaused: isPaused, title: title, isScalable: isScalable)
    options.correction = correction
    return options
  }

  /// The byte that sounds at `position`, where a position cannot be computed from bytes.
  func heardByte(at position: Duration) async -> HeardByte? {
    if let line { return await line.heardByte(at: position) }
    return await (bytes as? TimedMedia)?.heardByte(at: position)
  }
}
