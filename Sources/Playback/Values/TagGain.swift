private import Glibc

/// The gain that a media file's own tags ask for. libmpv wants both numbers.
package struct TagGain: Hashable, Sendable {
  /// In decibels.
  package var gain: Double
  /// Of the loudest sample; 1 is full scale.
  package var peak: Double

  /// The decibels that are heard with so many on top: libmpv amplifies no further than the peak allows.
  package func heard(with more: Double) -> Double { min(gain + more, peak > 0 ? -20 * log10(peak) : .infinity) }
}
