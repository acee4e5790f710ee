private import CTestSupport
package import Glibc

/// A program that was started. It is killed and reaped, and its streams are closed, when the last reference is released at
/// the latest.
package final class RunningProgram: Sendable {
  package let pid: pid_t
  private let child: Child
  private let home: TemporaryHome?

  init(_ program: Program) throws(SystemError) {
    home = program.home
    let child = try Child(program)
    self.child = child
    pid = child.pid
    startThread { child.drain() }
    startThread { child.reap() }
    if case .bytes(let bytes) = program.input {
      startThread {
        child.write(bytes)
        child.closeInput()
      }
    }
  }

  deinit { child.abandon() }

  package var transcript: Transcript { child.progress.value.transcript }

  /// The exit status; nil while it runs.
  package var status: ExitStatus? { child.progress.value.status }

  /// Sends a signal, unless the program has ended already.
  package func send(_ signal: Int32) { child.send(signal) }

  /// Waits until its output satisfies the condition.
  package func wait(
    for what: String, by deadline: Deadline = Deadline(),
    until holds: @escaping @Sendable (Transcript) -> Bool
  ) async throws {
    try await child.progress.wait(for: what, by: deadline) { progress in
      holds(progress.transcript) ? true : progress.isOver ? false : nil
    }.orThrow(Overdue(what, seen: "the program's end: \(child.progress.value)"))
  }

  package func wait(forOutput text: String) async throws {
    try await wait(for: "«\(text)» on stdout") { $0.outputBytes.holds(text) }
  }

  package func wait(forError text: String) async throws {
    try await wait(for: "«\(text)» on stderr") { $0.errorBytes.holds(text) }
  }

  package func wait(forScreen text: String) async throws {
    try await wait(for: "«\(text)» on the screen") { $0.screenBytes.holds(text) }
  }

  /// Waits for its end. A program that does not end is killed, and the test fails.
  @discardableResult
  package func end(by deadline: Deadline = Deadline()) async throws -> Outcome {
    do {
      return try await child.progress.wait(for: "the end of process \(pid)", by: deadline) { progress in
        guard let status = progress.status, progress.isOver else { return nil }
        return Outcome(status: status, transcript: progress.transcript)
      }
    } catch {
      child.send(SIGKILL)
      throw error
    }
  }

  /// Writes to its standard input, a pipe if the program was started with `.open`.
  package func write(_ text: String) async {
    let child = self.child
    await offPool { child.write(Array(text.utf8)) }
  }

  package func closeInput() { child.closeInput() }

  /// Types on its terminal: "\u{3}" is Ctrl-C, "\u{1B}[C" the right arrow.
  package func type(_ keys: String) { child.terminal?.type(keys) }

  /// The foreground process group of its terminal: its own, or that of a child.
  package var foreground: pid_t? {
    guard let terminal = child.terminal else { return nil }
    let group = tcgetpgrp(terminal.primary.number)
    return group > 0 ? group : nil
  }

  /// Changes the size of its terminal, which sends SIGWINCH.
  package func resize(columns: Int, rows: Int) { child.terminal?.resize(columns: columns, rows: rows) }
}

extension Bool {
  fileprivate func orThrow(_ error: Overdue) throws { if !self { throw error } }
}

extension [UInt8] {
  /// Whether `text` occurs, byte for byte.
  fileprivate func holds(_ text: String) -> Bool {
    withUnsafeBytes { bytes in
      Array(text.utf8).withUnsafeBytes {
        $0.isEmpty || memmem(bytes.baseAddress, bytes.count, $0.baseAddress, $0.count) != nil
      }
    }
  }
}
