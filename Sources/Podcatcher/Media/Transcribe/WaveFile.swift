private import Glibc
internal import Playback
private import Synchronization
private import System

/// The sound of an episode as programs that recognise speech want it: WAV, 16 kHz, mono. Written piece by piece, on one
/// thread.
final class WaveFile: Sendable {
  static let sampleRate = 16_000
  /// Later sound is left out: a wrong time stamp must not make an endless file.
  private static let longest = 24 * 3600 * sampleRate
  private static let headerSize = 44
  /// The space that other programs keep.
  private static let reserve: Int64 = 64 << 20

  private struct State {
    var samples = 0
    var checkedAt = 0
    var fault: Int32?
  }

  private let descriptor: Int32
  private let path: String
  private let state = Mutex(State())

  init(_ path: String) throws(TranscribeError) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    self.path = path
    guard descriptor >= 0 else { throw Self.error(errno, path) }
    _ = Files.write([UInt8](repeating: 0, count: Self.headerSize), to: descriptor)
  }

  deinit { close(descriptor) }

  /// False where it cannot be written. What is missing in a damaged file is silence, which takes no space.
  func add(_ piece: DecodedSound) -> Bool {
    state.withLock { state in
      let start = Int(max(0, min(piece.start, 86_400)) * Double(Self.sampleRate))
      guard state.fault == nil, start < Self.longest else { return state.fault == nil }
      if start - state.samples > Self.sampleRate / 2 { seek(to: start, &state) }
      let bytes = piece.samples.flatMap { sample -> [UInt8] in
        [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
      }
      state.samples += piece.samples.count
      if !Files.write(bytes, to: descriptor) { state.fault = errno }
      if state.samples - state.checkedAt > 100 * Self.sampleRate { check(&state) }
      return state.fault == nil
    }
  }

  private func seek(to sample: Int, _ state: inout State) {
    lseek(descriptor, off_t(Self.headerSize + sample * 2), SEEK_SET)
    state.samples = sample
  }

  private func check(_ state: inout State) {
    state.checkedAt = state.samples
    if let free = FreeSpace.around(descriptor), free < Self.reserve { state.fault = ENOSPC }
  }

  /// Writes the header. Returns the length in seconds.
  func finish() throws(TranscribeError) -> Double {
    let (samples, fault) = state.withLock { ($0.samples, $0.fault) }
    if let fault { throw Self.error(fault, path) }
    lseek(descriptor, 0, SEEK_SET)
    guard Files.write(Self.header(samples), to: descriptor) else { throw Self.error(errno, path) }
    return Double(samples) / Double(Self.sampleRate)
  }

  private static func header(_ samples: Int) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    let (size, rate) = (samples * 2, sampleRate)
    var header = Array("RIFF".utf8) + number(size + headerSize - 8, 4) + Array("WAVEfmt ".utf8) + number(16, 4)
    header += number(1, 2) + number(1, 2) + number(rate, 4) + number(rate * 2, 4) + number(2, 2) + number(16, 2)
    return header + Array("data".utf8) + number(size, 4)
  }

  private static func error(_ code: Int32, _ path: String) -> TranscribeError {
    code == ENOSPC || code == EDQUOT || code == EFBIG
      ? .diskFull(path) : .fileSystem(path, String(cString: strerror(code)))
  }
}
