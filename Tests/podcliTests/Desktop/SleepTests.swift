import Glibc
import PodcastModel
import TestSupport
import Testing

/// The machine's sleep, with dbusmock's logind and services that keep it awake.
@Suite struct SleepTests {
  /// A system bus with logind on it.
  private struct Machine {
    let desk: Desk
    let bus: RunningProgram
    let login: RunningProgram
    let address: String

    init(_ stage: Stage) async throws {
      desk = try await Desk(stage)
      address = "unix:path=\(stage.home.path)/system"
      bus = try await Desk.bus(at: address, in: stage.home)
      login = try stage.home.program(
        "/usr/bin/python3", "-u", "-m", "dbusmock", "--system", "--template", Folders.fixtures + "/Desktop/logind.py"
      ).setting("DBUS_SYSTEM_BUS_ADDRESS", address).start()
      try await Desk.owner(of: "org.freedesktop.login1", on: address, in: stage.home)
    }

    func play(_ arguments: String...) async throws -> RunningProgram {
      let playing = try desk.program(builtProduct("podcli"), ["play"] + arguments)
        .setting("DBUS_SYSTEM_BUS_ADDRESS", address).start()
      try await login.wait(forOutput: "taken sleep delay by podcli")
      return playing
    }

    func prepareForSleep(_ isComing: Bool) async throws {
      let words = ["org.freedesktop.login1.Manager", "PrepareForSleep", "b", "1", "b", "\(isComing)"]
      let outcome = try await desk.program(
        "busctl",
        ["--address=" + address, "call", "org.freedesktop.login1", "/org/freedesktop/login1"]
          + ["org.freedesktop.DBus.Mock", "EmitSignal", "sssav"] + words
      ).run()
      try #require(outcome.status == .exited(0), "\(outcome)")
    }
  }

  private func stage(_ settings: String...) async throws -> Stage {
    let stage = try Stage(episodes: 1)
    try await stage.subscribe()
    if !settings.isEmpty { _ = try await stage.home.podcli(["config", "set"] + settings).run() }
    return stage
  }

  @Test func `the machine sleeps when the position is in the library, and podcli stays paused`() async throws {
    let machine = try await Machine(stage())
    // Nothing is saved at intervals.
    _ = try await machine.desk.stage.run("config", "set", "progress-interval=60")
    let playing = try await machine.play("1", "--start", "20")
    let watching = try machine.desk.stage.home.podcli("status", "--watch", "--json").start()
    try await watching.wait(for: "a position behind 21 s") { ($0.positions.last ?? 0) > 21 }
    try await machine.prepareForSleep(true)
    try await machine.login.wait(forOutput: "released sleep delay at ")
    let text = machine.login.transcript.output.split(separator: "\n").last { $0.hasPrefix("released") }
    let kept = try #require(text?.split(separator: " ").last.flatMap { Double($0) })
    try await watching.wait(for: "the pause") { $0.pausedAt != nil }
    let paused = try #require(watching.transcript.pausedAt)
    // In milliseconds, as the library has it.
    #expect(abs(kept / 1000 - paused) < 0.2, "\(kept) ms in the library, paused at \(paused) s")
    try await machine.prepareForSleep(false)
    try await machine.login.wait(for: "a new lock") { $0.output.ranges(of: "taken sleep").count == 2 }
    #expect(try await machine.desk.playerctl("status").output == "Paused\n")
    playing.send(SIGTERM)
    try await playing.end()
    watching.send(SIGTERM)
  }

  @Test func `with wake=go-on it goes on after the sleep, unless it was paused before`() async throws {
    let machine = try await Machine(stage("wake=go-on"))
    let playing = try await machine.play("1")
    for (isPaused, status) in [(false, "Playing"), (true, "Paused")] {
      if isPaused { try await machine.desk.playerctl("pause") }
      let count = machine.login.transcript.output.ranges(of: "released").count
      try await machine.prepareForSleep(true)
      try await machine.login.wait(for: "the end of the lock") { $0.output.ranges(of: "released").count > count }
      let news = machine.desk.news.count
      try await machine.prepareForSleep(false)
      try await machine.login.wait(for: "a new lock") { $0.output.ranges(of: "taken").count == count + 2 }
      if !isPaused { try await machine.desk.hears("going on", after: news) { $0.text.contains("\"Playing\"") } }
      #expect(try await machine.desk.playerctl("status").output == status + "\n")
    }
    playing.send(SIGTERM)
    try await playing.end()
  }

  @Test func `a library that is locked does not keep the machine awake, and the position is kept`() async throws {
    let machine = try await Machine(stage())
    let playing = try await machine.play("1", "--start", "20")
    let watching = try machine.desk.stage.home.podcli("status", "--watch", "--json").start()
    // A position counts when it was heard.
    try await watching.wait(for: "a position behind 21 s") { ($0.positions.last ?? 0) > 21 }
    watching.send(SIGTERM)
    let path = machine.desk.stage.home.path + "/podcli"
    let lock = try machine.desk.stage.home.program(
      "/usr/bin/python3", "-uc",
      """
      import sqlite3, sys
      library = sqlite3.connect('\(path)/library.db', isolation_level=None)
      library.execute('BEGIN EXCLUSIVE')
      print('locked')
      sys.stdin.read()
      """
    ).input(.open).start()
    try await lock.wait(forOutput: "locked")
    try await machine.prepareForSleep(true)
    try await machine.login.wait(forOutput: "released sleep delay")
    #expect(names(in: path).contains("progress.pending"))
    playing.send(SIGKILL)
    try await playing.end()
    lock.closeInput()
    try await lock.end()
    #expect(try await machine.desk.stage.run("queue", "add", "1").status == .exited(0))
    #expect(try await machine.desk.stage.position(of: 1).map { $0 > 20 } == true)
  }

  @Test func `the machine is kept awake while something plays, and its screen only on request`() async throws {
    let machine = try await Machine(stage("keep-awake=idle"))
    let services = try ["portal", "power"].map { name in
      try machine.desk.program(
        "/usr/bin/python3", ["-u", "-m", "dbusmock", "--template", "\(Folders.fixtures)/Desktop/\(name).py"]
      ).start()
    }
    for name in ["portal.Desktop", "PowerManagement"] {
      try await Desk.owner(of: "org.freedesktop." + name, on: machine.desk.address, in: machine.desk.stage.home)
    }
    let playing = try await machine.play("1")
    try await services[0].wait(forOutput: "inhibited 4")
    try await services[1].wait(forOutput: "inhibited by podcli")
    try await machine.login.wait(forOutput: "taken idle block by podcli")
    try await machine.desk.playerctl("pause")
    try await services[0].wait(forOutput: "closed")
    try await services[1].wait(forOutput: "uninhibited 7")
    try await machine.login.wait(forOutput: "released idle block")
    #expect(!machine.login.transcript.output.contains("released sleep"))
    playing.send(SIGTERM)
    try await playing.end()
    services.forEach { $0.send(SIGTERM) }
  }
}
