package import Text

/// A request to a player on its socket, or on the command line: a control word with its arguments.
package enum PlayerRequest: Hashable, Sendable {
  case command(PlayerCommand)
  case status
  /// The status at each change and, unless it is zero, that often.
  case watch(every: Duration)
}

extension PlayerRequest {
  /// A line of the socket: the request, and the `id` that its answer brings back.
  package struct Line: Sendable {
    /// As it came.
    package var id: JSON?
    /// The command, or the error in the line.
    package var request: Result<PlayerRequest, ControlError>
  }

  /// Reads a line. No line makes it fail: the result says what is wrong with it.
  package static func read(_ bytes: [UInt8]) -> Line {
    guard String(validating: bytes, as: UTF8.self) != nil else { return Line(request: .failure(.notUTF8)) }
    // A request has no lists or objects in it; parsing what is deeper would only take time.
    guard let document = JSON(parsing: bytes, depth: 8) else { return Line(request: .failure(.notJSON)) }
    do throws(ControlError) {
      return Line(id: document["id"], request: .success(try request(document)))
    } catch {
      return Line(id: document["id"], request: .failure(error))
    }
  }

  private static func request(_ document: JSON) throws(ControlError) -> PlayerRequest {
    guard let name = document["do"]?.text else { throw .notARequest }
    guard let word = PlayerCommandTable.words.first(where: { $0.isOnSocket && $0.word == name }) else {
      throw .unknownWord(name)
    }
    var texts: [String] = []
    for argument in word.arguments {
      guard let value = document[argument.member] else { break }
      texts.append(value.argument)
    }
    return try word.request(texts)
  }
}

extension JSON {
  /// The text that the command line would have. `+30` is no number in JSON, so a positive number is never relative.
  fileprivate var argument: String {
    switch self {
    case .string(let text): text
    case .bool(let flag): flag ? "on" : "off"
    default: compact
    }
  }
}
