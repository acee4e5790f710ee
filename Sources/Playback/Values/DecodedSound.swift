/// A tenth of a second of a media file, as `SoundDecoder` decodes it.
package struct DecodedSound: Sendable {
  /// Of the samples, unless another is asked for.
  package static let sampleRate = 11_025

  /// The position at which it begins, in seconds.
  package var start: Double
  /// The momentary loudness in LUFS (ITU-R BS.1770), over the 400 ms that end with this piece.
  package var momentary: Double
  /// The highest sample since decoding began; 1 is full scale.
  package var peak: Double
  /// Mono.
  package var samples: [Int16]
  /// The two channels, or the two that more are mixed down to, were the same since decoding began.
  package var hasEqualChannels: Bool

  package init(start: Double, momentary: Double, peak: Double, samples: [Int16], hasEqualChannels: Bool = false) {
    self.start = start
    self.momentary = momentary
    self.peak = peak
    self.samples = samples
    self.hasEqualChannels = hasEqualChannels
  }
}
