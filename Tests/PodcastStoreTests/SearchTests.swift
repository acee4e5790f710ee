import PodcastModel
import System
import TestSupport
import Testing

@testable import PodcastStore

struct SearchTests {
  private let library = TemporaryLibrary()

  private func filled() async throws -> (store: PodcastStore, ids: [EpisodeID]) {
    let store = try library.open()
    var feed = Feed.sample(episodes: 4)
    feed.episodes[0].title = "Über Bienen"
    feed.episodes[1].content = "<p>Ein Gespräch &uuml;ber <b>Honig</b> und Bienen</p>"
    feed.episodes[2].inlineChapters = [Chapter(start: 0, title: "Anfang"), Chapter(start: 62.5, title: "Der Imker")]
    let ids = try await store.subscribe(to: feed, at: "https://example.org/feed").added
    try await store.setTranscript(
      [
        TranscriptSegment(start: 1, text: "Guten Tag"), TranscriptSegment(start: 9.5, text: "wir reden über Wachs"),
      ], of: ids[3])
    return (store, ids)
  }

  @Test func `the passage of a long transcript is the one with all the words`() async throws {
    let (store, ids) = try await filled()
    var segments = [TranscriptSegment(start: 5, text: "apples alone")]
    segments += (1...400).map {
      TranscriptSegment(start: Double($0) * 10, text: "some other filler talk, number \($0)")
    }
    segments.append(TranscriptSegment(start: 5000, text: "now apples and banana bread come together"))
    segments += (501...900).map {
      TranscriptSegment(start: Double($0) * 10, text: "some other filler talk, number \($0)")
    }
    try await store.setTranscript(segments, of: ids[0])
    for words in ["apples banana", "banana apples", "bread apples banana"] {
      let hit = try #require(try await store.search(words).first)
      #expect(hit.time == .seconds(5000) && hit.snippet.contains("banana"), "\(hit)")
    }
    #expect(try await store.search("filler 321").first?.time == .seconds(3210))
    #expect(try await store.search("filler").first?.time == .seconds(10))
  }

  @Test func `the index is kept in few parts, though no single write joins many of them`() async throws {
    let store = try library.open()
    let podcast = try await store.subscribe(to: .sample(episodes: 600), at: "https://example.org/long").podcast
    try await store.indexForSearch()
    let connection = try Connection(path: library.path, mode: .readWrite)
    #expect(try connection.integer("SELECT v FROM search_config WHERE k = 'automerge'") == 0)
    #expect(try connection.integer("SELECT v FROM search_config WHERE k = 'crisismerge'") == 1000)
    #expect(try #require(try connection.integer("SELECT count(DISTINCT segid) FROM search_idx")) < 32)
    #expect(try await store.search("topic599").count == 1)
    try await store.unsubscribe(podcast, deleting: true)
    #expect(try #require(try connection.integer("SELECT count(DISTINCT segid) FROM search_idx")) < 32)
    #expect(try await store.problems(.full) == [])
  }

  @Test func `after a large import, a search finds what another process has indexed so far`() async throws {
    let store = try library.open()
    _ = try await store.subscribe(to: .sample(episodes: 100), at: "https://example.org/first")
    try await store.indexForSearch()
    _ = try await store.subscribe(to: .sample(episodes: 900), at: "https://example.org/long")
    do {
      let atIt = try #require(FileLock(path: library.path + ".indexing"))
      defer { withExtendedLifetime(atIt) {} }
      #expect(try await store.search("topic77").count == 1)
      try await store.indexForSearch()
      #expect(try await store.indexedPercentage() == 10)
      #expect(try await store.needsIndexing())
    }
    try await store.indexForSearch()
    #expect(try await store.search("topic77").count == 2)
    #expect(try await store.indexedPercentage() == nil)
    #expect(try await !store.needsIndexing())
  }

