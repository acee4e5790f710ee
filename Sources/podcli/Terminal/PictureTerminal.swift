import Glibc
import Podcatcher
import ScreenKit

/// Finds out what pictures the terminal can draw.
struct PictureTerminal {
  private let console: Console
  private let environment: Environment
  /// A terminal that answers does so at once.
  private static let patience = Duration.milliseconds(150)

  init(_ console: Console, _ environment: Environment = .process) {
    self.console = console
    self.environment = environment
  }

  /// Nil without a terminal or colours. A pager passes colours on, but no pictures.
  func renderer(inPager: Bool) -> PictureText? {
    guard console.isOutputTerminal, console.usesColor, !console.isJSON, environment["TERM"] != "dumb",
      let kind = (inPager ? nil : drawing) ?? blocks
    else { return nil }
    var size = winsize()
    _ = ioctl(1, UInt(TIOCGWINSZ), &size)
    let rows = size.ws_row > 0 ? Int(size.ws_row) : 24
    var text = PictureText(kind: kind, rows: max(4, min(PictureText.highest, rows / 3, console.width / 3)))
    if size.ws_ypixel > 0, size.ws_row > 0 { text.cellHeight = max(6, Int(size.ws_ypixel) / rows) }
    return text
  }

  private var blocks: PictureText.Kind? { Self.blocks(in: environment) }

  private static func blocks(in environment: Environment) -> PictureText.Kind? {
    if ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") { return .halfBlocks(.all) }
    let names = environment["TERM"]?.split(separator: "-") ?? []
    return names.contains("256color") ? .halfBlocks(.palette) : nil
  }

  /// The kind that is known without asking the terminal.
  static func kind(in environment: Environment) -> PictureText.Kind? {
    let terminal = environment["TERM"] ?? ""
    let isKitty = terminal == "xterm-kitty" || terminal == "xterm-ghostty" || environment["KITTY_WINDOW_ID"] != nil
    // tmux passes no pictures of kitty's on.
    if isKitty, environment["TMUX"] == nil { return .kitty }
    return terminal == "linux" ? nil : blocks(in: environment)
  }

  private var drawing: PictureText.Kind? { Self.kind(answering: ask()) }

  /// Kitty's graphics query, then the device attributes query, which every terminal answers: its answer ends the wait.
  private static let question = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c"

  static func kind(answering answer: String) -> PictureText.Kind? {
    if answer.contains("\u{1B}_Gi=31;OK") { return .kitty }
    guard let attributes = answer.split(separator: "\u{1B}[?").last?.split(separator: "c").first else { return nil }
    return attributes.split(separator: ";").dropFirst().contains("4") ? .sixel : nil
  }

  private func ask() -> String {
    guard isatty(0) == 1, tcgetpgrp(0) == getpgrp(), RawMode.enter() else { return "" }
    defer {
      RawMode.restore()
      // A terminal that does not understand the query may have printed it.
      _ = Console.put("\r\u{1B}[K", on: 1)
    }
    guard Console.put(Self.question, on: 1) else { return "" }
    let end = ContinuousClock.now + Self.patience
    var answer: [UInt8] = []
    while case let left = end - ContinuousClock.now, left > .zero, !Self.isWhole(answer) {
      var keyboard = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
      guard poll(&keyboard, 1, Int32(left / .milliseconds(1)) + 1) > 0 else { break }
      var bytes = [UInt8](repeating: 0, count: 256)
      let count = read(0, &bytes, bytes.count)
      guard count > 0 else { break }
      answer += bytes[..<count]
    }
    return String(decoding: answer, as: UTF8.self)
  }

  private static func isWhole(_ answer: [UInt8]) -> Bool {
    let text = String(decoding: answer, as: UTF8.self)
    guard let start = text.firstRange(of: "\u{1B}[?") else { return false }
    return text[start.upperBound...].contains("c")
  }
}
