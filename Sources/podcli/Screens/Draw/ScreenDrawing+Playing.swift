import PodcastModel
import Podcatcher
import ScreenKit

/// Playing: what is known about the sound, and the transcript, the notes or the chapters below.
extension ScreenDrawing {
  mutating func drawPlaying() {
    guard let entry = state.player.entry else {
      write("   Nothing is playing. Enter plays an episode on the other pages.", .dim, row: 2, in: layout.list)
      cells.cursor = Point(column: 0, row: 2)
      return
    }
    let picture = drawPicture()
    let margin = layout.side == nil ? picture.map { $0.columns + 1 } ?? 0 : 0
    let end = layout.side != nil && picture != nil ? layout.list.upperBound : layout.size.columns
    for (row, line) in zip(layout.body.dropLast(2), header(entry)) {
      write(" " + line, row == layout.body.lowerBound ? .bold : .dim, row: row, in: min(margin, end)..<end)
    }
    let rows = textRows
    if let query = state.transcript.query {
      let row = rows.lowerBound - 1
      let end = writeTyped("/" + query.text, row: row)
      if state.transcript.isTyping { cells.cursor = Point(column: end, row: row) }
    }
    drawTexts(rows, besidePicture: layout.side == nil ? nil : picture)
  }

  /// The rows of the transcript, the notes or the chapters: those below what is known about the sound, and the picture.
  var textRows: Range<Int> {
    guard let entry = state.player.entry else { return layout.body }
    var above = min(header(entry).count, max(0, layout.body.count - 2))
    if layout.side == nil, let picture = state.pictureArea { above = max(above, picture.key.size.rows) }
    return layout.body.dropFirst(above + (state.transcript.query == nil ? 0 : 1))
  }

  private mutating func drawTexts(_ rows: Range<Int>, besidePicture picture: Size?) {
    let transcript = state.transcript
    let hasSide = layout.side != nil && (picture != nil || !transcript.chapters.isEmpty)
    let columns = layout.texts(of: state)
    switch transcript.shown {
    case .transcript: drawTranscript(rows, columns)
    case .chapters where !hasSide: drawChapters(rows, columns, isActive: true)
    case .chapters: if transcript.hasTranscript { drawTranscript(rows, columns) } else { drawNotes(rows, columns) }
    case .notes: drawNotes(rows, columns)
    }
    guard hasSide, let side = layout.side, !transcript.chapters.isEmpty || transcript.shown == .chapters else { return }
    let below = picture.map { layout.body.dropFirst($0.rows + 1) } ?? rows
    drawChapters(below, side, isActive: transcript.shown == .chapters)
  }

  private func header(_ entry: EpisodeEntry) -> [String] {
    let podcast = CleanText.line(entry.podcast.title)
    var facts = [podcast]
    if let date = entry.episode.publishedAt { facts.append(ScreenText.day(date, now: state.now)) }
    if let length = state.player.durationOrAnnounced { facts.append(ClockText.short(length)) }
    if entry.download?.state == .complete { facts.append("all on this machine") }
    var sound: [String] = []
    if let speed = state.player.speed { sound.append(PlayingLine.speedText(speed)) }
    if let volume = state.player.volume, volume != 100 { sound.append("volume \(Int(volume)) %") }
    if let trim = state.player.trim, trim != "off" { sound.append("trim \(trim)") }
    if state.player.boost == true { sound.append("boost") }
    // In a pause it stands still.
    if state.player.state != .paused, let end = state.player.sleepAt {
      sound.append("sleep in \(max(0, (end.seconds - state.now.seconds + 59) / 60)) min")
    }
    if timesMayBeOff(entry) { sound.append("times may be off: T ties them to the voice") }
    if state.transcript.isMadeHere { sound.append("transcript made here") }
    if let note = state.player.note { sound.append(CleanText.line(note)) }
    var lines = [CleanText.line(entry.distinctTitle), facts.joined(separator: " · ")]
    if !sound.isEmpty { lines.append(sound.joined(separator: " · ")) }
    return lines + (chapterLine.map { [$0] } ?? [])
  }

  /// The media file has another length than the feed says: adverts were put in, of which the transcript knows nothing.
  private func timesMayBeOff(_ entry: EpisodeEntry) -> Bool {
    guard let real = state.player.duration, let said = entry.episode.duration, !state.transcript.starts.isEmpty else {
      return false
    }
    let difference = real - said
    return state.transcript.anchors.isEmpty && (difference > .seconds(5) || difference < .seconds(-5))
  }

