private import Glibc

/// A client of a socket in the file system that speaks in lines.
package final class LineSocket: Sendable {
  private let descriptor: Descriptor
  private let received = Observed<[UInt8]>([])

  package init(_ path: String) throws(SystemError) {
    descriptor = try Descriptor(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0), from: "socket")
    let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    let directory = try Descriptor(open(String(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC), from: "open \(folder)")
    let name = path[folder.endIndex...]
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) {
      $0.copyBytes(from: Array("/proc/self/fd/\(directory.number)\(name)".utf8))
    }
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard code == 0 else { throw SystemError("connect to \(path)") }
  }

  package func send(_ line: String) { send(Array((line + "\n").utf8)) }

  /// Bytes as they are. They are lost where the other end has closed.
  package func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Sends nothing more, but still reads.
  package func finishSending() { shutdown(descriptor.number, Int32(SHUT_WR)) }

  /// The next line; nil when the other end has closed.
  package func line(by deadline: Deadline = Deadline()) async throws -> String? {
    try await offPool { [self] in Result { try blockingLine(deadline) } }.get()
  }

  /// The answer to a line: the next that comes back.
  package func ask(_ line: String) async throws -> String? {
    send(line)
    return try await self.line()
  }

  private func blockingLine(_ deadline: Deadline) throws -> String? {
    while true {
      let line = received.update { bytes -> String? in
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { bytes.removeFirst(end + 1) }
        return String(decoding: bytes[..<end], as: UTF8.self)
      }
      if let line { return line }
      guard !readable([descriptor.number], until: deadline).isEmpty else { throw Overdue("a line from the socket") }
      let bytes = readSome(descriptor.number)
      if bytes.isEmpty { return nil }
      received.update { $0 += bytes }
    }
  }
}
