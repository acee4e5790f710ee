private import CTestSupport
private import Glibc

/// An audio device whose samples a test can count: SDL's disk driver plays in real time into a pipe.
package final class PCMSink: Sendable {
  private let path: String
  private let bytes = Observed<[UInt8]>([])
  private let bytesPerSecond: Int
  private let isOver = Gate()

  /// For mono media at `sampleRate`. The player sends floats, the format of its filters.
  package init(in home: TemporaryHome, sampleRate: Int = 48_000) throws(SystemError) {
    path = home.path + "/speaker"
    bytesPerSecond = sampleRate * MemoryLayout<Float>.size
    guard mkfifo(path, 0o600) == 0 else { throw SystemError("mkfifo \(path)") }
    // Opened for writing too, so that the pipe outlives each of its writers.
    let pipe = try Descriptor(open(path, O_RDWR | O_CLOEXEC), from: "open \(path)")
    startThread { [bytes, isOver] in
      while true {
        let over = isOver.descriptor
        guard !readable([pipe.number, over]).contains(over) else { return }
        let more = readSome(pipe.number)
        bytes.update { $0 += more }
      }
    }
  }

  deinit { isOver.open() }

  /// The variables for the player's environment.
  package var environment: [String: String] {
    ["PODCLI_AO": "sdl:sdl-buflen=0.01", "SDL_AUDIODRIVER": "disk", "SDL_DISKAUDIOFILE": path]
  }

  /// The seconds of sound so far.
  package var heard: Double { Double(bytes.value.count) / Double(bytesPerSecond) }

  /// All that was heard so far.
  package var samples: [Float] {
    bytes.value.withUnsafeBytes { raw in
      (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
    }
  }

  package func wait(forSeconds seconds: Double) async throws(Overdue) {
    let wanted = Int(seconds * Double(bytesPerSecond))
    try await bytes.wait(for: "\(seconds) s of sound") { $0.count >= wanted }
  }

  /// Waits for the first sample that is no silence, and returns what `note` returns at that moment.
  package func atFirstSound<Noted: Sendable>(_ note: @escaping @Sendable () -> Noted) async throws(Overdue) -> Noted {
    try await bytes.wait(for: "a first sound") { $0.contains { $0 != 0 } ? note() : nil }
  }
}

extension Program {
  /// Makes the program play into the sink.
  package func heard(by sink: PCMSink) -> Program {
    sink.environment.reduce(self) { $0.setting($1.key, $1.value) }
  }
}
