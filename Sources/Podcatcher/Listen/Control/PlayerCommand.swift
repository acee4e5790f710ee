package import Playback
package import PodcastModel

/// A command to the player: what keys send, and whatever else controls it. `Listener.perform` carries it out.
package enum PlayerCommand: Hashable, Sendable {
  case pause, play, toggle, stop, next, previous
  case seek(TimeExpression)
  case chapter(ChapterChange)
  case speed(Change)
  case volume(Change)
  case trim(Choice<Sound.Trim>)
  case boost(Choice<Bool>)
  /// Nil switches the timer off.
  case sleep(Choice<SleepTimer.Mode?>)
  case bookmark(note: String?)
  /// Another episode, or the one that plays: at a position, else where it was left.
  case open(EpisodeID, at: TimeExpression?)
  /// The beginning and the end of a range that is skipped from then on.
  case skipStart, skipEnd
  case showChapters, showNotes

  /// It is not done when playing ends before another episode plays.
  var changesEpisode: Bool {
    switch self {
    case .next, .previous, .open: true
    default: false
    }
  }

  /// A number to be set, or to be added to the one before.
  package enum Change: Hashable, Sendable {
    case to(Double)
    case by(Double)

    /// `1.4`, `+0.1`, `-0.1`, `80%`. Nil for other text, and for a number outside the range.
    init?(_ text: String, in range: ClosedRange<Double>) {
      let sign = text.first.flatMap { ["+": 1.0, "-": -1.0][$0] }
      let digits = text.dropFirst(sign == nil ? 0 : 1).drop(suffix: "%")
      guard digits.allSatisfy({ ("0"..."9").contains($0) || $0 == "." }), let number = Double(digits) else {
        return nil
      }
      if let sign {
        self = .by(sign * min(number, range.upperBound))
      } else if range.contains(number) {
        self = .to(number)
      } else {
        return nil
      }
    }

    func applied(to value: Double, in range: ClosedRange<Double>) -> Double {
      let wanted =
        switch self {
        case .to(let number): number
        // 1.1 - 0.1 is a little less than 1 in binary.
        case .by(let step): ((value + step) * 1e6).rounded() / 1e6
        }
      return min(max(wanted, range.lowerBound), range.upperBound)
    }
  }

  /// A chapter, counted from 1, or so many chapters on; back when negative.
  package enum ChapterChange: Hashable, Sendable {
    case to(Int)
    case by(Int)

    /// `3`, `+1`, `-1`
    init?(_ text: String) {
      guard let number = Int(text), (-100_000...100_000).contains(number) else { return nil }
      if text.hasPrefix("+") || text.hasPrefix("-") {
        self = .by(number)
      } else if number > 0 {
        self = .to(number)
      } else {
        return nil
      }
    }
  }

  /// One of several values, or the one after that which holds.
  package enum Choice<Value: Hashable & Sendable>: Hashable, Sendable {
    case to(Value)
    case next
  }
}

extension Substring {
  fileprivate func drop(suffix: String) -> Substring { hasSuffix(suffix) ? dropLast(suffix.count) : self }
}
