import Glibc

/// The words of the command line.
enum ProcessArguments {
  /// Reads them without the program's name, and hides passwords and tokens in them from the list of processes.
  static func take(_ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ count: Int32) -> [String] {
    guard let words, count > 1 else { return [] }
    return (1..<Int(count)).compactMap { index in
      guard let word = words[index] else { return nil }
      defer { hideSecrets(in: word) }
      return String(cString: word)
    }
  }

  /// Of an address: the name and password before `@`, and the query.
  private static func hideSecrets(in word: UnsafeMutablePointer<CChar>) {
    guard let start = strstr(word, "://")?.advanced(by: 3) else { return }
    let authority = UnsafeMutableBufferPointer(start: start, count: strcspn(start, "/?#"))
    if let at = authority.lastIndex(of: CChar(UInt8(ascii: "@"))) { hide(start, at) }
    if let query = strchr(word, CInt(UInt8(ascii: "?")))?.advanced(by: 1) { hide(query, strlen(query)) }
  }

  private static func hide(_ start: UnsafeMutablePointer<CChar>, _ count: Int) {
    memset(start, CInt(UInt8(ascii: "*")), count)
  }
}
