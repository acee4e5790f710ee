internal import Playback

/// Plays a tenth of a second of silence, which proves that libmpv is installed, decodes, and has an audio output.
struct SoundCheck: Sendable {
  private let player: Player
  private static let patience = Duration.seconds(5)

  init(_ player: Player) { self.player = player }

  func run() async throws(PlaybackError) {
    let (ends, continuation) = AsyncStream<EndReason>.makeStream()
    let observation = player.observe(Ends()) { continuation.yield($0.reason) }
    try player.load(.bytes(Silence()), LoadOptions())
    let reason = await withTaskGroup(of: EndReason?.self) { group in
      group.addTask { await ends.first { _ in true } }
      group.addTask {
        try? await Task.sleep(for: Self.patience)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
    observation.cancel()
    player.close()
    switch reason {
    case .failed(let error): throw error
    case nil: throw PlaybackError(.noAudioOutput, "the output takes no sound")
    default: break
    }
  }
}

/// A tenth of a second of silence as a WAV file.
private struct Silence: ByteSource {
  func open() -> (any ByteStream)? { SilentStream() }

  static let bytes: [UInt8] = {
    let samples = 800
    return Array("RIFF".utf8) + little(36 + samples * 2) + Array("WAVEfmt ".utf8) + little(16) + [1, 0, 1, 0]
      + little(8000) + little(16_000) + [2, 0, 16, 0] + Array("data".utf8) + little(samples * 2)
      + [UInt8](repeating: 0, count: samples * 2)
  }()

  private static func little(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}

/// Unchecked: only one thread of libmpv reads, and `cancel` changes nothing.
private final class SilentStream: ByteStream, @unchecked Sendable {
  private var offset = 0

  var size: Int64? { Int64(Silence.bytes.count) }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    let part = Silence.bytes.dropFirst(offset).prefix(buffer.count)
    buffer.copyBytes(from: part)
    offset += part.count
    return part.count
  }

  func seek(to offset: Int64) -> Bool {
    guard offset >= 0, offset <= Silence.bytes.count else { return false }
    self.offset = Int(offset)
    return true
  }

  func cancel() {}
  func close() {}
}
