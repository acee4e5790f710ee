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
  @Test
  func `the line that is spoken stands at a third of the height or below, and the text moves by some lines at once`() {
    var state = Self.playing(at: 2400 + 17 * 30)
    #expect(state.transcript.selected == 30)
    let row = ScreenDrawing.draw(state).cursor.row
    #expect((8...12).contains(row))
    #expect(state.lines[row].contains("48:30"))
    Self.move(&state, to: 2400 + 17 * 30 + 16)
    #expect(state.transcript.selected == 30)
    Self.move(&state, to: 2400 + 17 * 31)
    #expect(state.transcript.selected == 31 && (row + 1...row + 3).contains(ScreenDrawing.draw(state).cursor.row))
    Self.move(&state, to: 2400 + 17 * 33)
    #expect(state.transcript.selected == 33 && ScreenDrawing.draw(state).cursor.row == row)
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

  @Test func `enter on words that are found in the spoken line goes there: to the words where they are timed`() {
    var state = Self.playing(at: 2400 + 17 * 2 + 10)
    #expect(state.type("/GRID\r") == [.control(["seek", "2434.000s"])])
    var texts = ScreenSamples.texts(of: ScreenSamples.begun[0].episode.id)
    texts.paragraphs = [TranscriptSegment(start: 2400, end: 2500, text: "One two (grids) four")]
    texts.paragraphs[0].wordStarts = [2400, 2410, 2420, 2430]
    state.take(.texts(texts))
    #expect(state.type("/grid\r") == [.control(["seek", "2420.000s"])])
    #expect(state.type("/wo (g\r") == [.control(["seek", "2410.000s"])])
    #expect(state.type("/one\r") == [.control(["seek", "2400.000s"])])
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

  @Test func `a tie that is undone, or changed by another podcli, is read at a change of the library`() {
    var state = Self.playing(at: 2400 + 17 * 30)
    let id = ScreenSamples.begun[0].episode.id
    let anchor = TranscriptAnchor(said: .seconds(2910), heard: .seconds(2940))
    #expect(state.take(.libraryChanged).contains(.loadAnchors(id)))
    state.take(.anchors([anchor], of: id))
    #expect(state.transcript.starts[30] == .seconds(2940) && state.transcript.selected == 29)
    #expect(state.type("1").contains(.loadAnchors(id)))
    state.take(
      .anchors([TranscriptAnchor(said: .seconds(1), heard: .seconds(9))], of: ScreenSamples.episodes[3].episode.id))
    #expect(state.transcript.starts[30] == .seconds(2940))
    state.take(.anchors([], of: id))
    #expect(state.transcript.starts[30] == .seconds(2910) && state.transcript.selected == 30)
  }

  @Test func `the last line of the notes stands at the end of the page`() throws {
    var state = Self.playing(at: 2467, Size(columns: 40, rows: 12))
    var texts = ScreenSamples.texts(of: ScreenSamples.begun[0].episode.id)
    texts.notes = (1...30).map { "line \($0) of them" }.joined(separator: "\n")
    state.take(.texts(texts))
    state.type("iG")
    #expect(state.lines[9].contains("line 30 of them"))
    state.type("k")
    #expect(state.lines[9].contains("line 29 of them"))
    state.type("G")
    state.take(.resized(Size(columns: 40, rows: 20)))
    #expect(state.lines[17].contains("line 30 of them"))
    texts.notes = "short"
    state.take(.texts(texts))
    state.type("G")
    #expect(state.lines.contains { $0.contains("short") })
  }

  @Test func `without a transcript, no key is offered that needs one`() {
    var state = Self.playing(at: 2467)
    state.take(.texts(EpisodeTextsOnScreen(episode: ScreenSamples.begun[0].episode.id)))
    state.type("j:")
    #expect(!state.lines.contains { $0.contains("find in the transcript") || $0.contains("follow the voice") })
    #expect(state.lines.contains { $0.contains("the chapters, or not") })
    state.type("\u{1B}")
    state.type("c:")
    #expect(state.lines.contains { $0.contains("follow the voice") })
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

  /// Each of the words of a line is a second long.
  private static func timed() -> ScreenState {
    var state = playing(at: 2400)
    var texts = ScreenSamples.texts(of: ScreenSamples.begun[0].episode.id)
    for index in texts.paragraphs.indices {
      let start = texts.paragraphs[index].start ?? 0
      let count = texts.paragraphs[index].text.split(separator: " ").count
      texts.paragraphs[index].wordStarts = (0..<count).map { start + Double($0) / 2 }
    }
    state.take(.texts(texts))
    return state
  }

  private static func lit(_ state: ScreenState) -> String {
    let cells = ScreenDrawing.draw(state)
    return (0..<state.size.rows).map { row in
      let parts = cells.styledLine(row, usesColor: false).split(separator: "\u{1B}[")
      return parts.filter { $0.prefix { $0 != "m" }.split(separator: ";").contains("4") }
        .map { $0.drop { $0 != "m" }.dropFirst() }.joined()
    }.joined()
  }

  @Test func `the word that is said is underlined where the file times it, and the screen counts on to the next`() {
    var state = Self.timed()
    #expect(Self.lit(state) == "and")
    var status = ScreenSamples.player(.playing)
    status.position = .seconds(2401)
    #expect(state.take(.status(status)) == [.wait(for: .milliseconds(2_401_500), .milliseconds(500) / 1.4)])
    #expect(Self.lit(state) == "is")
    #expect(state.take(.reached(.milliseconds(2_401_500))) == [.wait(for: .seconds(2402), .milliseconds(500) / 1.4)])
    #expect(Self.lit(state) == "why")
    // An old one, from before a jump.
    #expect(state.take(.reached(.milliseconds(2_401_500))) == [])
    #expect(Self.lit(state) == "why")
    status.state = .paused
    #expect(state.take(.status(status)) == [])
    #expect(state.take(.reached(.seconds(2402))) == [] && state.player.position == .seconds(2401))
  }

  @Test func `words that are tied are lit when they are heard, across lines that are wrapped`() {
    var state = Self.timed()
    var texts = ScreenSamples.texts(of: ScreenSamples.begun[0].episode.id)
    texts.paragraphs = state.transcript.paragraphs
    texts.anchors = [TranscriptAnchor(said: .seconds(2400), heard: .seconds(2430))]
    state.take(.texts(texts))
    // The third paragraph has 22 words on two lines.
    let third = 2434 + 30
    for (word, text) in ["Except", "on", "terminals,", "yes.", "When", "you", "look", "at"].enumerated() {
      var status = ScreenSamples.player(.playing)
      status.position = .milliseconds(third * 1000 + word * 500)
      state.take(.status(status))
      #expect(Self.lit(state) == text)
    }
    var status = ScreenSamples.player(.playing)
    status.position = .seconds(third + 10)
    state.take(.status(status))
    #expect(Self.lit(state) == "point.")
  }

  @Test func `lines that are kept from the frame before are those that are made anew`() {
    var state = Self.timed()
    var lines: TranscriptLines?
    var shorter = ScreenSamples.texts(of: ScreenSamples.begun[0].episode.id)
    shorter.paragraphs.removeFirst(3)
    let changes: [(inout ScreenState) -> Void] = [
      { _ in }, { Self.move(&$0, to: 2405) }, { Self.move(&$0, to: 2435) }, { Self.move(&$0, to: 2436) },
      { $0.player.entry?.episode.title = "👨‍👩‍👧 at home" }, { Self.move(&$0, to: 2437) }, { $0.type("j") },
      { $0.type("gG") },
      { $0.take(.resized(Size(columns: 47, rows: 24))) }, { $0.take(.resized(Size(columns: 47, rows: 15))) },
      { $0.take(.texts(shorter)) }, { $0.type("/the") }, { $0.take(.resized(Size(columns: 130, rows: 40))) },
    ]
    for (number, change) in changes.enumerated() {
      change(&state)
      let cells = ScreenDrawing.draw(state, keeping: &lines)
      let anew = (0..<state.size.rows).map { ScreenDrawing.draw(state).styledLine($0, usesColor: true) }
      #expect((0..<state.size.rows).map { cells.styledLine($0, usesColor: true) } == anew, "\(number)")
      #expect(cells.cursor == ScreenDrawing.draw(state).cursor, "\(number)")
    }
  }

  @Test func `without times of words nothing is lit, and nothing waited for`() {
    var state = Self.playing(at: 2400)
    #expect(Self.lit(state) == "" && state.nextWord == nil)
    var status = ScreenSamples.player(.playing)
    status.position = .seconds(2401)
    #expect(state.take(.status(status)) == [])
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

  @Test func `a line that is typed goes on when another episode plays, and its letters mark nothing`() {
    var state = Self.playing(at: 2467)
    state.type("/how")
    var status = ScreenSamples.player(.playing)
    status.episode = ScreenSamples.episodes[3].episode.id
    status.entry = ScreenSamples.episodes[3]
    state.take(.status(status))
    #expect(state.type("fq").isEmpty)
    #expect(state.transcript.query?.text == "howfq")
    state.take(.input(.key(Key(.escape))))
    #expect(state.type("q") == [.leave(stops: false)])
  }

  @Test(arguments: ["i", "c"]) func `words are looked for in the transcript, also from the notes and the chapters`(
    key: String
  ) {
    var state = Self.playing(at: 2467)
    state.type(key)
    state.type("/zzzz")
    #expect(state.transcript.shown == .transcript)
    #expect(state.message?.text == "The transcript does not have these words")
  }

  @Test func `words that the transcript lacks are said, and enter leaves the sound alone`() {
    var state = Self.playing(at: 2467)
    #expect(state.type("/zzzz\r").isEmpty)
    #expect(state.message?.text == "The transcript does not have these words")
  }

  @Test func `a second key takes a mark of the episode that plays away`() throws {
    var state = Self.playing(at: 2467)
    let entry = try #require(state.player.entry)
    let words = state.type("ff").map { if case .mark(let mark, let of) = $0 { "\(mark) \(of.episode.id)" } else { "" } }
    state.type("f")
    // The library did not take the last one.
    state.take(.entry(entry))
    #expect(state.player.entry?.isFavourite == entry.isFavourite)
    #expect(words == ["favourite \(entry.episode.id)", "unfavourite \(entry.episode.id)"])
  }

  @Test func `a transcript that came to be since is read at a change of the library, and one that is here is not`() {
    let id = ScreenSamples.begun[0].episode.id
    var state = Self.playing(at: 2467)
    #expect(!state.take(.libraryChanged).contains(.loadTexts(id, fetches: false)))
    state.take(.texts(EpisodeTextsOnScreen(episode: id)))
    #expect(state.take(.libraryChanged).contains(.loadTexts(id, fetches: false)))
  }

  @Test func `a transcript that could not be fetched is said, but not once another episode plays`() {
    var state = Self.playing(at: 2467)
    var texts = EpisodeTextsOnScreen(episode: ScreenSamples.episodes[3].episode.id)
    texts.failure = "podcli: the server answers 404"
    state.take(.texts(texts))
    #expect(state.message == nil)
    texts.episode = ScreenSamples.begun[0].episode.id
    state.take(.texts(texts))
    #expect(state.message?.text == "the server answers 404")
  }

  @Test func `without a transcript the notes stand there`() {
    var state = Self.playing(at: 2467)
    var texts = ScreenSamples.texts(of: ScreenSamples.begun[0].episode.id)
    texts.paragraphs = []
    state.take(.texts(texts))
    #expect(state.lines.contains { $0.contains("A long talk about hinting") })
  }

  @Test func `without a transcript a query says so, and its letters are no keys`() {
    var state = Self.playing(at: 2467)
    var texts = ScreenSamples.texts(of: ScreenSamples.begun[0].episode.id)
    texts.paragraphs = []
    state.take(.texts(texts))
    #expect(state.type("/").isEmpty && state.message?.text.contains("no transcript") == true)
    #expect(state.type("xunp").isEmpty && state.transcript.query?.text == "xunp")
    state.type("\u{1B}")
    #expect(!state.type("x").isEmpty)
  }
}
