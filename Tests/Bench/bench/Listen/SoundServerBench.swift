import Glibc
private import TestSupport

/// The path that people hear: what a minute of playing costs over a PulseAudio server whose device is silent, beside mpv as
/// it comes and mpv without its scripts. The server's own time depends on the player, too.
enum SoundServerBench {
  private static let rounds = Effort.rounds(3)
  private static let (settling, counted) = (Effort.size(4.0, brief: 1), Effort.size(20.0, brief: 1))

  static func run() async throws {
    guard Measured.isInstalled("pulseaudio") else {
      return print("listen pulse: pulseaudio is not installed, so nothing is measured")
    }
    // Two channels of 128 kbit/s, as most podcasts are.
    let stage = try await ListenStage(
      seconds: Effort.size(3600, brief: 60), encoding: ["-ac", "2", "-b:a", "128k", "-joint_stereo", "1"])
    defer { stage.remove() }
    // As a download is by default.
    let measure = Program(stage.podcli, ["measure", "1"], environment: ["PODCLI_HOME": stage.local])
    _ = try await measure.run(by: Deadline(after: .seconds(120)))
    let server = try SilentSoundServer(in: stage.local)
    defer { server.stop() }
    for speed in [1, 2] {
      Report.title("playing over PulseAudio at \(speed)x: CPU a minute, wake-ups a second")
      try show(try costs(of: players(stage, speed), server))
    }
  }

  private struct Player {
    var name: String
    var program: String
    var arguments: [String]
    var home: String
  }

  private static func players(_ stage: ListenStage, _ speed: Int) -> [Player] {
    let mpv = ["--ao=pulse", "--no-video", "--really-quiet", "--speed=\(speed)", stage.file]
    let lean = ["--no-config", "--load-scripts=no", "--osc=no", "--load-stats-overlay=no", "--load-osd-console=no"]
    return [
      Player(
        name: "podcli", program: stage.podcli, arguments: ["play", "1", "--restart", "--speed", "\(speed)"],
        home: stage.local),
      Player(name: "mpv", program: "mpv", arguments: mpv, home: stage.remote),
      Player(name: "mpv without scripts", program: "mpv", arguments: lean + mpv, home: stage.remote),
    ]
  }

  private struct Costs {
    var name: String
    var player: [ProcessCost] = []
    var server: [ProcessCost] = []
  }

  /// In turns, so that other load on the machine affects all.
  private static func costs(of players: [Player], _ server: SilentSoundServer) throws -> [Costs] {
    var costs = players.map { Costs(name: $0.name) }
    for _ in 0..<rounds {
      for (index, player) in players.enumerated() {
        guard
          let pid = try? Measured.spawn(
            player.program, player.arguments, home: player.home, output: nil, with: server.variables)
        else { continue }
        defer {
          kill(pid, SIGKILL)
          waitpid(pid, nil, 0)
        }
        usleep(UInt32(settling * 1e6))
        let before = (ProcessCost.sinceStart(of: pid), ProcessCost.sinceStart(of: server.pid))
        usleep(UInt32(counted * 1e6))
        // A process that has ended would seem to cost nothing.
        guard waitpid(pid, nil, WNOHANG) == 0 else { throw Measured.CannotStart(program: player.name) }
        costs[index].player.append(.between(before.0, .sinceStart(of: pid), seconds: counted))
        costs[index].server.append(.between(before.1, .sinceStart(of: server.pid), seconds: counted))
      }
    }
    return costs
  }

  private static func show(_ costs: [Costs]) throws {
    let goals = ["podcli": "0.4 × mpv at 1x, 0.65 × at 2x; 70 wake-ups"]
    let mpv = costs.first { $0.name == "mpv" }.map { $0.player }
    for cost in costs where !cost.player.isEmpty {
      var figure = Figure(cost.name, ProcessCost.values(cost.player), runs: rounds, goal: goals[cost.name])
      if cost.name != "mpv", let mpv, !mpv.isEmpty {
        figure.beside = Figure.Peer(name: "mpv", values: ProcessCost.values(mpv))
      }
      figure.isHeadline = cost.name == "podcli"
      Report.tell(figure)
      Report.tell(Figure("  the server meanwhile", ProcessCost.values(cost.server), runs: rounds))
    }
  }
}

/// Processor seconds a minute and wake-ups a second of a process.
private struct ProcessCost {
  var processor: Double
  var wakeUps: Double

  static func sinceStart(of pid: pid_t) -> ProcessCost {
    let threads = names(in: "/proc/\(pid)/task").map { "/proc/\(pid)/task/\($0)" }
    func number(_ path: String, _ read: (String) -> Double?) -> Double {
      (try? contents(of: path)).flatMap { read(String(decoding: $0, as: UTF8.self)) } ?? 0
    }
    return ProcessCost(
      processor: threads.reduce(0) { sum, thread in
        sum + number(thread + "/schedstat") { $0.split(separator: " ").first.flatMap { Double($0) } } / 1e9
      },
      wakeUps: threads.reduce(0) { sum, thread in
        sum
          + number(thread + "/status") { text in
            let line = text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            return line?.split(separator: "\t").last.flatMap { Double($0) }
          }
      })
  }

  static func between(_ before: ProcessCost, _ after: ProcessCost, seconds: Double) -> ProcessCost {
    ProcessCost(
      processor: (after.processor - before.processor) * 60 / seconds,
      wakeUps: (after.wakeUps - before.wakeUps) / seconds)
  }

  static func values(_ costs: [ProcessCost]) -> [Measure: Double] {
    [.processor: Amount.median(costs.map(\.processor)), .wakeUps: Amount.median(costs.map(\.wakeUps))]
  }
}

/// A PulseAudio server of its own, whose device keeps time and is silent.
struct SilentSoundServer {
  let pid: pid_t
  let variables: [String]

  init(in folder: String) throws {
    let socket = folder + "/sound"
    pid = try Measured.spawn(
      "pulseaudio",
      [
        "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--log-level=error",
        "-L", "module-null-sink sink_name=ear", "-L",
        "module-native-protocol-unix auth-anonymous=1 socket=\(socket)",
      ], home: folder, output: nil, with: ["XDG_RUNTIME_DIR=\(folder)"])
    variables = [
      "PODCLI_AO=pulse", "PULSE_SERVER=unix:\(socket)", "XDG_RUNTIME_DIR=\(folder)", "PULSE_COOKIE=\(folder)/cookie",
    ]
    for _ in 0..<200 where access(socket, F_OK) != 0 { usleep(50_000) }
    guard access(socket, F_OK) == 0 else { throw Measured.CannotStart(program: "pulseaudio") }
  }

  func stop() {
    kill(pid, SIGTERM)
    waitpid(pid, nil, 0)
  }
}
