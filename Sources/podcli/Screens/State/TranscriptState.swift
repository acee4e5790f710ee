import PodcastModel

/// The transcript, the chapters and the notes of the episode that plays.
struct TranscriptState: Hashable, Sendable {
  enum View: Hashable, Sendable { case transcript, notes, chapters }

  private(set) var episode: EpisodeID?
  private(set) var paragraphs: [TranscriptSegment] = []
  private(set) var chapters: [Chapter] = []
  private(set) var notes = ""
  private(set) var anchors: [TranscriptAnchor] = []
  /// A program of the user made it.
  private(set) var isMadeHere = false
  /// When each paragraph is heard; empty where the transcript has no times.
  private(set) var starts: [Duration] = []
  var isLoading = false
  var view = View.transcript
  /// The paragraph, chapter or line that keys move.
  var selected = 0
  /// The selection goes with the voice.
  var isFollowing = true
  /// Words to find inside, while they are typed and afterwards.
  var query: TextField?
  var isTyping = false

  var hasTranscript: Bool { !paragraphs.isEmpty }
  /// Without a transcript, its place is taken by the notes.
  var shown: View { view == .transcript && !hasTranscript ? .notes : view }

  /// Keys have gone elsewhere than the voice, which can be followed again.
  var isLeft: Bool { !isFollowing && (hasTranscript || view != .transcript) }

  /// Paragraphs or chapters are shown, which can be heard.
  var hasMoments: Bool {
    switch shown {
    case .transcript: hasTranscript
    case .chapters: !chapters.isEmpty
    case .notes: false
    }
  }

  /// A line that is being typed stays: its letters would be commands otherwise.
  mutating func begin(_ id: EpisodeID?) {
    let former = self
    self = TranscriptState()
    episode = id
    isLoading = id != nil
    if former.isTyping { (query, isTyping, isFollowing) = (former.query, true, false) }
  }

  mutating func take(_ texts: EpisodeTextsOnScreen) {
    guard texts.episode == episode else { return }
    isLoading = false
    paragraphs = texts.paragraphs
    chapters = texts.chapters
    notes = texts.notes
    isMadeHere = texts.isMadeHere
    tie(to: texts.anchors)
    if shown == .notes, isFollowing { selected = 0 }
  }

  mutating func take(_ anchors: [TranscriptAnchor]) { if anchors != self.anchors { tie(to: anchors) } }

  private mutating func tie(to anchors: [TranscriptAnchor]) {
    self.anchors = anchors
    let times = paragraphs.map { $0.start.flatMap { Duration(validSeconds: $0) } }
    starts = times.contains(nil) ? [] : times.compactMap { $0.map { TranscriptAnchor.heard($0, anchors) } }
  }

  /// The paragraph that is spoken at a position; nil before the first.
  func spoken(at position: Duration) -> Int? {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= position { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }

  /// The words of the paragraph that is spoken which are said now; nil where the file does not time them.
  func words(at position: Duration) -> Range<Int>? {
    guard let heard = wordsHeard(in: spoken(at: position)), let last = heard.lastIndex(where: { $0 <= position }),
      let first = heard.firstIndex(of: heard[last])
    else { return nil }
    return first..<(last + 1)
  }

  /// When the next word or paragraph is said; nil where the file does not time words.
  func next(after position: Duration) -> Duration? {
    let paragraph = spoken(at: position)
    guard let heard = wordsHeard(in: paragraph ?? 0) else { return nil }
    return heard.first { $0 > position } ?? starts.dropFirst((paragraph ?? 0) + 1).first { $0 > position }
  }

  private func wordsHeard(in paragraph: Int?) -> [Duration]? {
    guard let paragraph, starts.indices.contains(paragraph), !paragraphs[paragraph].wordStarts.isEmpty else {
      return nil
    }
    return paragraphs[paragraph].wordStarts.map { start in
      Duration(validSeconds: start).map { TranscriptAnchor.heard($0, anchors) } ?? .zero
    }
  }

  /// When the words of the query are said in the selected paragraph; where the file does not time words, when that begins.
  var startOfMatch: Duration? {
    guard let words = query?.text.lowercased(), !words.isEmpty, starts.indices.contains(selected) else { return nil }
    let text = paragraphs[selected].text.lowercased()
    guard let match = text.firstRange(of: words), let heard = wordsHeard(in: selected) else { return starts[selected] }
    let before = text[..<match.lowerBound]
    let number = before.split(separator: " ").count - (before.last.map { $0 != " " } == true ? 1 : 0)
    return heard.indices.contains(number) ? heard[number] : starts[selected]
  }

  mutating func follow(_ position: Duration?) {
    guard isFollowing, shown == .transcript, let position else { return }
    selected = spoken(at: position) ?? 0
  }

  /// The next paragraph with the words, from the selected one in this direction.
  func match(from start: Int, step: Int) -> Int? {
    guard let words = query?.text.lowercased(), !words.isEmpty, !paragraphs.isEmpty else { return nil }
    var index = start
    for _ in paragraphs.indices {
      index = (index + step + paragraphs.count) % paragraphs.count
      if paragraphs[index].text.lowercased().contains(words) { return index }
    }
    return nil
  }
}

/// The texts of an episode as Playing shows them.
struct EpisodeTextsOnScreen: Hashable, Sendable {
  var episode: EpisodeID
  var paragraphs: [TranscriptSegment] = []
  var chapters: [Chapter] = []
  var notes = ""
  var anchors: [TranscriptAnchor] = []
  var isMadeHere = false
  /// Why a part of it could not be fetched: the output of the command.
  var failure: String?
}
