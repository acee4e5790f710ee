private import CTestSupport
private import Glibc

/// An audio device that a test can look into. SDL's disk driver plays at the pace of a loudspeaker, into a pipe,
/// and the samples that come out of the pipe are counted.
package final class PCMSink: Sendable {
  private let path: String
  private let heardBytes = Observed(0)
  private let bytesPerSecond: Int
  private let isOver = Gate()

  /// For media on one channel, at `sampleRate`. The player sends floats: that is what its filters work with.
  package init(in home: TemporaryHome, sampleRate: Int = 48_000) throws(SystemError) {
    path = home.path + "/speaker"
    bytesPerSecond = sampleRate * MemoryLayout<Float>.size
    guard mkfifo(path, 0o600) == 0 else { throw SystemError("mkfifo \(path)") }
    // Open for writing, too: so the pipe outlives each of its writers.
    let pipe = try Descriptor(open(path, O_RDWR | O_CLOEXEC), from: "open \(path)")
    startThread { [heardBytes, isOver] in
      while true {
        let over = isOver.descriptor
        guard !readable([pipe.number, over]).contains(over) else { return }
        let count = readSome(pipe.number).count
        heardBytes.update { $0 += count }
      }
    }
  }

  deinit { isOver.open() }

  /// For the player's environment.
  package var environment: [String: String] {
    ["PODCLI_AO": "sdl:sdl-buflen=0.01", "SDL_AUDIODRIVER": "disk", "SDL_DISKAUDIOFILE": path]
  }

  /// Seconds of sound so far.
  package var heard: Double { Double(heardBytes.value) / Double(bytesPerSecond) }

  package func wait(forSeconds seconds: Double) async throws(Overdue) {
    let wanted = Int(seconds * Double(bytesPerSecond))
    try await heardBytes.wait(for: "\(seconds) s of sound") { $0 >= wanted }
  }
}

extension Program {
  /// Plays into the sink.
  package func heard(by sink: PCMSink) -> Program {
    sink.environment.reduce(self) { $0.setting($1.key, $1.value) }
  }
}
