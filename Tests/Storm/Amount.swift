private import Glibc

/// How long a storm rages: so many rounds, or for as many as there is time for.
struct Amount {
  private let rounds: Int
  private let seconds: Double?

  /// `200`, or `60s`.
  init(_ word: String?, usual: Int) {
    seconds = word.flatMap { $0.hasSuffix("s") ? Double($0.dropLast()) : nil }
    rounds = seconds == nil ? word.flatMap { Int($0) } ?? usual : .max
  }

  private init(rounds: Int, seconds: Double?) {
    self.rounds = rounds
    self.seconds = seconds
  }

  var isTime: Bool { seconds != nil }

  /// What one of `count` has to do that work side by side.
  func share(of worker: Int, among count: Int) -> Amount {
    isTime ? self : Amount(rounds: rounds / count + (worker < rounds % count ? 1 : 0), seconds: nil)
  }

  /// The numbers of the rounds, from 1. Time runs from now on.
  func begin() -> Rounds { Rounds(most: rounds, end: Monotonic.seconds + (seconds ?? .infinity)) }

  struct Rounds: Sequence, IteratorProtocol {
    fileprivate let most: Int
    fileprivate let end: Double
    private var done = 0

    fileprivate init(most: Int, end: Double) {
      self.most = most
      self.end = end
    }

    mutating func next() -> Int? {
      guard done < most, Monotonic.seconds < end else { return nil }
      done += 1
      return done
    }
  }
}

enum Monotonic {
  static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
