/// MP3s as publishers with changing adverts make them: each part is encoded once, and adverts are laid between the frames
/// of the show.
package enum StitchedMP3 {
  /// Of one of the frames below.
  package static let frame = 0.024

  /// Frames of a constant rate (48 kHz, 128 kb/s) for code that decodes nothing: what is in them is no sound.
  package static func frames(_ count: Int, seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return [UInt8](unsafeUninitializedCapacity: count * 384) { bytes, size in
      size = count * 384
      // Never like the beginning of a frame.
      for offset in Swift.stride(from: 0, to: size, by: 8) {
        let word = generator.next() & 0x7F7F_7F7F_7F7F_7F7F
        UnsafeMutableRawBufferPointer(bytes).storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
      }
      for offset in Swift.stride(from: 0, to: size, by: 384) {
        for (index, byte) in [0xFF, 0xFB, 0x94, 0].enumerated() { bytes[offset + index] = UInt8(byte) }
      }
    }
  }

  /// Noise that real decoders play, in frames of 24 ms (48 kHz, 64 kb/s, mono), without a tag.
  package static func noise(seconds: Double, seed: Int) async throws -> [UInt8] {
    let home = try TemporaryHome()
    let target = home.path + "/noise.mp3"
    let source = "anoisesrc=r=48000:d=\(seconds):a=0.3:seed=\(seed)"
    let arguments = [
      "-nostdin", "-v", "error", "-f", "lavfi", "-i", source, "-ac", "1", "-b:a", "64k", "-write_xing", "0",
      "-id3v2_version", "0", "-bitexact", target,
    ]
    let ended = try await Program("ffmpeg", arguments, environment: home.environment).run()
    guard ended.status == .exited(0) else { throw Overdue("ffmpeg", seen: ended.description) }
    return try contents(of: target)
  }

  /// In bytes, of such noise.
  package static func size(of seconds: Double) -> Int { Int((seconds * 8000 / 192).rounded()) * 192 }
}
