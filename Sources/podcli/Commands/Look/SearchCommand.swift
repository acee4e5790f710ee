import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

enum SearchCommand {
  private static let words = Arguments("WORDS", kind: .text, help: "what to look for; `cook*` finds what begins so")
  private static let fields = Option<[String]>(
    "in", value: "WHERE", kind: .list(SearchHit.Field.allCases.map { Choice($0.rawValue) }), help: "where to look")
  private static let podcast = Option("podcast", value: "PODCAST", kind: .dynamic("podcast"), help: "only in this one")
  private static let filter = Options(
    "filter", value: "FILTER", kind: FilterWords.kind, help: "only episodes like these, such as `unplayed`")
  private static let number = Option<Int>(
    "number", short: "n", value: "N", kind: .integer(in: 1...10_000),
    help: "show no more than N hits; else 10, and 50 in a pipe")

  static let entry = CommandEntry(
    command: Command(
      "search", aliases: ["grep"], summary: "find words in titles, notes, chapters and transcripts",
      discussion: """
        The best first. An episode is found when it has all the words; `a OR b` is either, `'"a b"'` a phrase, as is \
        `3.14`, and a minus in front, as in `'rust -game'`, leaves out what has the word. What was said at a known \
        time is shown with that time, and `podcli play` takes the first column as it is. FILTER words that cannot be \
        mistaken for a word to look for, such as `age<30d` and `tag:news`, may stand among the WORDS.
        """,
      arguments: [words], options: [fields, podcast, filter, number],
      examples: [
        Example("podcli search rust compiler", "both words, anywhere"),
        Example("podcli search --in transcript,chapters 'garbage collect*'", "what was said"),
        Example("podcli search rust 'age<30d' --filter unplayed", "of the last month, and not heard yet"),
        Example("podcli search rust -n 3 | podcli queue add -", "the best three to the queue"),
      ])
  ) { invocation, context throws(Failure) in
    let (words, filter) = try read(invocation)
    let fields = Set((invocation[fields] ?? []).compactMap { SearchHit.Field(rawValue: $0) })
    let limits = [invocation[number], filter.limit.map { min($0, 10_000) }].compactMap(\.self)
    let limit = limits.min() ?? (context.console.isOutputTerminal ? 10 : 50)
    try await context.withIndexedStore { store in
      var podcast: PodcastID?
      if let name = invocation[Self.podcast] { podcast = try await context.podcast(name, in: store).id }
      show(
        try await search(words, in: fields, of: podcast, filter, limit: limit, store), words,
        isFiltered: !filter.conditions.isEmpty, context)
      try await context.sayWhetherIndexed(store)
    }
  }

  /// Splits the words: `rust` is searched for, `tag:news` is a filter. A search needs a word of the first kind.
  private static func read(_ invocation: Invocation) throws(Failure) -> (words: String, EpisodeFilter) {
    let isFilter = { (word: String) in
      word.contains(where: { ":<>=".contains($0) }) && (try? EpisodeFilter(words: [word])) != nil
    }
    let words = invocation[Self.words].filter { !isFilter($0) }
    guard !words.isEmpty else {
      throw Failure(
        .usage, "there is no word to look for", hint: "podcli playlist takes filter words alone")
    }
    let filters = invocation[Self.words].filter(isFilter) + invocation[Self.filter]
    return (words.joined(separator: " "), try FilterWords.readUnsorted(filters, in: "a search"))
  }

  private static func search(
    _ words: String, in fields: Set<SearchHit.Field>, of podcast: PodcastID?, _ filter: EpisodeFilter, limit: Int,
    _ store: PodcastStore
  ) async throws -> [SearchHit] {
    try await FilterWords.check(filter, in: store)
    return try await store.search(words, in: fields, of: podcast, matching: filter, limit: limit).hits
  }

  private static func show(_ hits: [SearchHit], _ words: String, isFiltered: Bool, _ context: Context) {
    let console = context.console
    if console.isJSON { return context.printJSON(.array(hits.map(json))) }
    if hits.isEmpty {
      let subject = isFiltered ? "Nothing that matches" : "Nothing"
      return console.say("\(subject) has the words '\(CleanText.line(words))'.")
    }
    let page = SearchPage(width: console.width, paint: Paint(console))
    guard console.isOutputTerminal else { return console.write(hits.map(SearchPage.tabSeparated).joined()) }
    Pager.show(hits.map { page.rendered($0) }.joined(), console)
  }

  private static func json(_ hit: SearchHit) -> JSON {
    [
      "episode": EpisodeJSON.document(hit.entry), "field": JSON(hit.field.rawValue),
      "time": hit.time.map(EpisodeJSON.seconds), "snippet": JSON(hit.snippet),
      "matches": JSON(Highlighted(hit.snippet, matches: hit.matches).words),
    ]
  }
}
