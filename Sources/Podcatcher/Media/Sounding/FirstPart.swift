internal import Playback
internal import PodcastModel
internal import PodcastStore
private import Synchronization

/// The beginning of a media file that is being filled, as far as no byte is missing. It ends there, whatever follows.
struct FirstPart: ByteSource {
  /// Another process may fill the file.
  private let file: PartialFile
  let size: Int64

  /// Nil where nothing is here that can be told from another rendition.
  init?(of record: MediaRecord, in media: String) {
    guard record.state != .complete, let address = record.sourceURL,
      let name = MediaFilePath(path: record.path, in: media), let file = PartialFile(ownedByAnother: name, in: media)
    else { return nil }
    self.file = file
    size = file.present(of: record, at: address).end(from: 0)
    guard size > 0 else { return nil }
  }

  func open() -> (any ByteStream)? { FirstPartStream(file, size) }
}

private final class FirstPartStream: ByteStream {
  private let file: PartialFile
  private let end: Int64
  private let offset = Mutex<Int64>(0)

  init(_ file: PartialFile, _ end: Int64) { (self.file, self.end) = (file, end) }

  var size: Int64? { end }

  func read(into target: UnsafeMutableRawBufferPointer) -> Int? {
    offset.withLock { offset in
      let wanted = min(Int64(target.count), end - offset)
      guard wanted > 0 else { return 0 }
      let count = file.read(into: UnsafeMutableRawBufferPointer(rebasing: target.prefix(Int(wanted))), at: offset)
      offset += Int64(count ?? 0)
      return count
    }
  }

  func seek(to target: Int64) -> Bool {
    guard (0...end).contains(target) else { return false }
    offset.withLock { $0 = target }
    return true
  }

  /// No read waits.
  func cancel() {}
  func close() {}
}

extension MediaRecord {
  /// Stands for bytes of which only the first are measured, as `FileFingerprint` does for a whole file. A rendition gets its
  /// number at random: no other bytes ever have it.
  var firstPartName: String? { rendition.map { "rendition " + $0 } }
}

/// The measurement of the beginning of a media file.
struct FirstPartSounding: Hashable, Sendable {
  /// Pauses behind its end are not known.
  let sounding: Sounding
  /// Of the talk, in LUFS; nil while too little is known of it.
  let loudness: Double?

  /// Music and adverts at the beginning are louder than the rest.
  private static let (leftOut, least) = (900, 2400)

  init(_ draft: SoundingDraft) {
    sounding = draft.sounding()
    let talk = sounding.levels.dropFirst(Self.leftOut)
    loudness = talk.count >= Self.least ? GatedLoudness.of(talk) : nil
  }

  /// Of the bytes that are here now; nil where there is none.
  static func kept(of entry: EpisodeEntry, in store: PodcastStore) async -> FirstPartSounding? {
    let id = entry.episode.id
    guard let name = (try? await store.mediaRecord(of: id))??.firstPartName,
      let record = (try? await store.sounding(of: id)) ?? nil, let draft = SoundingDraft(record, of: name),
      draft.heard > 0
    else { return nil }
    return FirstPartSounding(draft)
  }
}
