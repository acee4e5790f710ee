import PodcastModel
import Podcatcher
import ScreenKit

/// Playing: the transcript goes with the voice until a key moves in it.
extension ScreenUpdate {
  mutating func openTranscript() {
    guard state.transcript.episode != state.player.episode || state.player.episode == nil else { return }
    state.transcript.begin(state.player.episode)
    if let id = state.player.episode { effects.append(.loadTexts(id, fetches: true)) }
  }

  /// One that came to be since: the player fetches it, too, or a program has made it. Of one that is shown, only what ties
  /// it to the voice changes.
  mutating func readTranscript() {
    guard let id = state.transcript.episode else { return }
    if state.transcript.hasTranscript {
      effects.append(.loadAnchors(id))
    } else if state.page == .playing {
      effects.append(.loadTexts(id, fetches: false))
    }
  }

  mutating func take(_ texts: EpisodeTextsOnScreen) {
    state.transcript.take(texts)
    state.transcript.selected = min(state.transcript.selected, lastInTranscript)
    state.transcript.follow(state.player.positionOrKept)
    if let failure = texts.failure, texts.episode == state.transcript.episode {
      state.message = .init(failure: failure)
    }
  }

  mutating func take(_ anchors: [TranscriptAnchor], of episode: EpisodeID) {
    guard episode == state.transcript.episode else { return }
    state.transcript.take(anchors)
    state.transcript.follow(state.player.positionOrKept)
  }

  mutating func moveInTranscript(by count: Int) {
    state.transcript.isFollowing = false
    state.transcript.selected = max(0, min(state.transcript.selected + count, lastInTranscript))
  }

  /// The last paragraph or chapter; of notes, the first line where their last one stands at the end of the page.
  var lastInTranscript: Int {
    let end = state.transcript.shown == .notes ? ScreenDrawing(state).textRows.count : 1
    return max(0, transcriptCount - end)
  }

  /// The number of paragraphs, chapters or lines of notes that are shown.
  var transcriptCount: Int {
    let transcript = state.transcript
    switch transcript.shown {
    case .transcript: return transcript.paragraphs.count
    case .chapters: return transcript.chapters.count
    case .notes:
      let columns = ScreenLayout(state).texts(of: state)
      return ScreenText.wrapped(transcript.notes, width: columns.count - 1).count
    }
  }

  mutating func followAgain() {
    state.transcript.query = nil
    state.transcript.view = .transcript
    state.transcript.isFollowing = true
    state.transcript.follow(state.player.positionOrKept)
  }

  mutating func toggle(_ view: TranscriptState.View) {
    if state.page != .playing { show(.playing) }
    state.transcript.view = state.transcript.view == view ? .transcript : view
    state.transcript.selected = 0
    state.transcript.isFollowing = state.transcript.view == .transcript
    if view == .chapters { state.transcript.selected = max(0, (state.player.chapter?.index ?? 1) - 1) }
    state.transcript.follow(state.player.positionOrKept)
  }

  /// Goes to the selected line or chapter and follows the voice again; on the line that is spoken, pauses. With `found`, the
  /// moment of words that were looked for, goes there in any case.
  mutating func hearSelected(from found: Duration? = nil) {
    let transcript = state.transcript
    guard let target = found ?? target(transcript), let entry = state.player.entry else { return }
    let isSpoken =
      found == nil && transcript.shown == .transcript && state.player.state == .playing
      && transcript.spoken(at: state.player.position ?? .zero) == transcript.selected
    if state.player.state == .stopped {
      play(entry, at: target)
    } else if isSpoken {
      effects.append(.control(["pause"]))
    } else {
      effects.append(.control(["seek", seconds(target)]))
    }
    if transcript.shown == .transcript { state.transcript.isFollowing = true }
  }

  private func target(_ transcript: TranscriptState) -> Duration? {
    switch transcript.shown {
    case .transcript:
      transcript.starts.indices.contains(transcript.selected) ? transcript.starts[transcript.selected] : nil
    case .chapters:
      transcript.chapters.indices.contains(transcript.selected)
        ? Duration(validSeconds: transcript.chapters[transcript.selected].start) : nil
    case .notes: nil
    }
  }

  private func seconds(_ position: Duration) -> String {
    let milliseconds = position.inMilliseconds
    let rest = String(milliseconds % 1000 + 1000).dropFirst()
    return "\(milliseconds / 1000).\(rest)s"
  }

  /// Ties the selected line to the position that is heard.
  mutating func tie() {
    let transcript = state.transcript
    guard let id = transcript.episode, let heard = state.player.position,
      transcript.paragraphs.indices.contains(transcript.selected),
      let said = transcript.paragraphs[transcript.selected].start.flatMap({ Duration(validSeconds: $0) })
    else { return say("Nothing is playing") }
    state.transcript.isFollowing = true
    effects.append(.tie(TranscriptAnchor(said: said, heard: heard), id))
  }

  // MARK: Finding inside

  /// Without a transcript the query only takes the keys, which would be commands otherwise.
  mutating func openTranscriptQuery() {
    if state.transcript.hasTranscript {
      followAgain()
    } else {
      say("This episode has no transcript; Esc goes back to the keys")
    }
    state.transcript.query = TextField()
    state.transcript.isTyping = true
  }

  mutating func takeInTranscriptQuery(_ key: Key) {
    switch key.code {
    case .escape:
      state.transcript.isTyping = false
      followAgain()
    case .enter where lacksWords: say("The transcript does not have these words")
    case .enter:
      state.transcript.isTyping = false
      if state.transcript.hasTranscript { hearSelected(from: state.transcript.startOfMatch) } else { followAgain() }
    case .character("c") where key.modifiers == .control, .backspace where state.transcript.query?.text.isEmpty == true:
      state.transcript.isTyping = false
      followAgain()
    case .up: find(step: -1)
    case .down, .tab: find(step: 1)
    default:
      guard state.transcript.query?.take(key) == true else { return }
      state.transcript.isFollowing = false
      if let found = state.transcript.match(from: state.transcript.selected - 1, step: 1) {
        state.transcript.selected = found
      } else if lacksWords {
        say("The transcript does not have these words")
      }
    }
  }

  private var lacksWords: Bool {
    let transcript = state.transcript
    return transcript.hasTranscript && transcript.query?.text.isEmpty == false
      && transcript.match(from: transcript.selected - 1, step: 1) == nil
  }

  private mutating func find(step: Int) {
    guard let found = state.transcript.match(from: state.transcript.selected, step: step) else { return }
    state.transcript.selected = found
  }
}
