package import Playback

/// A command to the player: what keys send, and whatever else controls it. `Listener.perform` carries it out.
package enum PlayerCommand: Hashable, Sendable {
  case pause, play, toggle, stop, next, previous
  case seek(TimeExpression)
  /// So many chapters on, or back when negative.
  case chapter(Int)
  case speed(Change)
  case volume(Change)
  case trim(Choice<Sound.Trim>)
  case boost(Choice<Bool>)
  /// Nil switches the timer off.
  case sleep(Choice<SleepTimer.Mode?>)
  case bookmark(note: String?)
  /// The beginning and the end of a range that is skipped from then on.
  case skipStart, skipEnd
  case showChapters, showNotes

  /// A number to be set, or to be added to the one before.
  package enum Change: Hashable, Sendable {
    case to(Double)
    case by(Double)

    func applied(to value: Double, in range: ClosedRange<Double>) -> Double {
      let wanted =
        switch self {
        case .to(let number): number
        case .by(let step): value + step
        }
      return min(max(wanted, range.lowerBound), range.upperBound)
    }
  }

  /// One of several values, or the one after that which holds.
  package enum Choice<Value: Hashable & Sendable>: Hashable, Sendable {
    case to(Value)
    case next
  }
}
