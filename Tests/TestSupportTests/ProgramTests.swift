import Glibc
import TestSupport
import Testing

@Suite struct ProgramTests {
  let home = try! TemporaryHome()

  @Test func `captures both streams and the exit status`() async throws {
    let ended = try await home.program("sh", "-c", "echo out; echo err >&2; exit 3").run()
    #expect(ended.status == .exited(3))
    #expect(ended.output == "out\n")
    #expect(ended.error == "err\n")
  }

  @Test func `feeds input larger than any pipe and reads it back`() async throws {
    let text = String(repeating: "0123456789abcdef", count: 20_000)
    let ended = try await home.program("cat").input(text).run()
    #expect(ended.output == text)
  }

  @Test func `survives a program that does not read its input`() async throws {
    let ended = try await home.program("true").input(String(repeating: "x", count: 1 << 20)).run()
    #expect(ended.status == .exited(0))
  }

  @Test func `writes to an open input and reads the answers`() async throws {
    let cat = try home.program("cat").input(.open).start()
    await cat.write("one\n")
    try await cat.wait(forOutput: "one\n")
    await cat.write("two\n")
    try await cat.wait(forOutput: "two\n")
    cat.closeInput()
    #expect(try await cat.end().status == .exited(0))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGKILL])
  func `signals find the default disposition and an empty mask`(signal: Int32) async throws {
    let cat = try home.program("cat").input(.open).start()
    cat.send(signal)
    #expect(try await cat.end().status == .signalled(signal))
    cat.send(signal)
  }

  @Test func `the child gets only the given environment`() async throws {
    let ended = try await Program("env", environment: ["A": "1", "B": "x=y"]).run()
    #expect(ended.output == "A=1\nB=x=y\n")
  }

  @Test func `the child gets only three descriptors`() async throws {
    let gate = Gate()
    let inspect = "for n in 3 4 5 6 7 8 9 10 11 12; do test -e /proc/$$/fd/$n && echo $n; done"
    #expect(try await home.program("sh", "-c", inspect).run().output == "")
    gate.open()
  }

  @Test func `a missing program is an error`() {
    #expect(throws: SystemError.self) { _ = try home.program("/no/such/program").start() }
  }

  @Test func `a program is killed when its last reference is released`() async throws {
    let pid = try home.program("cat").input(.open).start().pid
    #expect(kill(pid, 0) == -1)
  }

  @Test func `a home outlives the programs that run in it`() async throws {
    var home: TemporaryHome? = try TemporaryHome()
    let path = try #require(home?.path)
    var cat = try home?.program("cat").input(.open).start()
    home = nil
    #expect(access(path, F_OK) == 0)
    #expect(cat?.status == nil)
    cat = nil
    #expect(access(path, F_OK) == -1)
  }

  @Test func `waiting for output that never comes ends with the program`() async throws {
    let running = try home.program("echo", "this").start()
    await #expect(throws: Overdue.self) { try await running.wait(forOutput: "that") }
  }

  @Test func `finds the built product`() async throws {
    #expect(access(builtProduct("podcli"), X_OK) == 0)
  }
}

@Suite struct ScreenTests {
  let home = try! TemporaryHome()

  @Test func `has the given size, and SIGWINCH follows a resize`() async throws {
    let script = "trap 'stty size; exit' WINCH; stty size; while :; do read -r line; done"
    let shell = try home.program("bash", "-c", script).on(.init(columns: 101, rows: 33)).start()
    try await shell.wait(forScreen: "33 101\r\n")
    shell.resize(columns: 40, rows: 10)
    shell.type("\n")
    try await shell.wait(forScreen: "10 40\r\n")
    #expect(try await shell.end().status == .exited(0))
  }

  @Test func `is the controlling terminal, so that Ctrl-C interrupts`() async throws {
    let cat = try home.program("cat").on(.init()).start()
    cat.type("typed\n")
    try await cat.wait(forScreen: "typed\r\ntyped\r\n")
    cat.type("\u{3}")
    #expect(try await cat.end().status == .signalled(SIGINT))
  }

  @Test func `can have only some of the streams`() async throws {
    let script = "test -t 2 && echo tty >&2; test -t 1 || echo pipe; cat"
    let ended = try await home.program("sh", "-c", script).input("in").on(.init(streams: [.error])).run()
    #expect(ended.screen == "tty\r\n")
    #expect(ended.output == "pipe\nin")
  }
}
