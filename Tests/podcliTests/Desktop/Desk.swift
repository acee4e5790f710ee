import Glibc
import TestSupport
import Testing

/// A desktop's bus with a monitor on it, and a player.
struct Desk {
  let stage: Stage
  let daemon: RunningProgram
  let monitor: RunningProgram
  let address: String

  static let path = "/org/mpris/MediaPlayer2"
  static let interface = "org.mpris.MediaPlayer2.Player"

  init(_ stage: Stage) async throws {
    self.stage = stage
    address = "unix:path=\(stage.home.path)/bus"
    daemon = try await Self.bus(at: address, in: stage.home)
    monitor = try stage.home.program("dbus-monitor", "--address", address).start()
    try await monitor.wait(forOutput: "member=NameLost")
  }

  /// A bus that is ready.
  static func bus(at address: String, in home: TemporaryHome) async throws -> RunningProgram {
    let daemon = try home.program(
      "dbus-daemon", "--session", "--nofork", "--nosyslog", "--print-address", "--address=" + address
    ).start()
    try await daemon.wait(forOutput: address)
    return daemon
  }

  /// Waits until a service has its name on the bus.
  static func owner(of name: String, on address: String, in home: TemporaryHome) async throws {
    let question = home.program(
      "dbus-send", "--bus=" + address, "--print-reply=literal", "--dest=org.freedesktop.DBus",
      "/org/freedesktop/DBus", "org.freedesktop.DBus.NameHasOwner", "string:" + name)
    let deadline = Deadline()
    while !deadline.hasPassed {
      if try await question.run().output.contains("true") { return }
    }
    throw Overdue("the service \(name)")
  }

  func program(_ path: String, _ arguments: [String]) -> Program {
    stage.home.program(path, arguments).setting("DBUS_SESSION_BUS_ADDRESS", address)
  }

  /// A player that is on the bus.
  func play(_ arguments: String..., change: (Program) -> Program = { $0 }) async throws -> RunningProgram {
    let playing = try change(program(builtProduct("podcli"), ["play"] + arguments)).start()
    try await monitor.wait(for: "the first position") { $0.news.contains { $0.position != nil } }
    return playing
  }

  @discardableResult
  func playerctl(_ words: String...) async throws -> Outcome { try await program("playerctl", words).run() }

  @discardableResult
  func call(_ method: String, _ arguments: String...) async throws -> Outcome {
    let words = ["--user", "call", "org.mpris.MediaPlayer2.podcli", Self.path, Self.interface, method] + arguments
    return try await program("busctl", words).run()
  }

  func property(_ name: String) async throws -> Outcome {
    let words = ["--user", "get-property", "org.mpris.MediaPlayer2.podcli", Self.path, Self.interface, name]
    return try await program("busctl", words).run()
  }

  func set(_ property: String, _ type: String, _ value: String) async throws -> Outcome {
    let words = ["--user", "set-property", "org.mpris.MediaPlayer2.podcli", Self.path, Self.interface, property]
    return try await program("busctl", words + [type, value]).run()
  }

  /// In seconds, as `playerctl` shows it.
  func position() async throws -> Double {
    let outcome = try await playerctl("position")
    return try #require(Double(outcome.output.filter { $0 != "\n" }), "\(outcome)")
  }

  /// Waits for the player's news behind the first `count`.
  func hears(_ what: String, after count: Int, _ holds: @escaping @Sendable (News) -> Bool) async throws {
    try await monitor.wait(for: what) { $0.news.dropFirst(count).contains(where: holds) }
  }

  var news: [News] { monitor.transcript.news }
}

/// A signal of the player.
struct News: Sendable {
  /// The properties that have changed.
  var names: [String] = []
  var text: String
  /// Of a jump, in seconds.
  var position: Double?
}

extension Transcript {
  /// The player's signals, as `dbus-monitor` prints them.
  var news: [News] {
    output.split(separator: "\nsignal ").compactMap { message in
      let all = message.split(separator: "\n")
      guard let head = all.first else { return nil }
      // Messages that are no signals may follow.
      let lines = [head] + all.dropFirst().prefix { $0.hasPrefix(" ") }
      if head.contains("member=Seeked") {
        let number = lines.dropFirst().first?.split(separator: " ").last.flatMap { Double($0) }
        return number.map { News(text: lines.joined(separator: "\n"), position: $0 / 1_000_000) }
      }
      guard head.contains("member=PropertiesChanged") else { return nil }
      // The names stand at this depth, their values further to the right.
      let names = lines.filter { $0.hasPrefix("         string \"") }.map { String($0.dropFirst(17).dropLast()) }
      return News(names: names, text: lines.joined(separator: "\n"))
    }
  }
}
