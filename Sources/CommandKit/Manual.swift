extension Program {
  /// The whole program on one page, in roff.
  var manual: String { "" }
  func completionScript(for shell: Shell) -> String { "" }
}
