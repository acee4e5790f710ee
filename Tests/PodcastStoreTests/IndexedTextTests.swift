import PodcastModel
import Testing

@testable import PodcastStore

struct IndexedTextTests {
  private let library = TemporaryLibrary()

  @Test(
    arguments: [
      ("plain “text” 🎧 é ü", nil), ("天気予報", "天 気 予 報"), ("Pythonの本", "Python の 本"), ("第12回 天気", "第 12 回   天 気"),
      ("ラジオ、夜", "ラ ジ オ 、 夜"), ("ไทย", "\u{e544} \u{e517} \u{e522}"), ("ที่", "\u{e517} \u{e535} \u{e548}"), ("天", nil),
      ("ё", "е"),
      ("Привет ❤️", nil), ("မြန်မာ။", "\u{e719} \u{e73c} \u{e714} \u{e73a} \u{e719} \u{e72c} ။"),
      ("Ёлка и ёж", "Елка и еж"),
      ("Ελλάδα ΐ", "Ελλαδα ι"), ("한국어", nil), ("हिन्दी", "\u{e039}\u{e03f}\u{e028}\u{e04d}\u{e026}\u{e040}"),
      ("Straße, Łódź", "Strasse, lódź"), ("Ærø ẞ", "aero ss"), ("Þórður ı Œ", "thórdur i oe"),
      ("Ｐｙ３第１回", "Py3 第 1 回"), ("مَا", "م\u{300}ا"), ("أحمد", "احمد"),
      ("𠮷野家", "𠮷 野 家"), ("", nil),
    ] as [(String, String?)])
  func `a text is made into what the index divides`(text: String, indexed: String?) {
    var text = text
    let made = text.withUTF8 { IndexedText($0) }
    #expect(made.map { String(decoding: $0.bytes, as: UTF8.self) } == indexed)
    guard let made else { return }
    #expect(made.bytes.count == text.utf8.count + made.shifts.reduce(0) { $0 + $1.by })
    #expect(made.shifts.allSatisfy { (1...made.bytes.count).contains($0.at) && [1, -1, -2].contains($0.by) })
  }

  @Test func `bytes that are no text are kept`() {
    for bytes: [UInt8] in [
      [0xe5], [0xe5, 0xa4], [0xce], [0xf0, 0xa0], [0x80, 0xe5, 0xff], [0xd1, 0xff], [0xd1, 0x51],
    ] {
      let made = bytes.withUnsafeBufferPointer { IndexedText($0) }
      #expect(made.map { made in made.bytes.filter { $0 != 0x20 } } ?? bytes == bytes)
    }
  }

  @Test(arguments: [
    ("天気", ["天気"]), ("気予", ["気予"]), ("東京 ラジオ", ["東京", "ラジオ"]), ("\"の天気\"", ["の天気"]), ("Python", ["Python"]),
    ("ython", []), ("報天", []), ("天気 -ラジオ", []), ("ラジ", ["ラジ"]), ("第12回", ["第12回"]), ("京*", ["京"]),
  ])
  func `in a script without blanks words are found wherever they stand`(query: String, marks: [String]) async throws {
    let store = try library.open()
    var feed = Feed.sample(episodes: 2)
    feed.episodes[0].title = "第12回 東京の天気予報とPythonラジオ"
    feed.episodes[1].title = "第2回 大阪"
    _ = try await store.subscribe(to: feed, at: "https://example.org/feed")
    let hits = try await store.search(query)
    #expect(hits.map(\.entry.episode.title) == (marks.isEmpty ? [] : [feed.episodes[0].title]))
    #expect(hits.flatMap(\.marked) == marks)
  }

  @Test func `a passage of a script without blanks is as wide as one of words, and says when it is heard`() async throws
  {
    let store = try library.open()
    let ids = try await store.subscribe(to: .sample(episodes: 1), at: "https://example.org/feed").added
    let segments = (0..<40).map { TranscriptSegment(start: Double($0) * 5, text: "今日は\($0)番目の話をします。") }
    try await store.setTranscript(segments, of: ids[0])
    let hit = try #require(try await store.search("20番目の話").first)
    #expect(hit.field == .transcript && hit.time == .seconds(100))
    #expect(hit.marked == ["20番目の話"])
    #expect((40...80).contains(hit.snippet.count), "\(hit.snippet)")
  }

  @Test(arguments: [
    ("ที่นี่", ["ที่นี่"]), ("กัน", []), ("กิน", ["กิน"]), ("နိုင်ငံ", ["နိုင်ငံ"]), ("ငာ", []), ("ខ្មែរ", ["ខ្មែរ"]), ("ລາວ", ["ລາວ"]),
    ("𠮷野", ["𠮷野"]),
  ])
  func `signs over and beside letters count where they are vowels and tones`(query: String, marks: [String])
    async throws
  {
    let store = try library.open()
    var feed = Feed.sample(episodes: 1)
    feed.episodes[0].content = "<p>เขากินที่นี่มีน้ำ မြန်မာနိုင်ငံ၊ ភាសាខ្មែរ ພາສາລາວ 𠮷野家</p>"
    _ = try await store.subscribe(to: feed, at: "https://example.org/feed")
    #expect(try await store.search(query).flatMap(\.marked) == marks)
  }

