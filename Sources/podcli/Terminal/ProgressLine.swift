import PodcastModel
import ScreenKit
import Synchronization

/// The progress of long work: one redrawn line on a terminal, nothing elsewhere.
final class ProgressLine: Sendable {
  private struct State {
    var done = 0
    var drawnAt: ContinuousClock.Instant?
    var isShown = false
  }

  private let console: Console
  private let total: Int
  private let unit: String
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  /// The shortest time between two redraws.
  private static let interval = Duration.milliseconds(80)

  init(_ console: Console, total: Int, unit: String) {
    self.console = console
    self.total = total
    self.unit = unit
  }

  private var isWanted: Bool { console.isErrorTerminal && !console.isQuiet }

  /// Counts one more as done, and shows its name.
  func step(_ what: String) {
    guard isWanted else { return }
    state.withLock { state in
      state.done += 1
      let now = ContinuousClock.now
      if let drawn = state.drawnAt, now - drawn < Self.interval, state.done < total { return }
      state.drawnAt = now
      state.isShown = true
      _ = Console.put("\r\u{1B}[2K" + line(state.done, what, now - start), on: StandardError.descriptor)
    }
  }

  /// Shows how far one of them is.
  func show(_ text: String) {
    guard isWanted else { return }
    state.withLock { state in
      let now = ContinuousClock.now
      if let drawn = state.drawnAt, now - drawn < Self.interval { return }
      state.drawnAt = now
      state.isShown = true
      let line = DisplayWidth.fitted(CleanText.line(text), to: max(1, console.width - 1))
      _ = Console.put("\r\u{1B}[2K" + line, on: StandardError.descriptor)
    }
  }

  /// Prints a line that stays, above the redrawn one. A failure is named also where nothing else is wanted.
  func say(_ text: String, isFailure: Bool = false) {
    clear()
    if isFailure { console.complain(text) } else { console.say(text) }
  }

  func clear() {
    state.withLock { state in
      guard state.isShown else { return }
      state.isShown = false
      _ = Console.put("\r\u{1B}[2K", on: StandardError.descriptor)
    }
  }

  private func line(_ done: Int, _ what: String, _ elapsed: Duration) -> String {
    Self.text(
      done: done, of: total, unit: unit, rate: Double(done) / max(0.001, elapsed.inSeconds), what: what,
      width: console.width)
  }

  /// `120/500 ━━━━╸────── 64 feeds/s  Late Night Linux`. Pure.
  static func text(done: Int, of total: Int, unit: String, rate: Double, what: String, width: Int) -> String {
    let count = "\(done)/\(total)"
    let speed = "\(Int(rate.rounded())) \(unit)/s"
    let room = 20
    let filled = total > 0 ? min(room, done * room / total) : room
    let bar = String(repeating: "━", count: filled) + String(repeating: "─", count: room - filled)
    return DisplayWidth.fitted("\(count) \(bar) \(speed)  \(CleanText.line(what))", to: max(1, width - 1))
  }
}
