import PodcastModel
import Podcatcher
import ScreenKit
import Text

/// The page of `stats`: listened time as small bar charts. Pure.
struct StatisticsPage {
  var width: Int
  var paint: Paint
  var today: Timestamp

  private static let shownDays = 14
  private static let shownWeeks = 8
  private static let shownPodcasts = 10

  private struct Bar {
    var label: String
    var length: Duration
  }

  func rendered(_ statistics: ListeningStatistics) -> String {
    var parts = [head(statistics), chart("By day", days(statistics))]
    let weeks = weeks(statistics)
    if weeks.count(where: { $0.length > .zero }) > 1 { parts.append(chart("By week", weeks)) }
    parts.append(chart("By podcast", podcasts(statistics)))
    return parts.joined(separator: "\n\n") + "\n"
  }

  private func head(_ statistics: ListeningStatistics) -> String {
    var lines = ["Listened \(ClockText.words(statistics.listened)) to \(counted(statistics.episodes, "episode"))"]
    if statistics.savedBySpeed > .zero { lines.append("Saved by speed \(ClockText.words(statistics.savedBySpeed))") }
    if statistics.savedByTrim > .zero { lines.append("Saved by trimming \(ClockText.words(statistics.savedByTrim))") }
    return lines.map { DisplayWidth.fitted($0, to: width) }.joined(separator: "\n")
  }

  /// The last two weeks with their idle days, from the first day with listening on.
  private func days(_ statistics: ListeningStatistics) -> [Bar] {
    let listened = Dictionary(statistics.days.map { ($0.date, $0.listened) }) { $0 + $1 }
    let first = statistics.days.first?.date ?? today
    return (0..<Int64(Self.shownDays)).reversed().compactMap { ago -> Bar? in
      let day = Timestamp(seconds: today.seconds - ago * 86_400)
      guard day >= first else { return nil }
      let label = "\(LocalTime.weekday(day).prefix(3)) \(day.dateText.dropFirst(5))"
      return Bar(label: label, length: listened[day] ?? .zero)
    }
  }

  private func weeks(_ statistics: ListeningStatistics) -> [Bar] {
    let first = statistics.days.first.map { Self.monday(before: $0.date) } ?? today
    return (0..<Self.shownWeeks).reversed().compactMap { number in
      let monday = Self.monday(before: today).seconds - Int64(number) * 7 * 86_400
      guard monday >= first.seconds else { return nil }
      let days = statistics.days.filter { (monday..<(monday + 7 * 86_400)).contains($0.date.seconds) }
      return Bar(label: Timestamp(seconds: monday).dateText, length: days.reduce(.zero) { $0 + $1.listened })
    }
  }

  private func podcasts(_ statistics: ListeningStatistics) -> [Bar] {
    statistics.podcasts.prefix(Self.shownPodcasts).map {
      Bar(label: DisplayWidth.fitted(CleanText.line($0.podcast.title), to: max(10, width / 3)), length: $0.listened)
    }
  }

  private func chart(_ title: String, _ bars: [Bar]) -> String {
    let labelWidth = bars.map { DisplayWidth.of($0.label) }.max() ?? 0
    let longest = bars.map(\.length).max() ?? .zero
    let room = max(0, min(40, width - labelWidth - 16))
    let lines = bars.map { bar in
      let share = longest > .zero ? bar.length / longest : 0
      let text = bar.length > .zero ? ClockText.words(bar.length) : "–"
      return "  " + DisplayWidth.column(bar.label, labelWidth) + "  " + paint.green(Self.bar(share, room))
        + (share > 0 && room > 0 ? " " : "") + text
    }
    return ([paint.bold(title)] + lines).joined(separator: "\n")
  }

  /// A bar in eighths of a cell.
  static func bar(_ share: Double, _ width: Int) -> String {
    let eighths = max(share > 0 && width > 0 ? 1 : 0, Int((share * Double(width * 8)).rounded()))
    let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: eighths / 8) + partial[eighths % 8]
  }

  static func midnight(_ moment: Timestamp) -> Timestamp {
    Timestamp(seconds: moment.seconds - (moment.seconds % 86_400 + 86_400) % 86_400)
  }

  /// The first Monday of the epoch is January 5, 1970.
  private static func monday(before day: Timestamp) -> Timestamp {
    let week: Int64 = 7 * 86_400
    let offset = ((day.seconds - 4 * 86_400) % week + week) % week
    return Timestamp(seconds: day.seconds - offset)
  }

  // MARK: For programs

  /// Three fields: kind, podcast or date, and seconds.
  static func tabSeparated(_ statistics: ListeningStatistics) -> String {
    func seconds(_ length: Duration) -> String { String(length.components.seconds) }
    var rows = [
      ["listened", "", seconds(statistics.listened)], ["saved-by-speed", "", seconds(statistics.savedBySpeed)],
      ["saved-by-trim", "", seconds(statistics.savedByTrim)],
    ]
    rows += statistics.days.map { ["day", $0.date.dateText, seconds($0.listened)] }
    rows += statistics.podcasts.map {
      ["podcast", $0.podcast.title, seconds($0.listened)]
    }
    return rows.map(TabSeparated.line).joined()
  }

  static func json(_ statistics: ListeningStatistics) -> JSON {
    [
      "listened": EpisodeJSON.seconds(statistics.listened),
      "savedBySpeed": EpisodeJSON.seconds(statistics.savedBySpeed),
      "savedByTrim": EpisodeJSON.seconds(statistics.savedByTrim), "episodes": JSON(statistics.episodes),
      "podcasts": .array(
        statistics.podcasts.map {
          [
            "podcast": EpisodeJSON.podcast($0.podcast), "listened": EpisodeJSON.seconds($0.listened),
            "episodes": JSON($0.episodes),
          ]
        }),
      "days": .array(
        statistics.days.map { ["date": JSON($0.date.dateText), "listened": EpisodeJSON.seconds($0.listened)] }),
    ]
  }
}
