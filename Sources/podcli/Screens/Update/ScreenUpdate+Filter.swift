import CommandKit
import PodcastModel
import PodcastStore
import ScreenKit

/// The filter line: the words of the CLI, answered at each key.
extension ScreenUpdate {
  mutating func openFilter() {
    if state.page == .playing { return openTranscriptQuery() }
    if state.filter != nil { return state.filter!.isTyping = true }
    state.filter = Filter()
    search()
  }

  mutating func takeInFilter(_ key: Key) {
    switch key.code {
    case .escape: state.filter = nil
    case .character("c") where key.modifiers == .control: state.filter = nil
    case .enter where state.filter?.mistake != nil && isAnswered: break
    case .enter:
      state.filter?.isTyping = false
      // The rows may still be those of fewer letters.
      if !isAnswered {
        state.filter?.opensFirst = true
      } else if state.list?.selectedRow != nil {
        perform(.open)
      }
    case .up, .down: state.list?.move(by: key.code == .up ? -1 : 1)
    case .pageUp: perform(.screenUp)
    case .pageDown: perform(.screenDown)
    case .tab: completeFilter()
    case .backspace where state.filter?.field.text.isEmpty == true: state.filter = nil
    default: if state.filter?.field.take(key) == true { search() }
    }
  }

  private var isAnswered: Bool { state.filter?.answered == state.filter?.field.text }

  /// Asks for as many as can be shown, most of which are a row each, as each row of an answer takes time; for `all` of
  /// them where keys go further.
  mutating func search(all: Bool = false) {
    guard let name = state.listName, let filter = state.filter else { return }
    let limit = all ? Self.mostFound : ScreenLayout(state).listRows.count
    effects.append(.search(filter.field.text, name, searchedPodcast, limit: limit))
  }

  private var searchedPodcast: PodcastID? { state.listName == .episodes ? state.podcast?.id : nil }

  private static let mostFound = 200

  /// The rows behind those that are there, once they are near. Conditions may leave few rows of many hits, so the hits
  /// that were asked for tell whether a search for more of them is worth it.
  mutating func searchOn(_ list: RowList) {
    guard list.hasMoreAfter, let limit = state.filter?.limit, limit < Self.mostFound else { return }
    let height = ScreenLayout(state).listRows.count
    if list.rows.count < height || list.rows.count - list.selected <= height / 2 { search(all: true) }
  }

  mutating func take(_ found: FoundRows) {
    // The same words may have been searched in another list before.
    guard state.filter?.field.text == found.line, state.listName == found.list, searchedPodcast == found.podcast
    else { return }
    state.filter?.limit = found.limit
    state.filter?.took = found.took
    state.filter?.mistake = found.mistake
    guard found.mistake == nil else {
      state.filter?.answered = found.line
      state.filter?.rows.phase = .ready
      if state.filter?.opensFirst == true { state.filter?.isTyping = true }
      state.filter?.opensFirst = false
      return
    }
    // The answer to other words begins at its best, of which it brings the texts.
    if state.filter?.answered != found.line { state.filter?.rows = RowList() }
    state.filter?.answered = found.line
    state.filter?.rows.replace(found.rows, hasMoreAfter: found.hasMore)
    if let about = found.about { take(about) }
    if let rows = state.filter?.rows, rows.rows.count < ScreenLayout(state).listRows.count { searchOn(rows) }
    guard state.filter?.opensFirst == true else { return }
    state.filter?.opensFirst = false
    if state.list?.selectedRow != nil { perform(.open) }
  }

  /// Completes the last word to the only filter that begins so, or to the beginning that several share.
  private mutating func completeFilter() {
    guard let text = state.filter?.field.text else { return }
    let last = text.split(separator: " ", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    let fitting = FilterWords.candidates(last).map(\.word).filter { $0.hasPrefix(last) }
    guard !last.isEmpty, let common = commonPrefix(of: fitting), common != last else {
      return say(fitting.isEmpty ? "No filter begins so" : fitting.joined(separator: "  "))
    }
    state.filter?.field.replace(with: text.dropLast(last.count) + common)
    search()
  }

  func commonPrefix(of words: [String]) -> String? {
    guard var common = words.first else { return nil }
    for word in words.dropFirst() {
      while !word.hasPrefix(common) { common.removeLast() }
    }
    return common
  }
}
