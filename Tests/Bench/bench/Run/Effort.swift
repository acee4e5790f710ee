/// The amount of work. With `--brief` each part does as little as shows that it works, and its figures mean nothing.
enum Effort {
  private static let flag = "--brief"
  static let isBrief = CommandLine.arguments.contains(flag)
  /// The arguments that pass the choice on to a child process.
  static var words: [String] { isBrief ? [flag] : [] }

  static func rounds(_ usual: Int) -> Int { isBrief ? 1 : usual }
  static func size<Value>(_ usual: Value, brief: Value) -> Value { isBrief ? brief : usual }
}
