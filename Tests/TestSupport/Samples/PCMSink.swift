private import CTestSupport
private import Glibc

/// An audio device whose samples a test can count: SDL's disk driver plays in real time into a pipe.
package final class PCMSink: Sendable {
  private let path: String
  private let heardBytes = Observed(0)
  private let bytesPerSecond: Int
  private let isOver = Gate()

  /// For mono media at `sampleRate`. The player sends floats, the format of its filters.
  package init(in home: TemporaryHome, sampleRate: Int = 48_000) throws(SystemError) {
    path = home.path + "/speaker"
    bytesPerSecond = sampleRate * MemoryLayout<Float>.size
    guard mkfifo(path, 0o600) == 0 else { throw SystemError("mkfifo \(path)") }
    // Opened for writing too, so that the pipe outlives each of its writers.
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

  /// The variables for the player's environment.
  package var environment: [String: String] {
    ["PODCLI_AO": "sdl:sdl-buflen=0.01", "SDL_AUDIODRIVER": "disk", "SDL_DISKAUDIOFILE": path]
  }

  /// The seconds of sound so far.
  package var heard: Double { Double(heardBytes.value) / Double(bytesPerSecond) }

  package func wait(forSeconds seconds: Double) async throws(Overdue) {
    let wanted = Int(seconds * Double(bytesPerSecond))
    try await heardBytes.wait(for: "\(seconds) s of sound") { $0 >= wanted }
  }
}

extension Program {
  /// Makes the program play into the sink.
  package func heard(by sink: PCMSink) -> Program {
    sink.environment.reduce(self) { $0.setting($1.key, $1.value) }
  }
}
