import ScreenKit

/// Where the parts of a page stand: the tabs on the first row, the player and the hints on the last two, and between
/// them the page, which from 100 columns on has a side.
struct ScreenLayout: Hashable {
  let size: Size
  /// The rows of the page.
  let body: Range<Int>
  /// The row of the line about the selection, where there is no side for it.
  let aboutRow: Int?
  /// The columns of the list.
  let list: Range<Int>
  let side: Range<Int>?
  /// The side has the notes of the selected episode.
  let hasNotes: Bool
  /// Rows above the list: the filter line, or the name of the podcast.
  let headerRows: Int

  static let smallest = Size(columns: 20, rows: 4)

  init(_ state: ScreenState) {
    size = state.size
    let isWide = size.columns >= 100
    hasNotes = isWide && [.home, .queue].contains(state.page)
    // The queue's and Home's side has the texts; that of the podcasts their episodes; that of Playing the chapters.
    let hasAboutLine = state.page != .playing && size.rows >= 8 && (!isWide || state.page == .podcasts)
    let end = size.rows - 2
    aboutRow = hasAboutLine ? end - 1 : nil
    body = 1..<max(1, hasAboutLine ? end - 1 : end)
    var columns = (list: 0..<size.columns, side: Range<Int>?.none)
    if isWide {
      // Of the podcasts, the left part is the narrow one.
      let left = state.page == .podcasts ? min(48, size.columns / 3) : size.columns - min(90, size.columns * 37 / 100)
      columns = (0..<left, (left + 2)..<size.columns)
    }
    headerRows = state.page == .playing ? 0 : state.filter != nil || state.page == .podcasts ? 1 : 0
    if state.page == .podcasts, state.isInPodcast, let right = columns.side {
      (list, side) = (right, columns.list)
    } else {
      (list, side) = columns
    }
  }

  /// The columns of the transcript or the notes on Playing: all, unless there is something to show beside them.
  func texts(of state: ScreenState) -> Range<Int> {
    let hasSide = side != nil && (state.pictureArea != nil || !state.transcript.chapters.isEmpty)
    return hasSide ? list : 0..<size.columns
  }

  /// The rows of the palette, and of the output of a command.
  var overlay: Range<Int> { 1..<max(1, playerRow) }
  var isWide: Bool { size.columns >= 100 }
  /// The rows of the list below its header.
  var listRows: Range<Int> { min(body.lowerBound + headerRows, body.upperBound)..<body.upperBound }
  var playerRow: Int { size.rows - 2 }
  var hintRow: Int { size.rows - 1 }
}
