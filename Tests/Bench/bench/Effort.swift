/// How much is done. With `--brief` each part does as little as shows that it works: its figures mean nothing.
enum Effort {
  private static let flag = "--brief"
  static let isBrief = CommandLine.arguments.contains(flag)
  /// For a process of this program's own.
  static var words: [String] { isBrief ? [flag] : [] }

  static func rounds(_ usual: Int) -> Int { isBrief ? 1 : usual }
  static func size<Value>(_ usual: Value, brief: Value) -> Value { isBrief ? brief : usual }
}