  /// `3/9 Sponsor, 1:12 left · then Letters (42:19)`
  private var chapterLine: String? {
    let chapters = state.transcript.chapters
    guard let index = state.player.chapter?.index, chapters.indices.contains(index - 1) else { return nil }
    var line = "\(index)/\(chapters.count) \(CleanText.line(chapters[index - 1].title))"
    guard index < chapters.count else { return line }
    let next = chapters[index]
    if let position = state.player.position, let start = Duration(validSeconds: next.start), start > position {
      line += ", \(ClockText.short(start - position)) left"
    }
    return line + " · then \(CleanText.line(next.title)) (\(ClockText.position(next.start)))"
  }

  // MARK: Transcript

  /// The selected paragraph stands at a third of the height, but for the beginning and the end.
  private mutating func drawTranscript(_ rows: Range<Int>, _ columns: Range<Int>) {
    let transcript = state.transcript
    let kept = transcriptLines.flatMap { $0.isOf(transcript, rows, columns) ? $0 : nil }
    var shown = kept ?? TranscriptLines(transcript, rows: rows, columns: columns)
    let isTaken = shown.quiet.map { cells.take(rows: rows.prefix(shown.lines.count), columns, of: $0) } ?? false
    if !isTaken {
      for (row, line) in zip(rows, shown.lines) { draw(line, of: shown, isSpoken: false, row: row) }
      shown.quiet = cells
    }
    transcriptLines = shown
    if let spoken = state.player.position.flatMap({ transcript.spoken(at: $0) }) {
      let words = state.player.position.flatMap { transcript.words(at: $0) }
      for (row, line) in zip(rows, shown.lines) where line.paragraph == spoken {
        draw(line, of: shown, isSpoken: true, saying: words, row: row)
      }
    }
    if let cursor = shown.cursor { cells.cursor = cursor }
  }

  private mutating func draw(
    _ line: TranscriptFormat.Line, of shown: TranscriptLines, isSpoken: Bool, saying words: Range<Int>? = nil, row: Int
  ) {
    let columns = shown.columns
    write(line.margin, line.isFirst && isSpoken ? .bold : .dim, row: row, in: columns)
    let text = (columns.lowerBound + shown.marginWidth)..<columns.upperBound
    write(line.text, isSpoken ? .bold : .plain, row: row, in: min(text.lowerBound, text.upperBound)..<text.upperBound)
    if let words { light(words, of: line, row: row, in: text) }
    guard line.paragraph == state.transcript.selected else { return }
    cells.write("▌", at: Point(column: columns.lowerBound, row: row))
    if !state.transcript.isFollowing { cells.restyle(row: row, columns) { $0.with(.reverse) } }
  }

  /// Underlines the words of a line that are said now.
  private mutating func light(_ words: Range<Int>, of line: TranscriptFormat.Line, row: Int, in columns: Range<Int>) {
    var column = columns.lowerBound
    for (index, word) in line.text.utf8.split(separator: 0x20).enumerated() {
      let end = min(column + DisplayWidth.of(String(Substring(word))), columns.upperBound)
      if words.contains(line.firstWord + index), column < end {
        cells.restyle(row: row, column..<end) { $0.with(.underline) }
      }
      column = end + 1
    }
  }

  private mutating func drawNotes(_ rows: Range<Int>, _ columns: Range<Int>) {
    let transcript = state.transcript
    let text =
      transcript.isLoading ? "…" : transcript.notes.isEmpty ? "This episode has no notes." : transcript.notes
    cells.cursor = Point(column: 0, row: rows.lowerBound)
    writeLines(text, from: transcript.selected, rows: rows, columns: (columns.lowerBound + 1)..<columns.upperBound)
  }

  private mutating func drawChapters(_ rows: Range<Int>, _ columns: Range<Int>, isActive: Bool) {
    let transcript = state.transcript
    let playing = (state.player.chapter?.index ?? 0) - 1
    let selected = isActive ? transcript.selected : max(0, playing)
    guard !transcript.chapters.isEmpty else {
      return write("   This episode has no chapters.", .dim, row: rows.lowerBound, in: columns)
    }
    let top = max(0, min(selected - rows.count / 3, transcript.chapters.count - rows.count))
    for (row, index) in zip(rows, top..<transcript.chapters.count) {
      let chapter = transcript.chapters[index]
      let time = DisplayWidth.column(ClockText.position(chapter.start), 8, alignedRight: true)
      let line = "\(index == playing ? " ▶" : "  ")\(time) \(CleanText.line(chapter.title))"
      write(line, index == playing ? .bold : .plain, row: row, in: columns)
      guard isActive, index == selected else { continue }
      cells.cursor = Point(column: columns.lowerBound, row: row)
      cells.restyle(row: row, columns) { $0.with(.reverse) }
    }
  }
}

