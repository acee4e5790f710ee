private import Glibc

/// Cuts a WAV file that libmpv wrote to its length: libmpv fills the encoder's last block with silence, up to 0.3 s of it.
enum WaveEnd {
  /// Keeps `seconds` of sound. A file that is no longer, or no WAV, stays as it is.
  static func cut(_ path: String, to seconds: Double) {
    let file = open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    var head = [UInt8](repeating: 0, count: 4096)
    let count = pread(file, &head, head.count, 0)
    guard count > 44, let sound = Sound(head[..<count]) else { return }
    let size = Int((seconds * Double(sound.rate)).rounded()) * sound.frame
    guard size >= 0, size < sound.size, ftruncate(file, off_t(sound.start + size)) == 0 else { return }
    write(UInt32(size), at: sound.start - 4, in: file)
    write(UInt32(sound.start + size - 8), at: 4, in: file)
  }

  private static func write(_ number: UInt32, at offset: Int, in file: Int32) {
    var number = number.littleEndian
    pwrite(file, &number, 4, off_t(offset))
  }

  /// The `data` chunk; its samples are as the `fmt ` chunk says.
  private struct Sound {
    private(set) var start = 0
    private(set) var size = 0
    private(set) var rate = 0
    /// The bytes of a sample of all channels.
    private(set) var frame = 0

    init?(_ bytes: ArraySlice<UInt8>) {
      func number(_ offset: Int, _ count: Int) -> Int {
        bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
      }
      guard bytes.starts(with: "RIFF".utf8) else { return nil }
      var offset = 12
      while offset + 24 <= bytes.endIndex {
        let length = number(offset + 4, 4)
        switch String(decoding: bytes[offset..<offset + 4], as: UTF8.self) {
        case "fmt ": (rate, frame) = (number(offset + 12, 4), number(offset + 20, 2))
        case "data":
          (start, size) = (offset + 8, length)
          guard rate > 0, frame > 0 else { return nil }
          return
        default: break
        }
        offset += 8 + length + length % 2
      }
      return nil
    }
  }
}
