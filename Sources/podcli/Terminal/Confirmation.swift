import Glibc

/// Asks before a change that cannot be undone.
enum Confirmation {
  /// Without a terminal to ask, the answer is a failure.
  static func ask(_ question: String, unless isGiven: Bool) throws(Failure) {
    if isGiven { return }
    guard isatty(0) == 1, isatty(2) == 1 else {
      throw Failure(.usage, "\(question) This cannot be undone.", hint: "say --yes if you mean it")
    }
    _ = Console.put(CleanText.line(question) + " This cannot be undone. [y/N] ", on: StandardError.descriptor)
    guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
      throw Failure(.failed, "nothing was changed")
    }
  }
}