/// The lines of a transcript that were shown last. From word to word they stay: wrapping and writing them takes most of a
/// frame.
struct TranscriptLines {
  private let transcript: TranscriptState
  private let rows: Range<Int>
  let columns: Range<Int>
  let marginWidth: Int
  let lines: [TranscriptFormat.Line]
  /// Where the selected paragraph begins.
  let cursor: Point?
  /// A screen with these lines, none of which is spoken.
  var quiet: Cells?

  init(_ transcript: TranscriptState, rows: Range<Int>, columns: Range<Int>) {
    let format = TranscriptFormat(width: columns.count, segments: transcript.paragraphs, starts: transcript.starts)
    (self.transcript, self.rows, self.columns) = (transcript, rows, columns)
    marginWidth = format.marginWidth
    lines = format.lines(around: transcript.selected, height: rows.count)
    let first = lines.firstIndex { $0.paragraph == transcript.selected && $0.isFirst }
    cursor = first.map { Point(column: columns.lowerBound, row: rows.lowerBound + $0) }
  }

  func isOf(_ transcript: TranscriptState, _ rows: Range<Int>, _ columns: Range<Int>) -> Bool {
    self.rows == rows && self.columns == columns && self.transcript == transcript
  }
}

/// A transcript in lines of a width: time, speaker, text. Pure; only the lines that are shown are made.
struct TranscriptFormat {
  struct Line: Hashable {
    var paragraph: Int
    var isFirst: Bool
    var margin: String
    var text: String
    /// The number of its first word in the paragraph.
    var firstWord: Int
  }

  private let width: Int
  private let segments: [TranscriptSegment]
  private let starts: [Duration]
  private let speakerWidth: Int
  private let timeWidth: Int

  init(width: Int, segments: [TranscriptSegment], starts: [Duration]) {
    self.width = width
    self.segments = segments
    self.starts = starts
    let names = Set(segments.prefix(200).compactMap(\.speaker)).map { DisplayWidth.of(Self.short($0)) }
    speakerWidth = width < 50 ? 0 : min(12, names.max() ?? 0)
    timeWidth = starts.last.map { max(5, ClockText.short($0).count) } ?? 0
  }

  /// A mark, the time and the speaker.
  var marginWidth: Int { 2 + (timeWidth > 0 ? timeWidth + 2 : 0) + (speakerWidth > 0 ? speakerWidth + 2 : 0) }

  private static func short(_ name: String) -> String {
    CleanText.line(name).split(separator: " ").first.map(String.init) ?? ""
  }

  /// The selected paragraph stands at a third of the height or somewhat below: the text moves by several paragraphs at once,
  /// as one that moved with each would be hard to read, and would be sent anew with each.
  func lines(around selected: Int, height: Int) -> [Line] {
    guard segments.indices.contains(selected), height > 0 else { return [] }
    let step = max(1, height / 5)
    let first = selected - selected % step
    let shown = lines(from: first, height)
    let isWhole = lines(selected).last.map { shown.contains($0) } ?? true
    return isWhole ? shown : lines(from: selected, height)
  }

  private func lines(from selected: Int, _ height: Int) -> [Line] {
    var above = lines(before: selected, height / 3)
    var below: [Line] = []
    var next = selected
    while next < segments.count, above.count + below.count < height {
      below += lines(next)
      next += 1
    }
    // Towards the end nothing scrolls any more: the space that is left goes to what was said before.
    if above.count + below.count < height { above = lines(before: selected, height - below.count) }
    return Array((above + below).prefix(height))
  }

  private func lines(before selected: Int, _ count: Int) -> ArraySlice<Line> {
    var lines: [Line] = []
    var last = selected - 1
    while last >= 0, lines.count < count {
      lines = self.lines(last) + lines
      last -= 1
    }
    return lines.suffix(count)
  }

  private func lines(_ index: Int) -> [Line] {
    let segment = segments[index]
    let time = starts.indices.contains(index) ? ClockText.short(starts[index]) : ""
    let isNew = index == 0 || segments[index - 1].speaker != segment.speaker
    let speaker = isNew ? Self.short(segment.speaker ?? "") : ""
    var margin = "  " + DisplayWidth.column(time, timeWidth, alignedRight: true)
    if speakerWidth > 0 { margin += "  " + DisplayWidth.column(speaker, speakerWidth) }
    let text = ScreenText.wrappedAtBlanks(CleanText.line(segment.text, limit: .max), width: max(8, width - marginWidth))
    var words = 0
    return text.enumerated().map { number, line in
      defer { words += Array(line.utf8).split(separator: 0x20).count }
      return Line(
        paragraph: index, isFirst: number == 0, margin: number == 0 ? margin : "", text: line, firstWord: words)
    }
  }
}
