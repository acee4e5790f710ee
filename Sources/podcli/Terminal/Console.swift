import Glibc
import PodcastModel
import Podcatcher
import Text

/// The two streams a command talks to: data goes to `write`, talk to `say`.
struct Console: Sendable {
  var isOutputTerminal: Bool
  var isErrorTerminal: Bool
  var usesColor: Bool
  /// Titles can be clicked.
  var usesLinks: Bool
  var width: Int
  var isQuiet = false
  var isVerbose = false
  var isJSON = false

  /// Lists are lines for another program.
  var isPiped: Bool { !isOutputTerminal && !isJSON }

  enum ColorChoice: String, CaseIterable, Sendable { case auto, always, never }

  init(environment: Environment, color: ColorChoice = .auto) {
    isOutputTerminal = isatty(1) == 1
    isErrorTerminal = isatty(2) == 1
    width = Self.columns(environment)
    usesColor = Self.usesColor(color, environment, isTerminal: isOutputTerminal)
    usesLinks = isOutputTerminal && Hyperlink.isSupported(environment)
  }

  /// Data. A reader that has gone away has seen enough: that is a quiet end, not a failure.
  func write(_ text: String) {
    guard !Self.put(text, on: 1) else { return }
    if errno == EPIPE { exit(0) }
    let failure = Failure(.failed, "standard output cannot be written: \(String(cString: strerror(errno)))")
    complain(failure)
    exit(1)
  }

  /// What a change came to, a line of data; the quiet can see it in the exit status.
  func report(_ line: String) {
    if !isQuiet { write(line + "\n") }
  }

  /// StandardError, unless `--quiet`.
  func say(_ text: String) {
    if !isQuiet { _ = Self.put(text + "\n", on: StandardError.descriptor) }
  }

  /// What must be said even to the quiet.
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

  /// What the user says the width is, else the terminal, which may change while podcli runs.
  static func columns(_ environment: Environment = .process) -> Int {
    if let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 { return columns }
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
