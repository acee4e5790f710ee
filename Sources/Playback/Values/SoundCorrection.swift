/// The correction of one media file's sound, as far as it was measured.
package struct SoundCorrection: Hashable, Sendable {
  /// In decibels, on top of the volume, which changes at once. Nil where it is not known or not wanted.
  package var gain: Double?
  /// Samples are limited to this before the gain; 1 is full scale. Nil where the gain makes none too loud.
  package var ceiling: Double?
  /// Where no gain is known, that of the file's own tags counts, and so many decibels on top.
  package var gainOverTags: Double?
  /// In seconds, ascending: where nothing is said. Nil while that is not known.
  package var pauses: [Range<Double>]?

  /// Nothing is known.
  package init() {}
}
