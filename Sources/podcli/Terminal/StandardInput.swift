import Glibc

/// Reads standard input.
enum StandardInput {
  /// The greatest size of a list of episodes.
  private static let limit = 64 << 20

  static func text() throws(Failure) -> String {
    try Signals.letThrough { () throws(Failure) in try all() }
  }

  private static func all() throws(Failure) -> String {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(0, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Failure(.failed, "standard input cannot be read") }
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += chunk[..<count]
      guard bytes.count <= limit else { throw Failure(.refused, "standard input is too long") }
    }
  }

  /// Replaces the piped standard input, which has been read, by the terminal, for the keys of the player.
  static func giveWayToKeys() {
    guard isatty(StandardError.descriptor) == 1, isatty(0) == 0 else { return }
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else { return }
    dup2(terminal, 0)
    close(terminal)
  }
}
