/// The exit status of a program, or the signal that ended it.
package enum ExitStatus: Sendable, Equatable {
  case exited(Int32)
  case signalled(Int32)
}

/// A program's output so far, by stream.
package struct Transcript: Sendable, CustomStringConvertible {
  package internal(set) var outputBytes: [UInt8] = []
  package internal(set) var errorBytes: [UInt8] = []
  package internal(set) var screenBytes: [UInt8] = []

  package init() {}

  package var output: String { String(decoding: outputBytes, as: UTF8.self) }
  package var error: String { String(decoding: errorBytes, as: UTF8.self) }
  /// The bytes sent to the terminal, escape sequences included.
  package var screen: String { String(decoding: screenBytes, as: UTF8.self) }

  package var description: String { "stdout «\(output)», stderr «\(error)», screen «\(screen)»" }
}

/// The status and the output of a program that has ended.
@dynamicMemberLookup
package struct Outcome: Sendable, CustomStringConvertible {
  package let status: ExitStatus
  package let transcript: Transcript

  package subscript<Value>(dynamicMember path: KeyPath<Transcript, Value>) -> Value { transcript[keyPath: path] }
  package var description: String { "\(status), \(transcript)" }
}
