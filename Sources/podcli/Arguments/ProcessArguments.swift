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
    let bytes = UnsafeMutableBufferPointer(start: word, count: String(cString: word).utf8.count)
    let text = bytes.map { UInt8(bitPattern: $0) }
    guard let start = text.firstRange(of: Array("://".utf8))?.upperBound else { return }
    let authority = text[start...].prefix { !"/?#".utf8.contains($0) }
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) { hide(bytes, start..<at) }
    if let query = text.firstIndex(of: UInt8(ascii: "?")) { hide(bytes, query + 1..<text.count) }
  }

  private static func hide(_ bytes: UnsafeMutableBufferPointer<CChar>, _ range: Range<Int>) {
    for index in range { bytes[index] = CChar(UInt8(ascii: "*")) }
  }
}