  @Test func `a beginning that very many words have finds the newest, those with it in the title first`() async throws {
    let store = try library.open()
    var feed = Feed.sample(episodes: 300)
    for index in feed.episodes.indices where index % 2 == 0 {
      let words = (0..<300).map { "con\(index)x\($0)word" }.joined(separator: " ")
      feed.episodes[index].content = "<p>topic\(index) \(words)</p>"
    }
    feed.episodes[201].title = "A Contrast"
    _ = try await store.subscribe(to: feed, at: "https://example.org/feed")
    try await store.indexForSearch()
    let hits = try await store.search("con*", limit: 5)
    #expect(hits.first?.entry.episode.title == "A Contrast" && hits.first?.field == .title)
    let ids = hits.dropFirst().map(\.entry.episode.id.rawValue)
    #expect(ids.count == 4 && ids == ids.sorted(by: >) && hits.dropFirst().allSatisfy { !$0.matches.isEmpty })
    #expect(try #require(ids.last) > 280)
    #expect(try await store.search("topic8 con*").map(\.field) == [.notes])
    #expect(try await store.search("con* topic8").map(\.field) == [.notes])
    let both = try await store.search("con* top*", limit: 5).map(\.entry.episode.id.rawValue)
    #expect(both.count == 5 && both == both.sorted(by: >) && both[4] > 280, "\(both)")
    #expect(try await store.search("con*", limit: 1000).count == 151)
    #expect(try await store.search("c*", limit: 3).count == 3)
    let without = try await store.search("c* -topic298 -topic296", limit: 1000)
    #expect(
      without.count == 149 && !without.contains { ["Episode 298", "Episode 296"].contains($0.entry.episode.title) })
    #expect(try await store.search("conx*").isEmpty)
  }

  @Test func `beside a word that fills the index, a rare one that begins alike and a title of long ago are found`()
    async throws
  {
    let store = try library.open()
    var feed = Feed.sample(episodes: 1500)
    let common = String(repeating: " common", count: 300)
    for index in feed.episodes.indices { feed.episodes[index].content = "<p>topic\(index)\(common)</p>" }
    feed.episodes[1498].title = "A common title"
    feed.episodes[1497].content = "<p>commis\(common)</p>"
    _ = try await store.subscribe(to: feed, at: "https://example.org/feed")
    try await store.indexForSearch()
    let oldest = try #require(try await store.search("commis").first).entry.episode.id
    try #require(oldest.rawValue < 10)
    #expect(try await store.search("commi*").map(\.entry.episode.id) == [oldest])
    // The beginning of a word behind two others, on more pages of the index than are quick to read again and again.
    let several = try await store.search("common episode commo*", limit: 5).map(\.entry.episode.id.rawValue)
    #expect(several.count == 5 && several == several.sorted(by: >) && several[0] > 1400, "\(several)")
    for words in ["common", "commo*", "common epi*", "common"] {
      let hits = try await store.search(words, limit: 5)
      #expect(hits.count == 5)
      #expect(
        hits.first.map { words.hasSuffix("epi*") || $0.entry.episode.title == "A common title" } == true, "\(words)")
      let ids = hits.dropFirst().map(\.entry.episode.id.rawValue)
      #expect(ids == ids.sorted(by: >) && ids[0] > 1400, "\(words): \(ids)")
      // The last round is as in a library so large that titles are looked through from the newest on.
      try Connection(path: library.path, mode: .readWrite).execute("UPDATE counters SET episodes = episodes + 100000")
    }
  }

  @Test func `an exact title is found behind thousands of newer ones, and those of left podcasts hide none`()
    async throws
  {
    let store = try library.open()
    var feed = Feed.sample(episodes: 2500)
    for index in feed.episodes.indices { feed.episodes[index].title = "News of day \(index)" }
    feed.episodes[2499].title = "News"
    let podcast = try await store.subscribe(to: feed, at: "https://example.org/feed").podcast
    var left = Feed.sample("Left", episodes: 2200)
    for index in left.episodes.indices { left.episodes[index].title = "News again \(index)" }
    let other = try await store.subscribe(to: left, at: "https://example.org/left").podcast
    try await store.unsubscribe(other)
    try await store.indexForSearch()
    #expect(try await store.episodes(titled: "news").map(\.episode.title) == ["News"])
    #expect(try await store.episodes(titled: "news", of: podcast).map(\.episode.title) == ["News"])
    #expect(try await store.episodes(titled: "news day").count > 0)
  }

  @Test func `the best of the hits that end with a beginning is found, wherever it is stored`() async throws {
    let store = try library.open()
    var feed = Feed.sample(episodes: 200)
    for index in feed.episodes.indices { feed.episodes[index].content = "<p>bees and honey</p>" }
    feed.episodes[3].title = "Honey for bees"
    feed.episodes[196].title = "Bees, again bees and their honey"
    let podcast = try await store.subscribe(to: feed, at: "https://example.org/feed").podcast
    try await store.indexForSearch()
    for place in [nil, podcast] {
      let hits = try await store.search("bees hon*", of: place, limit: 200)
      #expect(hits.count == 200 && Set(hits.map(\.entry.episode.id)).count == 200)
      #expect(Set(hits.prefix(2).map(\.entry.episode.title)) == Set([3, 196].map { feed.episodes[$0].title }))
    }
  }

  @Test func `any words together find the episodes that have them, the best first as SQLite ranks them`() async throws {
    let store = try library.open()
    var random = SeededGenerator(seed: 12)
    let shares = ["alle": 95, "oft": 50, "oftmals": 20, "mal": 30, "maler": 6, "selten": 4, "einmal": 1, "malve": 2]
    var feed = Feed.sample(episodes: 500)
    for index in feed.episodes.indices {
      let words = shares.keys.sorted().flatMap { word in
        Int.random(in: 0..<100, using: &random) < shares[word, default: 0]
          ? Array(repeating: word, count: Int.random(in: 1...3, using: &random)) : []
      }
      feed.episodes[index].content = "<p>" + words.shuffled(using: &random).joined(separator: " ") + "</p>"
    }
    let ids = try await store.subscribe(to: feed, at: "https://example.org/feed").added
    try await store.indexForSearch()
    try #require(ids.count == 500)
    for round in 0..<200 {
      let words = Array(shares.keys.sorted().shuffled(using: &random).prefix(Int.random(in: 2...5, using: &random)))
      let isPrefix = round % 3 == 0
      let typed = words.joined(separator: " ") + (isPrefix ? "*" : "")
      let flat = words.map { "\"\($0)\"" }.joined(separator: " AND ") + (isPrefix ? "*" : "")
      let found = try await store.search(typed, limit: 1000).map(\.entry.episode.id.rawValue)
      let expected = try await store.ranked(flat)
      // Without any, words are taken for beginnings.
      guard !expected.isEmpty else { continue }
      #expect(Set(found) == Set(expected) && found.count == expected.count, "\(typed)")
      if !isPrefix { #expect(found == expected, "\(typed)") }
    }
  }

  @Test func `a word that fills the index is looked for only in the episodes that have the others`() async throws {
    let store = try library.open()
    var feed = Feed.sample(episodes: 1500)
    let common = String(repeating: " common", count: 300)
    for index in feed.episodes.indices {
      let word = [100, 900].contains(index) ? "left right" : index % 2 == 0 ? "left" : "right"
      feed.episodes[index].content = "<p>\(word)\(common)</p>"
    }
    _ = try await store.subscribe(to: feed, at: "https://example.org/feed")
    try await store.indexForSearch()
    // Indexing yields by the clock, and each of its slices is a segment of its own.
    try await store.mergeIndex()
    let match = try #require(SearchQuery("common left right").match(isOrdered: true))
    let flat = try #require(SearchQuery("common left right").match())
    let (few, all) = (try await store.pagesRead(finding: match), try await store.pagesRead(finding: flat))
    #expect(few.ids.count == 2 && few.ids == all.ids)
    #expect(few.pages * 2 < all.pages, "\(few.pages) of \(all.pages)")
    for words in ["right left common", "common left right", "left common righ*"] {
      #expect(try await store.search(words).map(\.entry.episode.id.rawValue) == few.ids, "\(words)")
    }
  }

  @Test func `few episodes with a beginning that very many words have are ranked`() async throws {
    let store = try library.open()
    var feed = Feed.sample(episodes: 300)
    for index in feed.episodes.indices {
      let words = (0..<300).map { "con\(index)x\($0)word" }.joined(separator: " ")
      feed.episodes[index].content = "<p>\(index % 100 == 7 ? "honey" : "wax") \(index == 7 ? "" : words)</p>"
    }
    feed.episodes[107].title = "Honey"
    _ = try await store.subscribe(to: feed, at: "https://example.org/feed")
    try await store.indexForSearch()
    for words in ["honey con*", "honey c*", "con* honey"] {
      let hits = try await store.search(words)
      // The third one has no word that begins so.
      #expect(hits.map(\.entry.episode.title) == ["Honey", feed.episodes[207].title], "\(words)")
    }
  }

  @Test func `a title comes before notes`() async throws {
    let (store, ids) = try await filled()
    let hits = try await store.search("bienen")
    #expect(hits.map(\.entry.episode.id) == [ids[0], ids[1]])
    #expect(hits.map(\.field) == [.title, .notes])
  }

  @Test func `marks and case make no difference, markup is not found`() async throws {
    let (store, ids) = try await filled()
    #expect(try await store.search("UBER honig").map(\.entry.episode.id) == [ids[1]])
    #expect(try await store.search("uuml").isEmpty)
  }

  @Test func `a hit says where it is and when it is said`() async throws {
    let (store, ids) = try await filled()
    let chapter = try #require(try await store.search("imker").first)
    #expect(chapter.entry.episode.id == ids[2] && chapter.field == .chapters && chapter.time == .milliseconds(62_500))
    let said = try #require(try await store.search("wachs").first)
    #expect(said.field == .transcript && said.time == .milliseconds(9500))
    let bytes = Array(said.snippet.utf8)
    #expect(said.matches.map { String(decoding: bytes[$0], as: UTF8.self) } == ["Wachs"])
  }

  @Test func `a hit is in the field that has all of the words`() async throws {
    let store = try library.open()
    var feed = Feed.sample(episodes: 2)
    feed.episodes[0].content = "<p>A very long line.</p>"
    feed.episodes[1].content = "<p>A line alone.</p>"
    let ids = try await store.subscribe(to: feed, at: "https://example.org/feed").added
    try await store.setTranscript([TranscriptSegment(start: 4, text: "Line number one is said.")], of: ids[0])
    try await store.setTranscript([TranscriptSegment(start: 5, text: "A number.")], of: ids[1])
    try await store.indexForSearch()
    let hits = try await store.search("line number")
    let whole = try #require(hits.first { $0.entry.episode.id == ids[0] })
    #expect(whole.field == .transcript && whole.time == .seconds(4))
    #expect(hits.first { $0.entry.episode.id == ids[1] }?.field == .notes)
  }

  @Test func `of several words a hit says when they are said together, and which chapter has them`() async throws {
    let (store, ids) = try await filled()
    try await store.setTranscript(
      (0..<40).map { TranscriptSegment(start: Double($0) * 5, text: "Sentence\nnumber \($0) about glyphs.") },
      of: ids[0])
    let hit = try #require(try await store.search("number 20").first)
    #expect(hit.field == .transcript && hit.time == .seconds(100))
    #expect(hit.snippet.contains("Sentence number 20"))
    #expect(try await store.search("20 number").first?.time == .seconds(100))
    try await store.setTranscript(
      [TranscriptSegment(start: 1, text: "New ideas from York"), TranscriptSegment(start: 9, text: "in New York")],
      of: ids[0])
    #expect(try await store.search("new york").first?.time == .seconds(9))
    try await store.setChapters(
      ["Welcome", "Hinting", "Letters"].enumerated().map { index, title in
        Chapter(start: Double(index) * 60, title: title)
      }, of: ids[1])
    let chapter = try #require(try await store.search("letters").first)
    #expect(chapter.field == .chapters && chapter.time == .seconds(120) && chapter.snippet == "Letters")
  }

  @Test func `a beginning finds when nothing else does, or when asked for`() async throws {
    let (store, ids) = try await filled()
    #expect(try await store.search("imk").map(\.entry.episode.id) == [ids[2]])
    #expect(try await store.search("im*").map(\.entry.episode.id) == [ids[2]])
  }

  @Test func `fields and podcasts narrow it`() async throws {
    let (store, ids) = try await filled()
    let other = try await store.subscribe(to: .sample(episodes: 2), at: "https://example.org/other")
    #expect(try await store.search("bienen", in: [.notes]).map(\.entry.episode.id) == [ids[1]])
    #expect(try await store.search("bienen", of: other.podcast).isEmpty)
    #expect(try await store.search("episode", of: other.podcast).count == 2)
  }

  @Test func `the parts of one word, such as a version number, are found only side by side`() async throws {
    let store = try library.open()
    var feed = Feed.sample(episodes: 3)
    feed.episodes[0].content = "Python 3.14 is out"
    feed.episodes[1].content = "chapter 14, verse 3"
    feed.episodes[2].content = "they don't"
    let ids = try await store.subscribe(to: feed, at: "https://example.org/feed").added
    #expect(try await store.search("3.14").map(\.entry.episode.id) == [ids[0]])
    #expect(try await store.search("14 3").count == 2)
    #expect(try await store.search("don't").map(\.entry.episode.id) == [ids[2]])
    #expect(try await store.search("pyth*3.14").map(\.entry.episode.id) == [ids[0]])
  }

  @Test func `alternatives, phrases and words to leave out`() async throws {
    let (store, ids) = try await filled()
    func found(_ words: String, in fields: Set<SearchHit.Field> = []) async throws -> Set<EpisodeID> {
      Set(try await store.search(words, in: fields).map(\.entry.episode.id))
    }
    #expect(try await found("honig OR imker") == [ids[1], ids[2]])
    #expect(try await found("bienen honig OR imker") == [ids[1]])
    #expect(try await found("bienen -honig") == [ids[0]])
    #expect(try await found("bienen -\"gespräch über\"") == [ids[0]])
    #expect(try await found("bienen -honig", in: [.title]) == [ids[0]])
    #expect(try await found("\"über honig\"") == [ids[1]])
    #expect(try await found("\"honig über\"") == [])
    #expect(try await found("\"über hon\"*") == [ids[1]])
    #expect(try await found("-honig") == [])
    #expect(try await found("OR imker") == [])
    #expect(try await found("honig OR") == [ids[1]])
    #expect(try await found("über - honig") == [ids[1]])
  }

  @Test func `a passage has most of the words, in the first field with one of them`() async throws {
    let store = try library.open()
    var feed = Feed.sample(episodes: 1)
    let filler = (0..<40).map { "fill\($0)" }.joined(separator: " ")
    feed.episodes[0].title = "Nothing"
    feed.episodes[0].content = "<p>Wax \(filler) of wax and\nhoney, \(filler)</p>"
    _ = try await store.subscribe(to: feed, at: "https://example.org/feed")
    let hit = try #require(try await store.search("wax honey").first)
    #expect(hit.field == .notes)
    #expect(hit.snippet.hasPrefix("…fill37 fill38 fill39 of wax and honey, fill0") && hit.snippet.hasSuffix("…"))
    #expect(hit.marked == ["wax", "honey"])
  }

  @Test func `a passage around a short word at the end of a text is no longer than another`() async throws {
    let store = try library.open()
    var feed = Feed.sample(episodes: 1)
    let filler = (0..<60).map { "fill\($0)" }.joined(separator: " ")
    feed.episodes[0].content = "<p>\(filler) of wax</p>"
    _ = try await store.subscribe(to: feed, at: "https://example.org/feed")
    let hit = try #require(try await store.search("wax").first)
    #expect(hit.snippet.split(separator: " ").count == 16 && hit.snippet.hasPrefix("…fill46 "), "\(hit.snippet)")
    #expect(hit.marked == ["wax"])
  }

  @Test func `a filter finds its episodes among very many with the words`() async throws {
    let store = try library.open()
    var feed = Feed.sample(episodes: 1500)
    for index in feed.episodes.indices { feed.episodes[index].content = "the sponsor of number \(index)" }
    let ids = try await store.subscribe(to: feed, at: "https://example.org/feed").added
    try await store.mark(.favourite, [ids[2], ids[700], ids[1499]])
    // A search waits for no index of so many.
    try await store.indexEverything()
    let found = try await store.search("sponsor", matching: try EpisodeFilter(words: ["favourite"]), limit: 20)
    #expect(Set(found.hits.map(\.entry.episode.id)) == [ids[2], ids[700], ids[1499]] && !found.hasMore)
    #expect(found.hits.allSatisfy { $0.marked == ["sponsor"] })
    let few = try await store.search("sponsor", matching: try EpisodeFilter(words: ["favourite"]), limit: 2)
    #expect(few.hits.count == 2 && few.hasMore)
    let titles = try await store.search(
      "sponsor", in: [.title], matching: try EpisodeFilter(words: ["favourite"]), limit: 9)
    #expect(titles.hits.isEmpty)
  }

  @Test(arguments: ["ÉCOLE", "naïve", "Ⅻ", "東京", "STRASSE", "x²", "a\u{300}b", "Ǆ", "ﬁn"])
  func `words are marked as the index divides and folds them`(word: String) async throws {
    let store = try library.open()
    var feed = Feed.sample(episodes: 1)
    feed.episodes[0].title = "Before (\(word)) behind"
    _ = try await store.subscribe(to: feed, at: "https://example.org/feed")
    for query in [word, word.lowercased(), word.uppercased()] {
      guard let hit = try await store.search(query).first else { continue }
      #expect(hit.marked == [word], "\(query)")
    }
    #expect(try await store.search(word).count == 1)
  }

  @Test func `one letter does not begin every word of a large index`() async throws {
    let (store, ids) = try await filled()
    let words = (0..<60_000).map { "x" + String($0, radix: 2) }.joined(separator: " ")
    try await store.setTranscript([TranscriptSegment(text: words)], of: ids[3])
    try await store.indexForSearch()
    #expect(try await store.search("x").isEmpty)
    #expect(try await store.search("x1110101001011111 hon").isEmpty)
    #expect(try await store.search("hon").map(\.entry.episode.id) == [ids[1]])
    #expect(try await store.search("x111010100101111").map(\.entry.episode.id) == [ids[3]])
  }

  @Test func `a library whose counters are damaged still finds`() async throws {
    let (store, ids) = try await filled()
    try await store.indexForSearch()
    try await store.run("UPDATE counters SET episodes = 0")
    for words in ["honig", "bienen honig", "hon*"] {
      #expect(try await store.search(words).map(\.entry.episode.id) == [ids[1]], "\(words)")
    }
  }

  @Test func `the ranking is BM25`() async throws {
    let (store, _) = try await filled()
    try await store.indexForSearch()
    let scores = try await store.scores("bienen honig", counts: [2, 1])
    #expect(scores.count == 1)
    for score in scores { #expect(abs(score.own + score.theirs) < 1e-9) }
  }

  @Test(arguments: [
    "", "\"", "*", "-", "a OR", "NEAR(", "{title}:", "\u{0}", "col:x", "a OR OR b", "-\"", "\"\" OR -", "a NOT b",
    "-a -b",
    String(repeating: "word ", count: 5000), String(repeating: "-word ", count: 500) + "x",
    String(repeating: "a OR ", count: 900) + "b", "\"" + String(repeating: "long ", count: 100) + "\"",
  ])
  func `no words are too strange`(words: String) async throws {
    let (store, _) = try await filled()
    _ = try await store.search(words)
  }

  @Test func `a broken index is made anew`() async throws {
    let (store, ids) = try await filled()
    try await store.indexForSearch()
    try await store.breakIndex()
    #expect(try await store.search("honig").map(\.entry.episode.id) == [ids[1]])
    #expect(try await store.problems(.full) == [])
  }

  @Test func `what changed is found anew, what was forgotten no more`() async throws {
    let (store, _) = try await filled()
    #expect(try await store.search("topic0").isEmpty == false)
    var feed = Feed.sample(episodes: 4)
    feed.episodes[3].description = "Something else"
    let result = try await store.subscribe(to: feed, at: "https://example.org/feed")
    #expect(try await store.search("topic0").isEmpty)
    #expect(try await store.search("something").count == 1)
    try await store.unsubscribe(result.podcast, deleting: true)
    #expect(try await store.search("something").isEmpty)
  }

  @Test func `chapters and transcripts that replace others are found instead of them`() async throws {
    let (store, ids) = try await filled()
    #expect(try await store.search("imker").count == 1)
    #expect(try await store.search("wachs").count == 1)
    try await store.setChapters([Chapter(start: 0, title: "Schluss")], of: ids[2])
    try await store.setTranscript([TranscriptSegment(start: 1, text: "Auf Wiedersehen")], of: ids[3])
    #expect(try await store.search("imker").isEmpty)
    #expect(try await store.search("wachs").isEmpty)
    #expect(try await store.search("schluss").count == 1)
    #expect(try await store.search("wiedersehen").count == 1)
    #expect(try await store.problems(.full) == [])
  }

  @Test func `an episode that an older podcli has changed under the index does no harm`() async throws {
    let (store, ids) = try await filled()
    try await store.indexForSearch()
    try await store.run(
      """
      UPDATE episodes SET title = 'Waben' WHERE id = \(ids[0].rawValue);
      INSERT INTO search_queue (episode_id) VALUES (\(ids[0].rawValue));
      """)
    #expect(try await store.search("waben").count == 1)
    #expect(try await store.problems(.full) == [])
  }
}

extension PodcastStore {
  fileprivate func scores(_ match: String, counts: [Int64]) throws(StoreError) -> [(own: Double, theirs: Double)] {
    _ = try connection.fullText()
    let all = try connection.integer("SELECT count(*) FROM search_docsize") ?? 0
    let rarities = TermWeights.rarities(counts, of: all)
    return try connection.rows(
      """
      SELECT term_weights(search, 8.0, 2.0, 4.0, 1.0), bm25(search, 8.0, 2.0, 4.0, 1.0)
      FROM search WHERE search MATCH \(match)
      """
    ) { row in
      let weights = TermWeights.read(row.optionalBlob(0) ?? [])
      return (TermWeights.relevance(weights, rarities), row.optionalReal(1) ?? 0)
    }
  }

  fileprivate func mergeIndex() throws(StoreError) {
    _ = try connection.fullText()
    try connection.execute("INSERT INTO search(search) VALUES('optimize')")
  }

  /// The pages of the library that finding `match` reads, and what it finds.
  fileprivate func pagesRead(finding match: String) throws(StoreError) -> (pages: Int, ids: [Int64]) {
    let connection = try connection
    let before = connection.pagesAskedFor
    let ids = try connection.rows("SELECT rowid FROM search WHERE search MATCH \(match) ORDER BY rowid DESC") {
      $0.integer(0)
    }
    return (connection.pagesAskedFor - before, ids)
  }

  fileprivate func ranked(_ match: String) throws(StoreError) -> [Int64] {
    try connection.rows(
      "SELECT rowid FROM search WHERE search MATCH \(match) ORDER BY bm25(search, 8.0, 2.0, 4.0, 1.0), rowid DESC"
    ) { $0.integer(0) }
  }

  fileprivate func run(_ script: String) throws(StoreError) { try connection.executeScript(script) }

  fileprivate func breakIndex() throws(StoreError) {
    try connection.executeScript("UPDATE search_data SET block = x'ff00ff00ff00' WHERE id > 100")
  }
}

extension SearchHit {
  /// The words of the snippet that match.
  var marked: [String] {
    let bytes = Array(snippet.utf8)
    return matches.map { String(decoding: bytes[$0], as: UTF8.self) }
  }
}
