import PodcastModel
import PodcastStore
import Podcatcher
import ScreenKit
import Testing

@testable import podcli

@Suite struct ScreenPlayingTests {
  private static func playing(at seconds: Int, _ size: Size = Size(columns: 80, rows: 24)) -> ScreenState {
    var state = ScreenSamples.state(.playing, size)
    move(&state, to: seconds)
    return state
  }

  private static func move(_ state: inout ScreenState, to seconds: Int) {
    var status = ScreenSamples.player(.playing)
    status.position = .seconds(seconds)
    state.take(.status(status))
  }

  /// The paragraphs begin at 2400 and every 17 seconds from there on.
  @Test func `the line that is spoken stands at a third of the height, and moves when the line does`() {
    var state = Self.playing(at: 2400 + 17 * 30)
    #expect(state.transcript.selected == 30)
    let row = ScreenDrawing.draw(state).cursor.row
    #expect((8...12).contains(row))
    #expect(state.lines[row].contains("48:30"))
    Self.move(&state, to: 2400 + 17 * 30 + 16)
    #expect(state.transcript.selected == 30)
    Self.move(&state, to: 2400 + 17 * 31)
    #expect(state.transcript.selected == 31 && ScreenDrawing.draw(state).cursor.row == row)
  }

  @Test func `nothing moves once the end is in view, and before the first line the first is selected`() {
    var state = Self.playing(at: 2400 + 17 * 198)
    let before = state.lines
    Self.move(&state, to: 2400 + 17 * 199)
    #expect(state.lines[6..<21].map { $0.dropFirst() } == before[6..<21].map { $0.dropFirst() })
    Self.move(&state, to: 5)
    #expect(state.transcript.selected == 0)
  }

  @Test func `a key that moves stops following, escape follows again, enter hears the line`() {
    var state = Self.playing(at: 2400 + 17 * 30)
    state.type("jj")
    Self.move(&state, to: 2400 + 17 * 40)
    #expect(state.transcript.selected == 32 && !state.transcript.isFollowing)
    #expect(state.type("\r") == [.control(["seek", "2944.000s"])])
    #expect(state.transcript.isFollowing)
    state.type("k\u{1B}")
    #expect(state.transcript.selected == 40)
    // On the line that is spoken.
    #expect(state.type("\r") == [.control(["pause"])])
  }

  @Test func `words are found inside, and enter goes there`() {
    var state = Self.playing(at: 2400)
    state.type("/GRID")
    #expect(state.transcript.selected == 2)
    state.type("\u{1B}[B")
    #expect(state.transcript.selected == 6)
    #expect(state.type("\r") == [.control(["seek", "2502.000s"])])
  }

  @Test func `T ties the selected line to what is heard, and all that follows is shifted`() {
    var state = Self.playing(at: 2400 + 17 * 30 + 30)
    state.transcript.isFollowing = false
    state.transcript.selected = 30
    let anchor = TranscriptAnchor(said: .seconds(2910), heard: .seconds(2940))
    #expect(state.type("T") == [.tie(anchor, ScreenSamples.begun[0].episode.id)])
    var texts = ScreenSamples.texts(of: ScreenSamples.begun[0].episode.id)
    texts.anchors = [anchor]
    state.take(.texts(texts))
    #expect(state.transcript.selected == 30)
    #expect(state.transcript.starts[29] == .seconds(2893) && state.transcript.starts[31] == .seconds(2957))
  }

  @Test func `a file of another length than the feed says has times that may be off, until they are tied`() {
    var state = Self.playing(at: 2467)
    let warning = "times may be off"
    #expect(!state.lines.contains { $0.contains(warning) })
    var status = ScreenSamples.player(.playing)
    status.duration = .seconds(5060)
    state.take(.status(status))
    #expect(state.lines.contains { $0.contains(warning) })
    var texts = ScreenSamples.texts(of: ScreenSamples.begun[0].episode.id)
    texts.anchors = [TranscriptAnchor(said: .seconds(2400), heard: .seconds(2440))]
    state.take(.texts(texts))
    #expect(!state.lines.contains { $0.contains(warning) })
  }

  @Test func `c swaps in the chapters, i the notes, and both give way again`() {
    var state = Self.playing(at: 2467)
    state.type("c")
    #expect(state.lines.contains { $0.contains("▶   40:02 Sponsor") })
    #expect(state.type("j\r") == [.control(["seek", "2539.000s"])])
    state.type("c")
    #expect(state.transcript.shown == .transcript)
    state.type("i")
    #expect(state.lines.contains { $0.contains("A long talk about hinting") })
    var home = ScreenSamples.state(.home)
    home.type("c")
    #expect(home.page == .playing && home.transcript.view == .chapters)
  }

  @Test func `another episode that plays brings its own texts`() {
    var state = Self.playing(at: 2467)
    var status = ScreenSamples.player(.playing)
    status.episode = ScreenSamples.episodes[3].episode.id
    status.entry = ScreenSamples.episodes[3]
    #expect(state.take(.status(status)).contains(.loadTexts(ScreenSamples.episodes[3].episode.id, fetches: true)))
    #expect(!state.transcript.hasTranscript)
    state.take(.texts(ScreenSamples.texts(of: ScreenSamples.begun[0].episode.id)))
    #expect(!state.transcript.hasTranscript)
  }

  @Test func `without a transcript the notes stand there`() {
    var state = Self.playing(at: 2467)
    var texts = ScreenSamples.texts(of: ScreenSamples.begun[0].episode.id)
    texts.paragraphs = []
    state.take(.texts(texts))
    #expect(state.lines.contains { $0.contains("A long talk about hinting") })
  }
}
