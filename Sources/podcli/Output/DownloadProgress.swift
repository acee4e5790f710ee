import PodcastModel
import ScreenKit
import Synchronization

/// The progress of downloads: on a terminal one bar for all of them, elsewhere only a line for each that has ended.
final class DownloadProgress: Sendable {
  private struct State {
    var amounts: [EpisodeID: Amount] = [:]
    var ended = 0
    /// Bytes that were there at the start, which do not count for the rate.
    var firstReceived: [EpisodeID: Int64] = [:]
    var isShown = false
  }

  struct Amount: Hashable {
    var received: Int64
    var total: Int64?
  }

  private let console: Console
  private let count: Int
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  init(_ console: Console, count: Int) {
    self.console = console
    self.count = count
  }

  func note(_ entry: EpisodeEntry, _ amount: Amount) {
    guard !console.isQuiet, console.isErrorTerminal else { return }
    state.withLock { state in
      let id = entry.episode.id
      state.amounts[id] = amount
      if state.firstReceived[id] == nil { state.firstReceived[id] = amount.received }
      draw(&state, entry)
    }
  }

  /// Prints a line that stays, for a download that has ended. A failure is named also where nothing else is wanted.
  func end(_ line: String, isFailure: Bool) {
    state.withLock { state in
      state.ended += 1
      erase(&state)
      if isFailure { console.complain(line) } else { console.say(line) }
    }
  }

  func clear() { state.withLock { erase(&$0) } }

  private func erase(_ state: inout State) {
    guard state.isShown else { return }
    state.isShown = false
    _ = Console.put("\r\u{1B}[2K", on: StandardError.descriptor)
  }

  private func draw(_ state: inout State, _ entry: EpisodeEntry) {
    state.isShown = true
    let new = state.amounts.reduce(Int64(0)) { $0 + max(0, $1.value.received - (state.firstReceived[$1.key] ?? 0)) }
    let seconds = max(0.1, (ContinuousClock.now - start).inSeconds)
    let line = Self.bar(
      Array(state.amounts.values), ended: state.ended, count: count, rate: Int64(Double(new) / seconds),
      what: entry.episode.title, width: console.width)
    _ = Console.put("\r\u{1B}[2K" + line, on: StandardError.descriptor)
  }

  // MARK: Pure

  /// `1/3 ━━━━━━━━────────────  43.2%  12 MB of 28 MB  3.4 MB/s  Counting seconds`
  static func bar(_ amounts: [Amount], ended: Int, count: Int, rate: Int64, what: String, width: Int) -> String {
    let room = 20
    let received = amounts.reduce(Int64(0)) { $0 + $1.received }
    let totals = amounts.compactMap(\.total)
    let all = Amount(received: received, total: totals.count == amounts.count ? totals.reduce(0, +) : nil)
    let filled = Int((all.share ?? 0) * Double(room))
    let bar = String(repeating: "━", count: filled) + String(repeating: "─", count: room - filled)
    let size = SizeText.short(received) + (all.total.map { " of " + SizeText.short($0) } ?? "")
    let parts = [
      "\(ended)/\(count) \(bar)", all.share.map(percent), size, SizeText.short(rate) + "/s", CleanText.line(what),
    ]
    return DisplayWidth.fitted(parts.compactMap(\.self).joined(separator: "  "), to: max(1, width - 1))
  }

  /// Rounded down, so that only a complete download shows 100 %.
  static func percent(_ share: Double) -> String {
    let tenths = Int(share * 1000)
    return "\(tenths / 10).\(tenths % 10)%"
  }
}

extension DownloadProgress.Amount {
  var share: Double? {
    guard let total, total > 0 else { return nil }
    return min(1, max(0, Double(received) / Double(total)))
  }
}
