import FeedKit
import PodcastModel
import Podcatcher
import Testing
import Text

@Suite struct SideDocumentTests {
  @Test(arguments: ["nested.opml", "lenient.opml"])
  func `an OPML file becomes its feeds`(name: String) throws {
    let feeds = try OPML.feeds(in: Fixtures.bytes("Outlines/\(name)"))
    #expect(FeedDocument.json(outlines: feeds).pretty + "\n" == Fixtures.text("Outlines/\(name).expected"))
  }

  @Test func `written OPML is read back the same`() throws {
    let feeds = [
      FeedOutline(url: "https://example.org/1?a=1&b=2", title: "One <&> \"1\"", website: "https://example.org/"),
      FeedOutline(url: "https://example.org/2", title: "Two", folders: ["News", "Local & near"]),
      FeedOutline(url: "https://example.org/3", title: "Three", folders: ["News"]),
    ]
    let text = OPML.document(title: "Mine", feeds: feeds, created: Timestamp(seconds: 1_704_103_200))
    #expect(text.contains("<dateCreated>Mon, 1 Jan 2024 10:00:00 GMT</dateCreated>"))
    #expect(Set(try OPML.feeds(in: Array(text.utf8))) == Set(feeds))
  }

  @Test func `one address in very many folders is read soon, and has the first of them`() throws {
    let outlines = (0..<50_000).map { "<outline text='f\($0)'><outline xmlUrl='https://e.org/a'/></outline>" }
    let feeds = try OPML.feeds(in: Array("<opml><body>\(outlines.joined())</body></opml>".utf8))
    #expect(feeds.count == 1 && feeds[0].folders == (0..<32).map { "f\($0)" })
  }

  @Test(arguments: [
    ("<!-- wp:paragraph --><cite>Ana:</cite> <time>0:09</time> <p>Hello</p>", ["Hello"]),
    ("First we map A --> B.\n\nThen C.", ["First we map A --> B.", "Then C."]),
  ]) func `an arrow alone makes no subtitles of a transcript`(document: String, texts: [String]) {
    #expect(Transcript.segments(in: Array(document.utf8)).map(\.text) == texts)
  }

  @Test func `T2: written OPML has no characters that hide or turn text`() throws {
    let title = "a\u{202E}b\u{200B}c\u{1B}[31m\u{9B}d\u{7F}e"
    let text = OPML.document(title: title, feeds: [FeedOutline(url: "https://example.org/", title: title)])
    #expect(!text.unicodeScalars.contains { $0.isUnsafeToShow && $0 != "\n" })
    #expect(try OPML.feeds(in: Array(text.utf8)).map(\.title) == ["a\u{202E}b\u{200B}c[31mde"])
  }

  @Test func `a feed is no OPML file`() {
    #expect(throws: FeedError.self) { try OPML.feeds(in: Fixtures.bytes("Feeds/rss-2.0.xml")) }
  }

  @Test(arguments: ["json.json", "simple.psc"])
  func `a chapters file becomes its chapters`(name: String) throws {
    let chapters = try #require(ChapterFile.chapters(in: Fixtures.bytes("Chapters/\(name)"), baseURL: Fixtures.base))
    #expect(FeedDocument.json(chapters: chapters).pretty + "\n" == Fixtures.text("Chapters/\(name).expected"))
  }

