internal import Glibc

/// A child process with the pipes and terminal to it, shared by the test and the two threads that watch it.
final class Child: Sendable {
  struct Progress: Sendable, CustomStringConvertible {
    var transcript = Transcript()
    var status: ExitStatus?
    var isDrained = false

    /// Whether it has ended, and all its output has been read.
    var isOver: Bool { status != nil && isDrained }
    var description: String { "\(status.map { "\($0)" } ?? "still running"), \(transcript)" }
  }

  let pid: pid_t
  let terminal: PseudoTerminal?
  let progress = Observed(Progress())
  private let input: Observed<Descriptor?>
  private let sources: [(descriptor: Descriptor, path: any WritableKeyPath<Transcript, [UInt8]> & Sendable)]
  private let abandoned = Gate()

  init(_ program: Program) throws(SystemError) {
    let screen = program.screen
    let terminal = try screen.map { screen throws(SystemError) in
      try PseudoTerminal(columns: screen.columns, rows: screen.rows)
    }
    var wiring = try Wiring(program, terminal: terminal)
    pid = try wiring.spawn(program)
    self.terminal = terminal
    input = Observed(wiring.input)
    sources =
      (wiring.output.map { [($0, \.outputBytes)] } ?? []) + (wiring.error.map { [($0, \.errorBytes)] } ?? [])
      + (terminal.map { [($0.primary, \.screenBytes)] } ?? [])
  }

  /// The body of the reading thread: reads every stream to its end, or until the child is abandoned.
  func drain() {
    var open = sources
    while !open.isEmpty {
      let ready = readable(open.map(\.descriptor.number) + [abandoned.descriptor])
      if ready.contains(abandoned.descriptor) { break }
      open.removeAll { source in
        guard ready.contains(source.descriptor.number) else { return false }
        let bytes = readSome(source.descriptor.number)
        progress.update { $0.transcript[keyPath: source.path] += bytes }
        return bytes.isEmpty
      }
    }
    progress.update { $0.isDrained = true }
  }

  /// The body of the waiting thread. It sees the exit first and reaps the child under the lock that `send` takes, so that a
  /// signal can never reach another process with the same id.
  func reap() {
    var information = siginfo_t()
    while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
    progress.update { progress in
      var status: Int32 = 0
      while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
      let signal = status & 0x7F
      progress.status = signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
    }
  }

  func send(_ signal: Int32) {
    progress.update { progress in
      if progress.status == nil { _ = kill(pid, signal) }
    }
  }

  /// Must be called on a thread that has SIGPIPE blocked.
  func write(_ bytes: [UInt8]) {
    if let descriptor = input.value { _ = writeAll(bytes, to: descriptor.number) }
  }

  func closeInput() { input.update { $0 = nil } }

  /// Kills the program if it still runs, and ends the threads.
  func abandon() {
    send(SIGKILL)
    abandoned.open()
    closeInput()
    _ = progress.blockingWait(Deadline()) { $0.isOver ? true : nil }
  }
}