  @Test(arguments: [20, 60, 100]) func `a sentence of many letters is found and marked`(count: Int) async throws {
    let store = try library.open()
    var feed = Feed.sample(episodes: 1)
    let letters = (0..<200).map { String(Unicode.Scalar(UInt32(0x4e00 + $0))!) }
    feed.episodes[0].content = "<p>" + letters.joined() + "</p>"
    _ = try await store.subscribe(to: feed, at: "https://example.org/feed")
    let query = letters[50..<50 + count].joined()
    let hit = try #require(try await store.search(query).first)
    #expect(hit.marked == [letters[50..<50 + min(64, count)].joined()])
    #expect(hit.field == .notes)
  }

  @Test(arguments: [
    ("елка", "Ёлка"), ("Ёлка", "Ёлка"), ("ελλαδα", "Ελλάδα"), ("ΕΛΛΆΔΑ", "Ελλάδα"), ("cafe", "café"),
    ("مرحبا", "مَرْحَبًا"),
    ("مَرْحَبًا", "مَرْحَبًا"), ("שלום", "שָׁלוֹם"), ("احمد", "أحمد"), ("python", "Ｐｙｔｈｏｎ"), ("第1回", "第１回"), ("第１回", "第１回"),
    ("हिन्दी", "हिन्दी"), ("हिन", "हिन्दी"), ("strasse", "Straße"), ("STRASSE", "Straße"), ("Straße", "Straße"), ("lodz", "Łódź"),
    ("soren", "Søren"), ("Søren", "Søren"), ("STRAẞE", "Straße"), ("isik", "Işık"),
  ])
  func `signs and widths that are left out when words are typed make no difference`(query: String, marked: String)
    async throws
  {
    let store = try library.open()
    var feed = Feed.sample(episodes: 1)
    feed.episodes[0].content = "<p>Ёлка, Ελλάδα, café, مَرْحَبًا, שָׁלוֹם, أحمد, Ｐｙｔｈｏｎ 第１回 हिन्दी, Straße, Łódź, Søren, Işık</p>"
    _ = try await store.subscribe(to: feed, at: "https://example.org/feed")
    #expect(try await store.search(query).flatMap(\.marked) == [marked])
  }

  @Test(arguments: [
    ("서울", 2), ("서울 여행", 1), ("\"서울 여행\"", 1), ("산", 1), ("여행 -서울", 0), ("봄 -서울", 1), ("서울-여행", 1), ("제3서울", 0),
  ])
  func `Korean words are found with the particles behind them`(query: String, count: Int) async throws {
    let store = try library.open()
    var feed = Feed.sample(episodes: 3)
    for (index, title) in ["서울의 봄", "서울 여행 산", "산업"].enumerated() { feed.episodes[index].title = title }
    _ = try await store.subscribe(to: feed, at: "https://example.org/feed")
    #expect(try await store.search(query).count == count)
  }

  @Test func `a podcast and a title are found by words within them`() async throws {
    let store = try library.open()
    var feed = Feed.sample(episodes: 1)
    feed.title = "深夜ラジオ東京"
    feed.episodes[0].title = "はじめての放送"
    _ = try await store.subscribe(to: feed, at: "https://example.org/feed")
    #expect(try await store.podcasts(titled: "ラジオ").count == 1)
    #expect(try await store.podcasts(titled: "ラオ").isEmpty)
    #expect(try await store.episodes(titled: "放送", limit: 5).count == 1)
  }

  @Test(arguments: [
    "INSERT INTO search (rowid, title, notes, chapters, transcript) SELECT * FROM search_sources WHERE id = 1",
    "INSERT INTO search (rowid, title, notes, chapters, transcript) SELECT * FROM episode_texts WHERE id = 1",
    "INSERT INTO podcast_search (rowid, title) VALUES (1, 'x')",
    "INSERT INTO podcast_search_index (rowid, title) VALUES (1, 'x')",
  ])
  func `a podcli of an older schema that still runs adds nothing to the indexes`(statement: String) async throws {
    let store = try library.open()
    _ = try await store.subscribe(to: .sample(episodes: 1), at: "https://example.org/feed")
    let connection = try Connection(path: library.path, mode: .readWrite)
    #expect(throws: StoreError.self) { try connection.executeScript(statement) }
    #expect(try await store.search("topic0").count == 1)
  }

  @Test func `what changed in a script without blanks is found anew, and the index fits the texts`() async throws {
    let store = try library.open()
    var feed = Feed.sample(episodes: 3)
    feed.episodes[0].content = "<p>東京の天気</p>"
    _ = try await store.subscribe(to: feed, at: "https://example.org/feed")
    #expect(try await store.search("天気").count == 1)
    feed.episodes[0].content = "<p>大阪の夜</p>"
    _ = try await store.subscribe(to: feed, at: "https://example.org/feed")
    #expect(try await store.search("天気").isEmpty)
    #expect(try await store.search("の夜").count == 1)
    try await store.indexForSearch()
    #expect(try await store.problems(.full) == [])
  }
}
