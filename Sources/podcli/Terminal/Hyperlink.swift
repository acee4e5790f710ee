import Podcatcher

/// Text that links to an address, as an OSC 8 escape sequence. Pure but for `isSupported`.
enum Hyperlink {
  /// Links only web addresses, without characters that could end the escape sequence.
  static func text(_ text: String, to address: String?) -> String {
    guard let address, address.hasPrefix("https://") || address.hasPrefix("http://"),
      address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), address.utf8.count < 2000
    else { return text }
    return "\u{1B}]8;;\(address)\u{1B}\\\(text)\u{1B}]8;;\u{1B}\\"
  }

  /// A terminal cannot be asked, so it is known by name.
  static func isSupported(_ environment: Environment) -> Bool {
    if let wanted = environment["FORCE_HYPERLINK"] { return wanted != "0" }
    let terminal = environment["TERM"] ?? ""
    guard terminal != "dumb", !terminal.hasPrefix("screen"), !terminal.hasPrefix("tmux") else { return false }
    if let version = environment["VTE_VERSION"].flatMap({ Int($0) }) { return version >= 5000 }
    if ["KITTY_WINDOW_ID", "KONSOLE_VERSION", "WT_SESSION", "WEZTERM_PANE"].contains(where: { environment[$0] != nil })
    {
      return true
    }
    if ["foot", "xterm-kitty", "alacritty", "xterm-ghostty", "wezterm", "contour"].contains(terminal) { return true }
    return ["iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper"].contains(environment["TERM_PROGRAM"] ?? "")
  }
}
