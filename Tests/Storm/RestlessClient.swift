private import Glibc
internal import TestSupport

/// A client of the player's socket that seeks, pauses and changes the speed all the time, whichever player is there.
final class RestlessClient: Sendable {
  private let path: String
  private let seed: UInt64
  private let seeks = Observed<[(moment: Double, target: Double)]>([])
  private let requests = Observed(0)

  init(_ path: String, seed: UInt64) {
    self.path = path
    self.seed = seed
  }

  /// How many requests were answered.
  var answered: Int { requests.value }

  func forget() { seeks.update { $0 = [] } }

  /// Whether it has sent the player there in the second before.
  func hasSought(_ position: Double, before moment: Double) -> Bool {
    seeks.value.contains { abs($0.target - position) < 0.6 && moment - $0.moment < 1 }
  }

  /// Runs until the task is cancelled.
  func run() async {
    var random = SeededGenerator(seed: seed)
    while !Task.isCancelled {
      if let socket = try? LineSocket(path), (try? await socket.line()) != nil { await trouble(socket, &random) }
      await Task.yield()
      _ = poll(nil, 0, 2)
    }
  }

  private func trouble(_ socket: LineSocket, _ random: inout SeededGenerator) async {
    while !Task.isCancelled {
      let request: String
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        let target = Double(Int.random(in: 100...2_000, using: &random)) / 10
        seeks.update { $0.append((Monotonic.seconds, target)) }
        request = #"{"do":"seek","to":\#(target)}"#
      case 2: request = #"{"do":"pause"}"#
      case 3: request = #"{"do":"speed","to":\#(Double(Int.random(in: 5...20, using: &random)) / 10)}"#
      default: request = #"{"do":"play"}"#
      }
      guard (try? await socket.ask(request)) != nil else { return }
      requests.update { $0 += 1 }
      _ = poll(nil, 0, Int32.random(in: 0...120, using: &random))
      // Never silent for long: a position counts as lost when it was not audible for a second.
      if request.contains("pause"), (try? await socket.ask(#"{"do":"play"}"#)) == nil { return }
    }
  }
}
