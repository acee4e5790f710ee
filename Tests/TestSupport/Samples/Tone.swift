private import Glibc
private import Synchronization

/// Generated audio, mono and 16 bit, with the same bytes every time.
package struct Tone: Hashable, Sendable {
  package struct Part: Hashable, Sendable {
    package let seconds: Double
    /// The pitch in hertz; nil for silence.
    package let frequency: Double?
  }

  package var parts: [Part]
  package var sampleRate: Int

  package init(seconds: Double = 2, frequency: Double? = 440, sampleRate: Int = 8000) {
    parts = [Part(seconds: seconds, frequency: frequency)]
    self.sampleRate = sampleRate
  }

  /// This tone followed by another.
  package func then(seconds: Double, frequency: Double?) -> Tone {
    var longer = self
    longer.parts.append(Part(seconds: seconds, frequency: frequency))
    return longer
  }

  package var seconds: Double { parts.reduce(0) { $0 + $1.seconds } }

  package var samples: [Int16] {
    parts.flatMap { part in
      let count = Int((part.seconds * Double(sampleRate)).rounded())
      guard let frequency = part.frequency else { return [Int16](repeating: 0, count: count) }
      let step = 2 * Double.pi * frequency / Double(sampleRate)
      return (0..<count).map { Int16((sin(Double($0) * step) * 12_000).rounded()) }
    }
  }

  /// The bytes of a WAV file. Each tone is made once: hundreds of tests play the same minute.
  package var wav: [UInt8] {
    Self.made.withLock { made in
      if let bytes = made[self] { return bytes }
      let bytes = WAV.file(samples, sampleRate: sampleRate)
      made[self] = bytes
      return bytes
    }
  }

  private static let made = Mutex<[Tone: [UInt8]]>([:])

  /// The same sound in the format of a file extension ("mp3", "m4a", "opus", "ogg", "flac"), encoded by ffmpeg.
  package func encoded(as ending: String, options: [String] = []) async throws -> [UInt8] {
    try await WAV.encoded(wav, as: ending, options)
  }
}

private func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
  withUnsafeBytes(of: number.littleEndian) { Array($0) }
}

package enum WAV {
  /// The sound of a WAV file in the format of a file extension, encoded by ffmpeg.
  static func encoded(_ wav: [UInt8], as ending: String, _ options: [String]) async throws -> [UInt8] {
    let home = try TemporaryHome()
    let source = try home.write(wav, to: "sound.wav")
    let target = "\(home.path)/sound.\(ending)"
    let arguments = ["-nostdin", "-v", "error", "-i", source] + options + ["-bitexact", target]
    let ended = try await Program("ffmpeg", arguments, environment: home.environment).run()
    guard ended.status == .exited(0) else { throw Overdue("ffmpeg to make \(ending)", seen: ended.description) }
    return try contents(of: target)
  }

  /// The bytes of a mono WAV file with 16 bits per sample.
  package static func file(_ samples: [Int16], sampleRate: Int) -> [UInt8] {
    let size = samples.count * 2
    var bytes: [UInt8] = []
    bytes.reserveCapacity(44 + size)
    bytes += Array("RIFF".utf8) + little(UInt32(36 + size)) + Array("WAVEfmt ".utf8)
    bytes += little(UInt32(16)) + little(UInt16(1)) + little(UInt16(1))
    bytes += little(UInt32(sampleRate)) + little(UInt32(sampleRate * 2)) + little(UInt16(2)) + little(UInt16(16))
    bytes += Array("data".utf8) + little(UInt32(size))
    samples.map(\.littleEndian).withUnsafeBytes { bytes += $0 }
    return bytes
  }
}
