/// How a program ended.
package enum ExitStatus: Sendable, Equatable {
  case exited(Int32)
  case signalled(Int32)
}

/// What a program has written so far, stream by stream.
package struct Transcript: Sendable, CustomStringConvertible {
  package internal(set) var outputBytes: [UInt8] = []
  package internal(set) var errorBytes: [UInt8] = []
  package internal(set) var screenBytes: [UInt8] = []

  package init() {}

  package var output: String { String(decoding: outputBytes, as: UTF8.self) }
  package var error: String { String(decoding: errorBytes, as: UTF8.self) }
  /// Everything the terminal was sent, escape sequences included.
  package var screen: String { String(decoding: screenBytes, as: UTF8.self) }

  package var description: String { "stdout «\(output)», stderr «\(error)», screen «\(screen)»" }
}

/// A program that has ended: how, and everything it wrote.
@dynamicMemberLookup
package struct Outcome: Sendable, CustomStringConvertible {
  package let status: ExitStatus
  package let transcript: Transcript

  package subscript<Value>(dynamicMember path: KeyPath<Transcript, Value>) -> Value { transcript[keyPath: path] }
  package var description: String { "\(status), \(transcript)" }
}
