/// An event that the user's own program is told of. Its name is in the variable `PODCLI_EVENT` of the program.
package enum HookEvent: String, CaseIterable, Sendable {
  case started, paused, resumed, finished
  /// Every ten seconds while something plays.
  case position
  case downloaded
  case newEpisode = "new-episode"
  /// The player has ended.
  case stopped
}

/// Why a hook did not do its work.
package struct HookFailure: Hashable, Sendable {
  package var program: String
  package var event: HookEvent
  package var reason: ProgramFault
}

extension HookFailure {
  /// Three lines: the event, the reason and the program.
  var text: String {
    let word =
      switch reason {
      case .notFound: "not-found"
      case .notExecutable: "not-executable"
      case .timedOut: "timed-out"
      case .ended(let signal): String(-signal)
      case .exited(let status): String(status)
      case .noTimeout: "no-timeout"
      }
    return "\(event.rawValue)\n\(word)\n\(program)"
  }

  init?(text: String) {
    let lines = text.split(separator: "\n", maxSplits: 2).map(String.init)
    guard lines.count == 3, let event = HookEvent(rawValue: lines[0]) else { return nil }
    let reason: ProgramFault
    switch lines[1] {
    case "not-found": reason = .notFound
    case "not-executable": reason = .notExecutable
    case "timed-out": reason = .timedOut
    case "no-timeout": reason = .noTimeout
    default:
      guard let status = Int32(lines[1]) else { return nil }
      reason = status < 0 ? .ended(bySignal: -status) : .exited(status)
    }
    self.init(program: lines[2], event: event, reason: reason)
  }
}
