/// The correction of one media file's sound, as far as it was measured.
package struct SoundCorrection: Hashable, Sendable {
  /// In decibels, on top of the volume. Nil where it is not known or not wanted.
  package var gain: Double?
  /// The levelling of voices, ascending: the first counts from the beginning. Empty where nothing is levelled.
  package var levels: [GainChange] = []
  /// Samples are limited to this before the gain and behind the levelling; 1 is full scale. Nil where the gain makes none too loud.
  package var ceiling: Double?
  /// Where no gain is known, that of the file's own tags counts, and so many decibels on top.
  package var gainOverTags: Double?
  /// In seconds, ascending: where nothing is said. Nil while that is not known.
  package var pauses: [Range<Double>]?
  /// Behind this position pauses are not known yet, in seconds. Nil where the whole file was measured.
  package var pausesEnd: Double?
  /// The file has two channels, which are the same.
  package var hasEqualChannels = false

  /// Nothing is known.
  package init() {}

  /// Where pauses are known, in seconds from the beginning.
  var mapped: Double { pauses == nil ? 0 : pausesEnd ?? .infinity }
}

/// A new gain in a media file, which is reached in a pause.
package struct GainChange: Hashable, Sendable {
  /// In seconds.
  package var during: Range<Double>
  /// In decibels, from then on.
  package var gain: Double

  package init(during: Range<Double>, gain: Double) { (self.during, self.gain) = (during, gain) }
}
