import Glibc
import PodcastModel
import Podcatcher
import Text

/// The two output streams of a command: `write` is for data on standard output, `say` for messages on standard error.
struct Console: Sendable {
  var isOutputTerminal: Bool
  var isErrorTerminal: Bool
  var usesColor: Bool
  /// Titles are links.
  var usesLinks: Bool
  var isQuiet = false
  var isVerbose = false
  var isJSON = false

  private let environment: Environment
  /// As it is now: a terminal may be resized while podcli runs.
  var width: Int { Self.columns(environment) }

  /// Standard output is a pipe or a file, and wants lines instead of a table.
  var isPiped: Bool { !isOutputTerminal && !isJSON }

  enum ColorChoice: String, CaseIterable, Sendable { case auto, always, never }

  init(environment: Environment, color: ColorChoice = .auto) {
    isOutputTerminal = isatty(1) == 1
    isErrorTerminal = isatty(2) == 1
    self.environment = environment
    usesColor = Self.usesColor(color, environment, isTerminal: isOutputTerminal)
    usesLinks = isOutputTerminal && Hyperlink.isSupported(environment)
  }

  /// Set for a command of the screen: what it does goes on when the screen is left, and its output has no reader any more.
  static let outlivesReader = "PODCLI_OUTLIVES_READER"

  /// Writes data. A closed pipe ends the process with status 0, without a message.
  func write(_ text: String) {
    guard !Self.put(text, on: 1), environment[Self.outlivesReader] == nil else { return }
    if errno == EPIPE { _exit(0) }
    let failure = Failure(.failed, "standard output cannot be written: \(String(cString: strerror(errno)))")
    complain(failure)
    _exit(1)
  }

  /// Writes the result of a change as a line of data, unless `--quiet`.
  func report(_ line: String) {
    if !isQuiet { write(line + "\n") }
  }

  /// Writes a message to standard error, unless `--quiet`.
  func say(_ text: String) {
    if !isQuiet { _ = Self.put(text + "\n", on: StandardError.descriptor) }
  }

  /// Writes a message to standard error, even with `--quiet`.
  func complain(_ text: String) {
    _ = Self.put(text + "\n", on: StandardError.descriptor)
  }

  func complain(_ failure: Failure) { complain(isJSON ? failure.json.compact : failure.text) }

  static func put(_ text: String, on descriptor: Int32) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while let start = rest.baseAddress, rest.count > 0 {
        let count = Glibc.write(descriptor, start, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { return false }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
      return true
    }
  }

  /// `COLUMNS`, else the width of the terminal, which may change while podcli runs.
  static func columns(_ environment: Environment = .process) -> Int {
    if let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 { return min(columns, 10_000) }
    for descriptor in [Int32(1), 2, 0] {
      var size = winsize()
      if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    }
    return 80
  }

  static func rows() -> Int? {
    var size = winsize()
    guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return nil }
    return Int(size.ws_row)
  }

  private static func usesColor(_ choice: ColorChoice, _ environment: Environment, isTerminal: Bool) -> Bool {
    switch choice {
    case .always: true
    case .never: false
    case .auto:
      if environment["NO_COLOR"] != nil {
        false
      } else if environment["CLICOLOR_FORCE"].map({ $0 != "0" }) == true {
        true
      } else {
        isTerminal && environment["TERM"] != "dumb"
      }
    }
  }
}
