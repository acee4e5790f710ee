import Glibc

/// The feed server, `podcli-feedserver`, which serves one document at every path, or one of several by the number at the
/// path's end.
struct FeedServer {
  private let pid: pid_t
  private let port: String
  private let output: Int32

  init(_ bytes: [UInt8], delay: Int, _ workspace: Workspace) throws {
    try self.init(files: [try workspace.write(bytes, to: "feed.xml")], delay: delay, workspace)
  }

  /// `bytesPerSecond`: what all connections share.
  init(files: [String], delay: Int, bytesPerSecond: Int? = nil, _ workspace: Workspace) throws {
    let line = String(delay) + (bytesPerSecond.map { ":\($0)" } ?? "")
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Measured.CannotStart(program: "a pipe") }
    pid = try Measured.spawn(
      workspace.product("podcli-feedserver"), [files[0], line] + files.dropFirst(), home: workspace.library,
      output: ends[1])
    close(ends[1])
    output = ends[0]
    port = Self.line(output)
  }

  func url(_ path: String) -> String { "http://127.0.0.1:\(port)" + path }

  /// The processor time since it was started, in seconds.
  func processorTime() throws -> Double {
    kill(pid, SIGUSR1)
    return Double(Self.line(output)) ?? 0
  }

  private static func line(_ output: Int32) -> String {
    var line = [UInt8](repeating: 0, count: 32)
    let count = read(output, &line, line.count)
    return String(decoding: line.prefix(max(0, count)).filter { $0 > 32 }, as: UTF8.self)
  }

  func stop() {
    kill(pid, SIGKILL)
    waitpid(pid, nil, 0)
    close(output)
  }
}
