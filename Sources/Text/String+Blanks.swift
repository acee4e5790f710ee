extension Substring {
  /// Without blanks at the ends.
  package func trimmingBlanks() -> Substring {
    var text = drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}

extension String {
  /// Without blanks at the ends.
  package func trimmingBlanks() -> String { String(self[...].trimmingBlanks()) }
}
