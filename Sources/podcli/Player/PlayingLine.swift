import PodcastModel
import Podcatcher
import ScreenKit

/// The line that is shown while an episode plays. Pure.
struct PlayingLine: Hashable {
  enum Mode: Hashable { case playing, paused, stopped, buffering, opening }

  var mode = Mode.opening
  var position: Duration = .zero
  /// Absent while unknown.
  var duration: Duration?
  var speed = 1.0
  var chapter: Chapter?
  var title: String
  var note: String?

  struct Chapter: Hashable {
    var index: Int
    var count: Int
    var title: String
  }

  /// Never wider than `width`: first the bar shrinks, then the title is cut, then parts go one by one.
  func rendered(width: Int) -> String {
    let bare = DisplayWidth.of(clock) + 1 + DisplayWidth.of(rest)
    guard width >= bare else { return DisplayWidth.fitted(clock, to: width) }
    let tail = tailParts
    let bar = barWidth(for: width - bare)
    var line = clock + " " + (bar > 0 ? progressBar(bar) + " " : "") + rest
    for part in tail {
      let left = width - DisplayWidth.of(line) - 2
      guard left >= min(8, DisplayWidth.of(part)) else { break }
      line += "  " + DisplayWidth.fitted(part, to: left)
    }
    return line
  }

  /// Where the bar stands in the line, if there is room for one.
  func barColumns(width: Int) -> Range<Int>? {
    let bar = barWidth(for: width - DisplayWidth.of(clock) - 1 - DisplayWidth.of(rest))
    let start = DisplayWidth.of(clock) + 1
    return bar > 0 ? start..<(start + bar) : nil
  }

  private var clock: String { symbol + " " + ClockText.full(position) }
  private var rest: String { duration.map { "-" + ClockText.full(max(.zero, $0 - position)) } ?? "--" }

  private var symbol: String {
    switch mode {
    case .playing: "▶"
    case .paused: "⏸"
    case .stopped: "■"
    case .buffering, .opening: "…"
    }
  }

  private var tailParts: [String] {
    var parts: [String] = []
    if let note { parts.append(CleanText.line(note)) }
    if speed != 1 { parts.append(Self.speedText(speed)) }
    if let chapter {
      parts.append(CleanText.line("ch \(chapter.index + 1)/\(chapter.count) \(chapter.title)"))
    }
    parts.append(CleanText.line(title))
    return parts
  }

  /// A quarter of the line, where there is room for one.
  private func barWidth(for room: Int) -> Int {
    room < 24 ? 0 : min(40, room / 4)
  }

  private func progressBar(_ width: Int) -> String {
    guard let duration, duration > .zero else { return String(repeating: "─", count: width) }
    let halves = Int((position / duration).clamped(to: 0...1) * Double(width * 2))
    let (full, half) = halves.quotientAndRemainder(dividingBy: 2)
    return String(repeating: "━", count: full) + (half > 0 ? "╸" : "")
      + String(repeating: "─", count: width - full - half)
  }

  /// `volume 80 %, trim mild, boost on`
  static func soundText(volume: Double, trim: String, boost: Bool) -> String {
    "volume \(Int(volume)) %, trim \(trim), boost \(boost ? "on" : "off")"
  }

  static func speedText(_ speed: Double) -> String {
    let hundredths = Int((speed * 100).rounded())
    let (whole, fraction) = hundredths.quotientAndRemainder(dividingBy: 100)
    let digits = fraction % 10 == 0 ? String(fraction / 10) : (fraction < 10 ? "0" : "") + String(fraction)
    return "\(whole).\(digits)×"
  }
}

extension PlayingLine {
  /// The line of a status that has an episode.
  init?(_ status: PlayerStatus) {
    guard let entry = status.entry else { return nil }
    self.init(title: entry.headline)
    position = status.positionOrKept ?? .zero
    duration = status.durationOrAnnounced
    speed = status.speed ?? 1
    note = status.note
    mode =
      switch status.state {
      case .stopped: .stopped
      case .playing: .playing
      case .paused: .paused
      case .buffering: .buffering
      }
    if let playing = status.chapter, let count = playing.count {
      chapter = Chapter(index: playing.index - 1, count: count, title: playing.title)
    }
  }
}

extension Comparable {
  fileprivate func clamped(to range: ClosedRange<Self>) -> Self {
    min(max(self, range.lowerBound), range.upperBound)
  }
}
