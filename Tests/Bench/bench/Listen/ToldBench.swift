import Glibc
import Playback
import PodcastModel
private import Synchronization
import TestSupport

/// The told position beside the one that is heard, over PulseAudio with the buffer of daily use, while pauses are cut out by
/// the map: at two speeds, after seeks, and while the speed changes. Each sample of the file says its position.
enum ToldBench {
  private static let sampleRate = 8000
  private static let seconds = Effort.size(60, brief: 9)
  /// Nothing is told from where all of the file is in the device's buffer, which is 1.6 s of it at 2x.
  private static let last = Double(seconds) - 2
  /// The value of the first hundredth of a second; each further one is one higher.
  private static let lowest = -32_000

  static func run() async throws {
    Report.title("silence cut by the map: the told position beside the one that is heard, over PulseAudio")
    guard Measured.isInstalled("pulseaudio") else {
      return print("pulseaudio is not installed, so nothing is measured")
    }
    let workspace = try Workspace()
    defer { workspace.remove() }
    let server = try SilentSoundServer(in: workspace.folder)
    defer { server.stop() }
    for variable in server.variables {
      let parts = variable.split(separator: "=", maxSplits: 1).map(String.init)
      setenv(parts[0], parts[1], 1)
    }
    let samples = (0..<seconds * 100).flatMap { repeatElement(Int16(lowest + $0), count: sampleRate / 100) }
    let file = try workspace.write(WAV.file(samples, sampleRate: sampleRate), to: "positions.wav")
    let ear = try Ear(workspace.folder, server)
    defer { ear.stop() }
    try await play("at 1x", file, ear) { _, _ in }
    try await play("at 2x", file, ear, speed: 2) { _, _ in }
    for (name, speed) in [("with a seek each second and a half", 1.0), ("at 2x with such seeks", 2)] {
      try await play(name, file, ear, speed: speed) { player, step in
        let offset = step % 2 == 0 ? -4.0 : 9
        // Behind the end nothing more is heard.
        guard step % 15 == 14, let told = player.snapshot.position, told.inSeconds + offset < last else { return }
        player.seek(by: .seconds(offset))
      }
    }
    try await play("with a speed of 1, 2, 1 each second", file, ear) { player, step in
      if step % 10 == 9 { player.changeSound { $0.speed = step % 20 == 9 ? 2 : 1 } }
    }
  }

  /// `act` is called ten times a second.
  private static func play(
    _ name: String, _ file: String, _ ear: Ear, speed: Double = 1, _ act: (Player, Int) -> Void
  ) async throws {
    let player = Player(audioOutput: "pulse")
    defer { player.close() }
    var sound = Sound()
    (sound.trim, sound.speed) = (.max, speed)
    player.setSound(sound)
    var options = LoadOptions()
    options.correction.pauses = stride(from: 1.0, to: Double(seconds) - 3, by: 3).map { $0..<$0 + 1.5 }
    ear.begin(player)
    _ = try player.load(.file(file), options)
    var step = 0
    while player.snapshot.position.map({ $0.inSeconds < last }) ?? true, step < seconds * 10 {
      usleep(100_000)
      act(player, step)
      step += 1
    }
    let moments = ear.end()
    let off = moments.map { abs($0.told - $0.heard) }.sorted()
    guard off.count > 10 else { return Report.tell(.missing(name)) }
    Report.tell(
      Figure(
        name,
        [
          .half: off[off.count / 2], .most: off[off.count * 95 / 100], .longest: off[off.count - 1],
          .secondsOff: worst(moments),
        ],
        goal: "0.6 s"))
  }

  /// The most by which anything told was off from all that was heard within a tenth of a second: the clocks of the device
  /// and of the recorder differ by some hundredths, and at a cut the position jumps.
  private static func worst(_ moments: [Ear.Moment]) -> Double {
    moments.reduce(0) { worst, moment in
      let around = moments.filter { abs($0.clock - moment.clock) <= 0.1 }
      return max(worst, around.map { abs($0.heard - moment.told) }.min() ?? 0)
    }
  }

  /// Hears what the device plays, in hundredths of a second.
  private final class Ear: Sendable {
    struct Moment {
      var clock: Double
      var told: Double
      var heard: Double
    }

    private struct State {
      var player: Player?
      var moments: [Moment] = []
    }

    private let state = Mutex(State())
    private let recorder: pid_t

    init(_ folder: String, _ server: SilentSoundServer) throws {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { throw Workspace.CannotWrite(path: "a pipe") }
      recorder = try Measured.spawn(
        "parec",
        [
          "--device=ear.monitor", "--raw", "--format=float32le", "--rate=\(sampleRate)", "--channels=1",
          "--latency-msec=10",
        ], home: folder, output: ends[1], with: server.variables)
      close(ends[1])
      let input = ends[0]
      startThread { [self] in
        var block = [Float](repeating: 0, count: sampleRate / 100)
        var count = 0
        while case let size = block.withUnsafeMutableBytes({ read(input, $0.baseAddress! + count, $0.count - count) }),
          size > 0
        {
          count += size
          guard count == block.count * MemoryLayout<Float>.size else { continue }
          count = 0
          // Where sound fades in or out, and at a cut, a block holds other values than two neighbours.
          let heard = block.sorted()
          if (heard[block.count - 1] - heard[0]) * 32_768 < 3 { hear(heard[block.count / 2]) }
        }
        close(input)
      }
    }

    /// Silence around a seek is higher than any sample of the file, and so is the fading in and out.
    private func hear(_ sample: Float) {
      guard sample * 32_768 < Float(lowest + seconds * 100) else { return }
      state.withLock { state in
        guard let told = state.player?.snapshot.position else { return }
        let heard = Double((sample * 32_768).rounded() - Float(lowest)) / 100
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let clock = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        state.moments.append(Moment(clock: clock, told: told.inSeconds, heard: heard))
      }
    }

    func begin(_ player: Player) { state.withLock { $0 = State(player: player) } }

    func end() -> [Moment] {
      state.withLock { state in
        state.player = nil
        return state.moments
      }
    }

    func stop() {
      kill(recorder, SIGTERM)
      waitpid(recorder, nil, 0)
    }
  }
}
