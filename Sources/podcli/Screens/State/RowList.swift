import PodcastModel
import PodcastStore

/// A row of a list on the screen.
enum ScreenRow: Hashable, Sendable {
  case heading(String)
  case episode(EpisodeEntry)
  /// A passage of the episode above, where a search found its words.
  case passage(SearchHit)
  case podcast(PodcastEntry)

  var isSelectable: Bool { if case .heading = self { false } else { true } }

  /// Keeps the selection on its row when the list is read again.
  enum Identity: Hashable { case episode(EpisodeID), passage(EpisodeID), podcast(PodcastID), heading(String) }

  var identity: Identity {
    switch self {
    case .heading(let text): .heading(text)
    case .episode(let entry): .episode(entry.episode.id)
    case .passage(let hit): .passage(hit.entry.episode.id)
    case .podcast(let podcast): .podcast(podcast.id)
    }
  }

  var entry: EpisodeEntry? {
    switch self {
    case .episode(let entry): entry
    case .passage(let hit): hit.entry
    case .heading, .podcast: nil
    }
  }
}

/// A list of which a window is held: its rows, the selected one, and the first that is shown.
struct RowList: Hashable, Sendable {
  enum Phase: Hashable, Sendable { case loading, ready, failed(String) }

  private(set) var rows: [ScreenRow] = []
  private(set) var selected = 0
  private(set) var top = 0
  var phase = Phase.loading
  private(set) var hasMoreBefore = false
  private(set) var hasMoreAfter = false

  var selectedRow: ScreenRow? { rows.indices.contains(selected) ? rows[selected] : nil }

  /// The cursor of the selected episode, from which a window is read again.
  var cursor: EpisodeCursor? { selectedRow?.entry.map { EpisodeCursor(after: $0) } }

  // MARK: New rows

  /// Takes the rows of a window that was read. The selection stays on its row, or else goes to the nearest one that is left. A list that was at its
  /// beginning stays there, as far as the selection allows.
  mutating func replace(_ rows: [ScreenRow], hasMoreBefore: Bool = false, hasMoreAfter: Bool = false) {
    let old = self.rows
    let kept = selectedRow?.identity
    let offset = selected - top
    let wasAtStart = top == 0 && !self.hasMoreBefore && !hasMoreBefore
    let wasLast = self.hasMoreAfter && !hasMoreAfter && selected == self.rows.count - 1
    self.rows = rows
    self.hasMoreBefore = hasMoreBefore
    self.hasMoreAfter = hasMoreAfter
    phase = .ready
    let found = kept.flatMap { kept in rows.firstIndex { $0.identity == kept } }
    if found == nil, wasLast { return select(rows.count - 1) }
    let nearest = found ?? Self.nearest(to: selected, of: old, in: rows)
    select(nearest ?? selected)
    if nearest != nil { top = wasAtStart ? 0 : max(0, selected - offset) }
  }

  /// Of the rows that followed a row, or else of those that came before it, the first that is left.
  private static func nearest(to index: Int, of old: [ScreenRow], in new: [ScreenRow]) -> Int? {
    guard old.indices.contains(index) else { return nil }
    let numbers = Dictionary(zip(new.map(\.identity), new.indices)) { first, _ in first }
    let candidates = old[(index + 1)...].map(\.self) + old[..<index].reversed()
    return candidates.lazy.filter(\.isSelectable).compactMap { numbers[$0.identity] }.first
  }

  // MARK: Moving

  mutating func select(_ index: Int) {
    guard !rows.isEmpty else { return selected = 0 }
    let index = min(max(0, index), rows.count - 1)
    let below = rows.indices[index...].first { rows[$0].isSelectable }
    selected = below ?? rows.indices[..<index].last { rows[$0].isSelectable } ?? index
  }

  mutating func select(_ identity: ScreenRow.Identity) {
    if let index = rows.firstIndex(where: { $0.identity == identity }) { select(index) }
  }

  /// The first row of the window: a list of another kind may stand above it.
  var firstInWindow: Int { (rows.lastIndex { !$0.isSelectable } ?? -1) + 1 }

  /// Returns how many rows are to go still, in rows that are not held.
  @discardableResult
  mutating func move(by count: Int) -> Int {
    let endsAbove = hasMoreBefore && selected >= firstInWindow
    let first = endsAbove ? firstInWindow : 0
    let wanted = min(max(first, selected + count), max(first, rows.count - 1))
    let rest = selected + count - wanted
    if count < 0, let above = rows.indices.prefix(wanted + 1).last(where: { rows[$0].isSelectable }) {
      selected = above
    } else {
      select(wanted)
    }
    return (rest < 0 ? endsAbove : hasMoreAfter) ? rest : 0
  }

  /// Moves the selected row, which stays selected.
  mutating func moveSelected(by step: Int) {
    let target = selected + step
    guard rows.indices.contains(selected), rows.indices.contains(target) else { return }
    rows.swapAt(selected, target)
    selected = target
  }

  /// Takes the selected row out; the next one is selected.
  mutating func removeSelected() {
    guard rows.indices.contains(selected) else { return }
    rows.remove(at: selected)
    select(selected)
  }

  /// Shows another state of the selected episode.
  mutating func changeSelected(_ change: (inout EpisodeEntry) -> Void) {
    guard case .episode(var entry)? = selectedRow else { return }
    change(&entry)
    rows[selected] = .episode(entry)
  }

  /// Scrolls so that the selection is among `height` rows; a heading right above it is shown too.
  mutating func fit(height: Int) {
    guard height > 0 else { return top = selected }
    let first = selected > 0 && !rows[selected - 1].isSelectable && height > 1 ? selected - 1 : selected
    top = min(top, first)
    top = max(top, selected - height + 1)
    top = max(0, min(top, rows.count - height))
  }

  /// The rows on that side of the selection are so few that the next ones should be read.
  func isNearEdge(height: Int) -> Bool {
    hasMoreBefore && selected < height || hasMoreAfter && rows.count - selected <= height
  }
}