  @Test func `control characters in chapters and transcripts are dropped`() throws {
    let json = #"{"chapters":[{"startTime":1,"title":"a\u0000\u001b[31m  b\u0007"}]}"#
    #expect(ChapterFile.chapters(in: Array(json.utf8))?.map(\.title) == ["a[31m b"])
    let cues = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v \u{1B}[31mEvil>said\u{7} this\n"
    let segment = try #require(Transcript.segments(in: Array(cues.utf8)).first)
    #expect(segment.text == "said this" && segment.speaker == "[31mEvil", "\(segment)")
  }

  @Test(arguments: ["WEBVTT\n\n", ""]) func `a line of blanks ends no cue, and is none of its text`(start: String) {
    let cues = ["00:00:01.000 --> 00:00:02.000\n \nfirst", "00:00:03.000 --> 00:00:04.000\nsecond\n \nthird"]
    for (separator, id) in [("\n\n", ""), ("\n \n", ""), ("\n \n", "2\n"), ("\n\n", "2\n")] {
      let document = start + cues.joined(separator: separator + id) + "\n"
      #expect(Transcript.segments(in: Array(document.utf8)).map(\.text) == ["first", "second third"], "\(document)")
    }
  }

  @Test func `passages out of order are put in order, and those of joined parts are not mixed`() {
    func texts(_ starts: [Int]) -> [String] {
      let cues = starts.map { "\($0 / 60 < 10 ? "0" : "")\($0 / 60):\($0 % 60 < 10 ? "0" : "")\($0 % 60).000" }
      let document = cues.map { "\($0) --> 59:59.000\nAt \($0.dropLast(4)) it is said.\n" }.joined(separator: "\n")
      return Transcript.segments(in: Array("WEBVTT\n\n\(document)".utf8)).map { String($0.text.prefix(8).suffix(5)) }
    }
    #expect(texts([1, 30, 12, 40]) == ["00:01", "00:12", "00:30", "00:40"])
    #expect(texts([1, 300, 600, 2]) == ["00:01", "00:02", "05:00", "10:00"])
    #expect(texts([1, 600, 2, 300]) == ["00:01", "00:02", "05:00", "10:00"])
    #expect(texts([1, 300, 600, 2, 310]) == ["00:01", "05:00", "10:00", "00:02", "05:10"])
  }

  @Test func `a document that is neither JSON nor XML has no chapters`() {
    #expect(ChapterFile.chapters(in: Array("hello".utf8)) == nil)
    #expect(ChapterFile.chapters(in: []) == nil)
  }

  @Test(arguments: ["captions.vtt", "subtitles.srt", "segments.json", "words.json", "page.html", "plain.txt"])
  func `a transcript becomes its segments`(name: String) {
    let segments = Transcript.segments(in: Fixtures.bytes("Transcripts/\(name)"))
    #expect(FeedDocument.json(transcript: segments).pretty + "\n" == Fixtures.text("Transcripts/\(name).expected"))
  }

  @Test(
    arguments: [
      ("WEBVTT\n\n00:01.000 --> 00:04.000\nThe <00:01.500>quick <00:02.250><c>brown fox</c>\n", [1, 1.5, 2.25, 2.25]),
      ("WEBVTT\n\n00:01.000 --> 00:04.000\n<v Ana>The <00:01.5>q\n", [1, 1.5]),
      ("WEBVTT\n\n00:01.000 --> 00:04.000\nThe <b>quick</b> fox\n", []),
      (
        #"{"segments":[{"start":1,"end":4,"text":" The quick fox","words":[{"word":" The","start":1},{"word":" quick","start":1.5},{"word":" fox","start":3}]}]}"#,
        [1, 1.5, 3]
      ),
      (#"{"segments":[{"start":1,"end":4,"text":"The quick","words":[{"word":"The","start":1}]}]}"#, []),
    ] as [(String, [Double])])
  func `words have the times that the file gives them`(document: String, starts: [Double]) {
    let segments = Transcript.segments(in: Array(document.utf8))
    #expect(segments.count == 1 && segments.first?.wordStarts == starts)
  }

  @Test func `a long cue with a time for each word keeps them all`() {
    let cue = "WEBVTT\n\n00:01.000 --> 00:04.000\n" + String(repeating: "<00:00:02.000>a ", count: 300_000)
    let segments = Transcript.segments(in: Array(cue.utf8))
    #expect(segments.count == 1 && segments.first?.wordStarts.count == 300_000)
    let word = "WEBVTT\n\n" + String(repeating: "00:01.000 --> 00:01.000\nword\n\n", count: 100_000)
    #expect(Transcript.segments(in: Array(word.utf8)).reduce(0) { $0 + $1.wordStarts.count } == 100_000)
  }

  @Test func `cues of one word each are joined, and every word keeps its time`() {
    let words = ["We", "are", "here", ",", "too", ".", "Is", "it", "so", "?"]
    let cues = words.enumerated().map { number, word in
      let time = ["000", "250", "500", "750"][number % 4]
      return "\(number + 1)\n00:00:0\(number / 4),\(time) --> 00:00:0\(number / 4),\(time)\n\(word)\n"
    }
    let segments = Transcript.segments(in: Array(cues.joined(separator: "\n").utf8))
    #expect(segments.map(\.text) == ["We are here, too.", "Is it so?"])
    #expect(segments.map(\.wordStarts) == [[0, 0.25, 0.5, 1], [1.5, 1.75, 2]])
  }

  @Test func `times in show notes become chapters`() {
    let notes = """
      <p>Welcome!</p><ul><li>00:00 – Intro</li><li>(04:30) <a href="https://example.org">A guest</a></li>
      <li>[1:02:03] Goodbye: the end</li></ul><p>Recorded at 10:30 in Berlin.</p>
      """
    let chapters = NotesChapters.chapters(in: notes, duration: 4000)
    #expect(chapters.map(\.start) == [0, 270, 3723])
    #expect(chapters.map(\.title) == ["Intro", "A guest", "Goodbye: the end"])
  }

  @Test func `chapters are looked for at the beginning of long notes`() {
    let list = "<p>00:00 a</p><p>01:00 b</p><p>02:00 c</p>"
    let words = String(repeating: "<p>many more words</p>", count: 20_000)
    #expect(NotesChapters.chapters(in: list + words).map(\.title) == ["a", "b", "c"])
    #expect(NotesChapters.chapters(in: words + list).isEmpty)
  }

  @Test(arguments: ["00:00 a\n01:00 b", "00:00 a\n02:00 b\n01:00 c", "no times at all", "00:00 a\n01:00 b\n99:00 c"])
  func `two times, times out of order or beyond the end are no chapters`(notes: String) {
    #expect(NotesChapters.chapters(in: notes, duration: 600).isEmpty)
  }
}
