private import CTestSupport
private import Glibc

/// A pseudo-terminal: the test reads the screen and types.
final class PseudoTerminal: Sendable {
  /// The test's end: reading gives the screen output, and writing types.
  let primary: Descriptor
  /// The program's end.
  let secondaryPath: String

  init(columns: Int, rows: Int) throws(SystemError) {
    primary = try Descriptor(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), from: "posix_openpt")
    var path = [CChar](repeating: 0, count: 64)
    guard grantpt(primary.number) == 0, unlockpt(primary.number) == 0,
      ptsname_r(primary.number, &path, path.count) == 0
    else { throw SystemError("prepare a pseudo-terminal") }
    secondaryPath = String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    resize(columns: columns, rows: rows)
  }

  func resize(columns: Int, rows: Int) {
    var size = winsize(
      ws_row: UInt16(clamping: rows), ws_col: UInt16(clamping: columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(primary.number, UInt(TIOCSWINSZ), &size)
  }

  func type(_ keys: String) { _ = writeAll(Array(keys.utf8), to: primary.number) }
}
