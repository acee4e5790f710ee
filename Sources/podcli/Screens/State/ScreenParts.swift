import CommandKit
import PodcastModel
import Podcatcher
import ScreenKit
import Text

/// The tabs of the first row.
struct ScreenTabs {
  struct Tab {
    var page: ScreenPage
    var text: String
    var columns: Range<Int>
  }

  private(set) var tabs: [Tab] = []

  init(_ state: ScreenState) {
    var column = 0
    for page in ScreenPage.allCases {
      let count =
        switch page {
        case .queue: state.queue.rows.count
        case .podcasts: state.podcasts.rows.count
        case .home, .playing: 0
        }
      let name = state.size.columns < 50 ? String(page.title.prefix(4)) : page.title
      let text = " \(page.rawValue + 1) \(name)\(count > 0 ? " \(count)" : "") "
      tabs.append(Tab(page: page, text: text, columns: column..<(column + text.count)))
      column += text.count
    }
  }
}

/// The line of the player, and the bar in it, on which a click seeks.
struct PlayerBar {
  let text: String

  let columns: Range<Int>?

  init(_ state: ScreenState) {
    guard let line = PlayingLine(state.player) else {
      (text, columns) = ("Nothing is playing", nil)
      return
    }
    text = line.rendered(width: state.size.columns)
    columns = line.barColumns(width: state.size.columns)
  }
}

/// The rows of the palette.
struct PaletteRows {
  enum Row {
    case key(ScreenKey)
    /// A podcli command line, without the program's name.
    case command(String)
  }

  let rows: [Row]

  /// Keys whose meaning or label has the text, in the order of the table; then the text as a command.
  init(_ state: ScreenState, _ palette: Palette) {
    let text = palette.field.text
    let words = text.lowercased().split(separator: " ")
    let keys = ScreenKeys.valid(in: state).filter { key in
      words.allSatisfy { key.meaning.lowercased().contains($0) } || key.keys.contains(text)
    }
    let isLine = text.contains { $0 != " " }
    let command = isLine ? [Row.command(text.drop { $0 == " " }.description)] : []
    // A line that begins with the whole name of a command is meant as one.
    let isTyped = CommandLineWords.split(text).first.map { state.program().hasCommand($0) } ?? false
    rows = isTyped ? command + keys.map { .key($0) } : keys.map { .key($0) } + command
  }
}
