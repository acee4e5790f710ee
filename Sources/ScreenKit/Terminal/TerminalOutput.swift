private import Glibc

/// Writes to the terminal without ever waiting for it: a terminal stopped by Ctrl-S, or a slow line, takes what it can,
/// and the rest is sent when it takes more.
///
/// The terminal is opened once more for this, because `O_NONBLOCK` on standard output would hold for every process that
/// shares it, the shell among them.
package struct TerminalOutput: ~Copyable {
  package let descriptor: Int32
  private let isOwn: Bool
  private var pending: [UInt8] = []

  package init() {
    let own = ttyname(1).map { open($0, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) } ?? -1
    isOwn = own >= 0
    descriptor = isOwn ? own : 1
  }

  deinit {
    if isOwn { close(descriptor) }
  }

  /// Bytes wait for the terminal; no new frame may come between.
  package var isBehind: Bool { !pending.isEmpty }

  /// False when the terminal did not take all of it.
  @discardableResult
  package mutating func send(_ bytes: [UInt8]) -> Bool {
    pending += bytes
    return flush()
  }

  @discardableResult
  package mutating func flush() -> Bool {
    var sent = 0
    while sent < pending.count {
      let count = pending.withUnsafeBytes { bytes in
        write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[sent...]).baseAddress, bytes.count - sent)
      }
      if count < 0, errno == EINTR { continue }
      // A terminal that is gone takes nothing any more; SIGHUP says so.
      if count < 0, errno != EAGAIN { sent = pending.count }
      guard count > 0 else { break }
      sent += count
    }
    pending.removeFirst(sent)
    return pending.isEmpty
  }

  /// Sends the last words, and waits a moment for a terminal that is slow. Half of a frame is cancelled first.
  package mutating func sendLast(_ text: String) {
    pending = (pending.isEmpty ? [] : [0x18]) + Array(text.utf8)
    for _ in 0..<20 where !flush() {
      var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&output, 1, 10)
    }
    pending = []
  }
}
