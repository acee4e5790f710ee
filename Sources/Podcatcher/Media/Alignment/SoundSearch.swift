internal import Playback
private import Synchronization

/// Looks for a moment of a former rendition in a media file that has another encoding and was not measured, by decoding
/// as little of it as need be.
struct SoundSearch: Sendable {
  private let old: SoundPrint
  private let media: MediaSource
  private let patience: Duration

  /// On both sides of the moment, in seconds: two breaks of adverts, then as much as a publisher puts into a show.
  private static let reaches = [120.0, 480]

  /// `patience`: the listener waits, and a slow machine decodes less.
  init(_ old: SoundPrint, in media: MediaSource, patience: Duration = .seconds(20)) {
    (self.old, self.media, self.patience) = (old, media, patience)
  }

  /// In seconds. Nil where it is not found.
  func find(_ moment: Double) async -> Double? {
    let end = ContinuousClock.now + patience
    for reach in Self.reaches {
      let start = max(0, moment - reach).rounded(.down)
      guard let print = await print(start..<moment + reach, by: end) else { return nil }
      let map = await BlockingWork.run { SoundAlignment.map(from: old, to: print) }
      // An advert may be all that both have of it.
      guard let map = map.ofOneShow else { continue }
      // A moment in an advert that is gone leads to where the show goes on, if nothing further has it.
      let isGone = reach == Self.reaches.last && map.isBetweenPieces(moment, fromStart: start == 0)
      if map.has(moment) || isGone, let position = map.position(of: moment) { return start + position }
    }
    return nil
  }

  /// Nil where nothing can be decoded there.
  private func print(_ range: Range<Double>, by end: ContinuousClock.Instant) async -> SoundPrint? {
    let draft = Mutex(SoundingDraft())
    // The thread that decodes is of no task, so `Task.isCancelled` is false there.
    let isCancelled = Atomic(false)
    _ = try? await withTaskCancellationHandler {
      try await SoundDecoder.decode(media, from: .seconds(range.lowerBound)) { piece in
        draft.withLock { $0.add(piece) }
        return piece.start < range.upperBound && ContinuousClock.now < end && !isCancelled.load(ordering: .relaxed)
      }
    } onCancel: {
      isCancelled.store(true, ordering: .relaxed)
    }
    guard !Task.isCancelled else { return nil }
    // A draft begins with the file.
    let levels = draft.withLock(\.levels).dropFirst(Int(range.lowerBound * 100))
    return levels.isEmpty ? nil : SoundPrint(hundredths: Array(levels))
  }
}

extension RenditionMap {
  /// Whether shared stretches lie on both sides of the moment. `fromStart`: the new rendition is known from its start.
  fileprivate func isBetweenPieces(_ moment: Double, fromStart: Bool) -> Bool {
    guard let first = pieces.first, let last = pieces.last else { return false }
    return (fromStart || first.old.lowerBound <= moment) && last.old.upperBound > moment
  }
}
