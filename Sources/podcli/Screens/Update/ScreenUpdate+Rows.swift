import PodcastModel
import PodcastStore
import Podcatcher
import ScreenKit

/// Rows that a key has asked for and that are not held yet. Keys that come before them are about them, and wait: otherwise
/// they would do something to the row that is the last by chance.
extension ScreenUpdate {
  /// Keys that leave or control the player wait only behind others. A click in a list is about a row that may be another
  /// by then, and the wheel moves the selection that the waiting keys are about.
  mutating func takeInTurn(_ input: Input) {
    guard let awaited = state.awaited else { return take(input) }
    switch input {
    case .key(let key) where key == Key(.character("c"), .control) || awaited.inputs.isEmpty && !needsRows(key):
      take(input)
    case .key, .paste: state.awaited?.inputs.append(input)
    case .mouse(let mouse) where mouse.action == .press:
      if mouse.point.row == ScreenLayout(state).playerRow { take(input) }
      // The names of the pages.
      if mouse.point.row == 0 { state.awaited?.inputs.append(input) }
    case .mouse: break
    case .attributes, .focus: take(input)
    }
  }

  private func needsRows(_ key: Key) -> Bool {
    switch ScreenKeys.action(for: key, in: state) {
    case .leave, .stopAndLeave, .suspend, .redraw: false
    // With nothing playing, it plays what is selected.
    case .control: state.player.state == .stopped
    default: true
    }
  }

  mutating func wait(for target: AwaitedRows.Target) {
    guard state.filter == nil, let name = state.listName else { return }
    state.awaited = AwaitedRows(list: name, target: target)
    load(name)
  }

  private mutating func load(_ name: ScreenState.ListName) {
    if name == .home {
      effects.append(.loadHome(anchor(of: .home)))
    } else if let id = state.podcast?.id {
      effects.append(.loadEpisodes(id, anchor(of: .episodes)))
    }
  }

  /// Of the window that a list shows, or waits for, when it is read.
  func anchor(of name: ScreenState.ListName) -> ListAnchor {
    switch state.awaited?.list == name ? state.awaited?.target : nil {
    case .first: .start
    case .last: .end
    case .further: aroundSelected(name)
    case nil: state[name].hasMoreBefore ? aroundSelected(name) : .start
    }
  }

  /// Those above the new episodes on Home are not of that list.
  func aroundSelected(_ name: ScreenState.ListName) -> ListAnchor {
    let list = state[name]
    guard let cursor = list.cursor, list.selected >= list.firstInWindow else { return .start }
    return .around(cursor)
  }

  /// Rows of the list have come, perhaps ones that were asked for before.
  mutating func arrived(_ name: ScreenState.ListName) {
    guard let awaited = state.awaited, awaited.list == name else { return }
    switch awaited.target {
    // Rows that were asked for before. They may have taken the place of the question for these.
    case .first where state[name].hasMoreBefore, .last where state[name].hasMoreAfter: return load(name)
    case .first: state[name].select(0)
    case .last: state[name].select(state[name].rows.count - 1)
    case .further(let count):
      state.awaited = nil
      move(by: count)
      state.awaited?.inputs = awaited.inputs
      if state.awaited != nil { return }
    }
    goOn(awaited.inputs)
  }

  /// They will not come, and the keys that are about them mean nothing.
  mutating func goOnWithoutRows() {
    guard let awaited = state.awaited else { return }
    let actions = awaited.inputs.map { input in
      if case .key(let key) = input { ScreenKeys.action(for: key, in: state) } else { nil as ScreenAction? }
    }
    // Behind a key that opens a line, letters are typed.
    let end = actions.firstIndex { $0 == .palette || $0 == .filter } ?? actions.endIndex
    goOn(
      awaited.inputs[..<end].enumerated().filter { [.leave, .stopAndLeave].contains(actions[$0.offset]) }.map(\.element)
    )
  }

  private mutating func goOn(_ inputs: [Input]) {
    state.awaited = nil
    for input in inputs {
      // As after each event.
      let before = state
      takeInTurn(input)
      settle(after: before)
    }
  }
}
