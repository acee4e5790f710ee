package import Playback

/// An episode's medium, opened: what the engine reads, and what is known about the reading.
package struct Medium: Sendable {
  package var source: MediaSource
  /// It was begun anew because the publisher changed it.
  let isNew: Bool
  /// A time is a place in it, so that a jump needs nothing of what lies between.
  package let isScalable: Bool
  /// Where a kept place that was only guessed really is, once that is known.
  let place: Duration?
  private let bytes: (any TellingSource)?

  /// A file on this machine, whole.
  package init(file path: String, isScalable: Bool = false, place: Duration? = nil) {
    self.isScalable = isScalable
    self.place = place
    source = .file(path)
    isNew = false
    bytes = nil
  }

  package init(
    bytes: any TellingSource, isNew: Bool = false, isScalable: Bool = false, place: Duration? = nil
  ) {
    self.isNew = isNew
    self.isScalable = isScalable
    self.place = place
    source = .bytes(bytes)
    self.bytes = bytes
  }

  /// Why reading failed, when it did. Who came to the end all the same did not need what was missing.
  package var fault: MediaFault? { wasReadToItsEnd ? nil : bytes?.fault }

  /// Whether the end of its bytes was the end of the medium.
  package var wasReadToItsEnd: Bool { bytes?.wasReadToItsEnd ?? true }

  /// It is not read any more. The library hears what is here of it.
  package func close() async { await bytes?.close() }

  /// It is cut out of a longer one, and has the times of that one.
  package var isPart: Bool { bytes is OggPart }

  /// Where bytes are missing, its length is at best a guess.
  var tellsItsLength: Bool { !isPart && fault == nil }

  /// What is here of it around a place that may not be found because other bytes are not to be had; nil where that is
  /// as good as nothing.
  func part(around position: Duration) async -> Medium? {
    guard let growing = bytes as? GrowingMedium,
      let part = await Disk.aside({ OggPart(of: growing, around: position) }),
      part.moments.upperBound - position > .seconds(1)
    else { return nil }
    return Medium(bytes: part, isNew: isNew)
  }

  package func options(from start: Duration, isPaused: Bool = false, title: String? = nil) -> LoadOptions {
    LoadOptions(start: start, isPaused: isPaused, title: title, isScalable: isScalable, keepsTimes: isPart)
  }

  /// What sounds at this place, if the place is only guessed.
  func approximateByte(at position: Duration) async -> Int64? {
    await (bytes as? TimedMedium)?.approximateByte(at: position)
  }
}

/// Why an episode does not play.
package enum ListenError: Error, Hashable, Sendable {
  /// The feed gives no medium for it.
  case noMedium
  /// Its address is none that podcli opens.
  case refused(String)
  case media(MediaFault)
  case playback(PlaybackError)
  /// The place to start at lies behind the end of the medium, which may be another one than it was.
  case behindItsEnd(Duration, length: Duration)
}
