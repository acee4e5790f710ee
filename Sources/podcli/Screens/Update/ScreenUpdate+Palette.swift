import CommandKit
import ScreenKit
import Text

/// The palette: the keys that are valid here, narrowed while typing, and below them any podcli command.
extension ScreenUpdate {
  mutating func takeInPalette(_ key: Key) {
    switch key.code {
    case .escape: state.palette = nil
    case .character("c") where key.modifiers == .control: state.palette = nil
    case .enter: runSelected()
    case .up: movePalette(-1)
    case .down: movePalette(1)
    case .pageUp: movePalette(-10)
    case .pageDown: movePalette(10)
    case .tab: askForCompletion()
    case .backspace where state.palette?.field.text.isEmpty == true: state.palette = nil
    default:
      guard state.palette?.field.take(key) == true else { return }
      state.palette?.startAnew()
    }
  }

  private mutating func movePalette(_ step: Int) {
    guard let palette = state.palette else { return }
    let count = PaletteRows(state, palette).rows.count
    state.palette?.selected = max(0, min(palette.selected + step, count - 1))
  }

  private mutating func runSelected() {
    guard let palette = state.palette else { return }
    let rows = PaletteRows(state, palette).rows
    state.palette = nil
    guard rows.indices.contains(palette.selected) else { return }
    switch rows[palette.selected] {
    case .key(let key): perform(key.action)
    case .command(let line): run(line)
    }
  }

  /// Runs a line as a shell would split it. An episode plays in a process of its own, as with the keys.
  mutating func run(_ line: String) {
    var words = CommandLineWords.split(line)
    guard let command = words.first else { return }
    // The screen shows the player itself.
    if words == ["attach"] { return show(.playing) }
    // `play` alone goes on in the player that is there.
    if ["play", "resume"].contains(command), words != ["play"], !words.contains("--detach") {
      words.append("--detach")
    }
    closeOutput()
    let isWatching = goesOnForEver(words)
    state.runs += 1
    state.output = CommandOutput(
      number: state.runs, line: line, isWatching: isWatching, width: state.size.columns)
    effects.append(.run(state.runs, words, isWatching: isWatching))
  }

  /// Shows all about an episode again, where it is wrapped for another width. While a window is dragged, one after the other.
  mutating func wrapNotesAnew() {
    guard var output = state.output, output.isAboutEpisode, !output.isRunning, output.width != state.size.columns
    else { return }
    state.runs += 1
    (output.number, output.isRunning, output.width) = (state.runs, true, state.size.columns)
    state.output = output
    effects.append(.run(state.runs, CommandLineWords.split(output.line), isWatching: false))
  }

  /// With `--watch` or `--follow`, however they are spelled.
  private func goesOnForEver(_ words: [String]) -> Bool {
    guard case .run(let invocation)? = try? state.program().parse(words) else { return false }
    return words.first == "attach" || invocation[PlaylistCommand.watch] || invocation[TranscriptCommand.follow]
  }

  // MARK: Completion

  private mutating func askForCompletion() {
    guard let text = state.palette?.field.text else { return }
    let isNewWord = text.last == " " || text.isEmpty
    switch state.program().completion(ofLine: CommandLineWords.split(text), isNewWord: isNewWord) {
    case .words(let words): complete(words.map { Choice($0) })
    case .dynamic(let kind, let prefix): effects.append(.complete(kind: kind, prefix: prefix, line: text))
    }
  }

  /// Completes the last word as far as the candidates agree, and shows them.
  mutating func complete(_ candidates: [Choice]) {
    guard let text = state.palette?.field.text else { return }
    state.palette?.candidates = candidates
    let last = text.last == " " || text.isEmpty ? "" : CommandLineWords.split(text).last ?? ""
    // There may be more of them, which agree about less.
    guard !candidates.isEmpty, candidates.count < Candidates.limit, !last.isEmpty || candidates.count == 1 else {
      return candidates.isEmpty ? say("Nothing begins so") : ()
    }
    guard let common = commonPrefix(of: candidates.map(\.word)), common.count > last.count || candidates.count == 1
    else {
      return
    }
    guard let start = CommandLineWords.startOfLastWord(text) else { return }
    let isWhole = candidates.count == 1 && common.last.map { !"=:".contains($0) } ?? false
    state.palette?.field.replace(with: text[..<start] + CommandLineWords.quoted(common) + (isWhole ? " " : ""))
    state.palette?.selected = 0
    if candidates.count == 1 { state.palette?.candidates = [] }
  }

  // MARK: Output

  mutating func takeInOutput(_ key: Key) {
    let page = max(1, ScreenLayout(state).overlay.count - 2)
    switch (key.code, key.name) {
    case (.up, _), (_, "k"): scrollOutput(by: -1)
    case (.down, _), (_, "j"): scrollOutput(by: 1)
    case (.pageUp, _), (_, "^u"): scrollOutput(by: -page)
    case (.pageDown, _), (_, "^d"), (_, "space"): scrollOutput(by: page)
    case (.home, _), (_, "g"): state.output?.top = 0
    case (.end, _), (_, "G"): scrollOutput(by: .max / 2)
    case (_, ":"): state.palette = Palette()
    // Its last line may have named it.
    case (_, "u"):
      closeOutput()
      perform(.undo)
    case (.escape, _), (.enter, _), (_, "q"), (_, "h"), (_, "^c"), (.backspace, _): closeOutput()
    default: break
    }
  }

  /// A command that works goes on, and one that only shows the latest state ends.
  private mutating func closeOutput() {
    if let output = state.output, output.isWatching, output.isRunning { effects.append(.endWatching) }
    state.output = nil
  }

  mutating func scrollOutput(by count: Int) {
    guard let output = state.output else { return }
    let lines = output.text.reduce(0) { $1 == "\n" ? $0 + 1 : $0 }
    let last = max(0, lines - ScreenLayout(state).overlay.count + 1)
    state.output?.top = max(0, min(output.top + count, last))
  }
}
