private import Glibc

/// The length of a storm: a number of rounds, or as many rounds as fit into a time.
struct Amount {
  private let rounds: Int
  private let seconds: Double?

  /// Parses `200` (rounds) or `60s` (seconds).
  init(_ word: String?, usual: Int) {
    seconds = word.flatMap { $0.hasSuffix("s") ? Double($0.dropLast()) : nil }
    rounds = seconds == nil ? word.flatMap { Int($0) } ?? usual : .max
  }

  private init(rounds: Int, seconds: Double?) {
    self.rounds = rounds
    self.seconds = seconds
  }

  var isTime: Bool { seconds != nil }

  /// The share of one of `count` parallel workers.
  func share(of worker: Int, among count: Int) -> Amount {
    isTime ? self : Amount(rounds: rounds / count + (worker < rounds % count ? 1 : 0), seconds: nil)
  }

  /// The numbers of the rounds, from 1. The time starts now.
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
