import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import ScreenKit
import TestSupport
import Testing

@testable import podcli

@Suite struct ScreenUpdateTests {
  private typealias Samples = ScreenSamples

  @Test func `the screen opens on what was left off, and enter goes on with it`() {
    var state = Samples.state(.home, Size(columns: 80, rows: 24), .paused)
    #expect(state.lines[1] == " Going on")
    #expect(state.lines[2].hasPrefix("▌▶ Late Night"))
    #expect(state.type("\r") == [.control(["play"])])
    state.take(.status(Samples.player(.stopped)))
    #expect(state.type("\r") == [.play(Samples.begun[0], at: nil)])
    #expect(state.message?.text.hasPrefix("Opening") == true)
    state.take(.status(Samples.player(.playing)))
    #expect(state.message == nil)
    #expect(state.type("\r").contains(.loadTexts(Samples.begun[0].episode.id, fetches: true)) && state.page == .playing)
  }

  @Test func `why the player did not do something is shown for ten seconds, or until its state changes`() {
    var state = Samples.state(.home, Size(columns: 80, rows: 24), .playing)
    let refusal = ScreenState.Message.refusal(Failure(.failed, "it is suspended", hint: nil))
    for _ in 1...2 {
      state.take(.said(refusal))
      for _ in 1...9 { state.take(.status(Samples.player(.playing))) }
      #expect(state.message?.text == refusal.text)
      state.take(.status(Samples.player(.playing)))
      #expect(state.message == nil)
    }
    state.take(.said(refusal))
    state.take(.status(Samples.player(.stopped)))
    #expect(state.message == nil)
  }

  @Test func `a list at its beginning stays there when rows come above the selected one`() {
    let episodes = Samples.episodes.prefix(3).map { ScreenRow.episode($0) }
    var list = RowList()
    list.replace([.heading("New")] + episodes)
    list.select(1)
    list.fit(height: 4)
    list.replace([.heading("Going on"), .episode(Samples.begun[0]), .heading("New")] + episodes)
    list.fit(height: 4)
    #expect(list.top == 0 && list.selectedRow == episodes[0])
    // As far as the selection is shown.
    list.fit(height: 3)
    list.replace([.heading("Going on")] + Samples.begun.map { .episode($0) } + [.heading("New")] + episodes)
    list.fit(height: 3)
    #expect(list.selectedRow == episodes[0] && list.top == list.selected - 2)
  }

  @Test func `where the selected row has gone, the next one that is left is selected`() {
    let episodes = Samples.episodes.map { ScreenRow.episode($0) }
    var list = RowList()
    list.replace(episodes)
    list.select(3)
    // Another window, without the selected one and the one behind it.
    list.replace([.heading("New")] + episodes[1..<3] + episodes[5...], hasMoreBefore: true)
    #expect(list.selectedRow == episodes[5])
    list.select(list.rows.count - 1)
    list.replace([.heading("New")] + episodes[1..<3])
    #expect(list.selectedRow == episodes[2])
  }

  @Test func `a click on the bar seeks there, whatever the chapter is called`() {
    var line = PlayingLine(title: "Dashes")
    (line.position, line.duration) = (.seconds(10), .seconds(60))
    line.chapter = .init(index: 0, count: 2, title: "One ── two ━━")
    let columns = line.barColumns(width: 80)
    let text = Array(line.rendered(width: 80))
    #expect(columns.map { String(text[$0]) }?.allSatisfy { "━╸─".contains($0) } == true)
    #expect(columns.map { text[$0.lowerBound - 1] == " " && text[$0.upperBound] == " " } == true)
    #expect(line.barColumns(width: 30) == nil && !line.rendered(width: 30).contains("━"))
  }

  @Test func `a filter's value may have blanks in quotes`() {
    let line = FilterLine(#"podcast:"late night" 'tis "a phrase" tag:'my tag'"#)
    #expect(line.filter.conditions.count == 2 && line.mistake == nil)
    #expect(line.words == ["'tis", #""a phrase""#])
    #expect(line.matches("Tis a 'tis: a phrase"))
    #expect(FilterLine(#"podcast:"late ni"#).filter.conditions.count == 1)
  }

  @Test func `many candidates, or those of an empty word, complete nothing`() {
    var state = Samples.state()
    state.type(":play ")
    state.take(.candidates(["91", "92"], for: "play "))
    #expect(state.palette?.field.text == "play ")
    state.type("9")
    state.take(.candidates((0..<50).map { Choice("99\($0)") }, for: "play 9"))
    #expect(state.palette?.field.text == "play 9")
    state.take(.candidates(["991", "992"], for: "play 9"))
    #expect(state.palette?.field.text == "play 99")
  }

  @Test func `attach in the palette shows the player`() {
    var state = Samples.state(.home, Size(columns: 80, rows: 24), .playing)
    let effects = state.type(":attach\r")
    #expect(state.page == .playing && state.output == nil)
    #expect(!effects.contains { if case .run = $0 { true } else { false } })
  }

  @Test func `a key that means nothing here says what it is for`() {
    var state = Samples.state(.podcasts)
    for key in ["x", "a", "d"] {
      #expect(state.type(key) == [])
      #expect(state.message?.text.hasPrefix("Not here: \(key), ") == true, "\(key)")
    }
    #expect(state.type("h") == [] && state.message == nil)
    state.type(":unsubscribe 1\r")
    #expect(state.output != nil)
    #expect(state.type("u").contains(.undo) && state.output == nil)
  }

  @Test func `episodes are triaged with one key each`() {
    var state = Samples.state()
    state.type("jj")
    let entry = Samples.episodes[0]
    #expect(state.selectedEntry == entry)
    #expect(state.type("a") == [.enqueue(entry, .end)])
    #expect(state.type("A") == [.enqueue(entry, .next)])
    #expect(state.type("f") == [.mark(.favourite, entry)])
    #expect(state.type("d") == [.work("downloading", ["download", "1"], total: nil)])
    #expect(state.type("u") == [.undo])
    #expect(state.type("y") == [.copy("https://example.org/0")])
    #expect(state.type("R") == [.work("refreshing", ["refresh", "--verbose"], total: 4)])
    state = Samples.state()
    state.type("jj")
    #expect(state.type("x").contains(.mark(.played, entry)))
  }

  @Test func `keys that come before the library answers are about the next episode, or take the mark away`() {
    var state = Samples.state()
    state.type("jj")
    let (first, second) = (Samples.episodes[0], Samples.episodes[1])
    #expect(state.type("x").contains(.mark(.played, first)))
    #expect(state.type("x").contains(.mark(.played, second)))
    #expect(state.selectedEntry == Samples.episodes[2])
    let marks = state.type("ff").map { if case .mark(let mark, _) = $0 { "\(mark)" } else { "" } }
    #expect(marks == ["favourite", "unfavourite"])
  }

  @Test func `no key that marks asks, and none is destructive`() {
    let destructive = ["unsubscribe", "delete", "clear", "remove"]
    for key in ScreenKeys.table {
      #expect(!destructive.contains { key.meaning.contains($0) }, "\(key.label)")
    }
  }

  @Test func `every key says what it does, the player's as its own table has it`() {
    for key in ScreenKeys.table { #expect(key.meaning != key.label, "\(key.label)") }
    #expect(ScreenKeys.meanings["["] == "slower" && ScreenKeys.meanings["."] == "the next chapter")
    #expect(ScreenKeys.meanings["left"] == "10 seconds back" && ScreenKeys.meanings["right"] == "30 seconds on")
  }

  @Test func `the player's keys are those of the playing line, everywhere`() {
    for page in ScreenPage.allCases {
      var state = Samples.state(page)
      #expect(state.type(" ") == [.control(["toggle"])])
      #expect(state.type("\u{1B}[C\u{1B}[D") == [.control(["seek", "+30"]), .control(["seek", "-10"])])
      #expect(state.type("\u{1B}[1;2C<") == [.control(["seek", "+60"]), .control(["seek", "-60"])])
      #expect(
        state.type(",.[]=-+")
          == [
            ["chapter", "-1"], ["chapter", "+1"], ["speed", "-0.1"], ["speed", "+0.1"], ["speed", "1"],
            ["volume", "-5"],
            ["volume", "+5"],
          ].map { .control($0) })
      #expect(state.type("tbsmnp").count == 6)
    }
  }

  @Test func `without a player, space goes on with what was left off, and other keys say that nothing plays`() {
    var state = Samples.state(.home, Size(columns: 80, rows: 24), .empty)
    state.player.entry = Samples.begun[0]
    #expect(state.type(" ") == [.play(Samples.begun[0], at: nil)])
    #expect(state.type("]").isEmpty && state.message?.text == "Nothing is playing")
  }

  @Test func `the selection stays on its row when rows come and go`() {
    var state = Samples.state()
    state.type("jjjjj")
    let selected = state.selectedEntry
    var home = Samples.home
    home.new.entries.remove(at: 0)
    state.take(.home(home))
    #expect(state.selectedEntry == selected)
    home.new.entries.removeAll { $0.episode.id == selected?.episode.id }
    state.take(.home(home))
    #expect(state.selectedEntry == Samples.episodes[4])
  }

  @Test func `a change reads the window around the selected new episode, and from the start while that is among them`()
  {
    var state = Samples.state()
    #expect(state.take(.libraryChanged).contains(.loadHome(.start)))
    let further = HomeRows(begun: Samples.begun, new: EpisodeWindow(Samples.episodes, hasMoreBefore: true))
    state.take(.home(further))
    #expect(state.take(.libraryChanged).contains(.loadHome(.start)))
    state.take(.home(Samples.home))
    state.type("jjjj")
    state.take(.home(further))
    let cursor = EpisodeCursor(after: Samples.episodes[2])
    #expect(state.take(.libraryChanged).contains(.loadHome(.around(cursor))))
  }

  @Test func `a command line that plays does so in a process of its own`() {
    var state = Samples.state()
    #expect(
      state.type(":play 3 --speed 1.4\r") == [
        .run(1, ["play", "3", "--speed", "1.4", "--detach"], isWatching: false)
      ])
  }

  @Test func `play alone in the palette goes on in the player that is there`() {
    var state = Samples.state(.home, Size(columns: 80, rows: 24), .paused)
    #expect(state.type(":play\r") == [.run(1, ["play"], isWatching: false)])
  }

  @Test func `combining characters are typed one by one`() {
    var state = Samples.state()
    for scalar in "ที่ हिन्दी  e\u{301}".unicodeScalars { state.type(scalar == "ท" ? ":ท" : String(scalar)) }
    #expect(state.palette?.field.text.unicodeScalars.elementsEqual("ที่ हिन्दी  e\u{301}".unicodeScalars) == true)
  }

  @Test func `the end of the window is read on, and G goes to the last`() {
    var state = Samples.state()
    #expect(
      !state.type(String(repeating: "j", count: 45)).contains { if case .loadHome = $0 { true } else { false } }
        == false)
    // A window around the former row would replace the one at the end.
    #expect(Self.windows(state.type("G")) == [.loadHome(.end)])
    state.take(.home(HomeRows(begun: [], new: EpisodeWindow(Samples.episodes, hasMoreBefore: true))))
    #expect(Self.windows(state.type("g")) == [.loadHome(.start)])
  }

  @Test func `keys behind G wait for the last row, and are about that one`() {
    var state = Samples.state()
    #expect(Self.windows(state.type("Gfq")) == [.loadHome(.end)])
    // Another process has changed the library, and rows that were asked for before come.
    #expect(Self.windows(state.take(.libraryChanged)) == [.loadHome(.end)])
    #expect(state.take(.home(Samples.home)) == [.loadHome(.end)])
    let last = Samples.episodes[59]
    let effects = state.take(
      .home(HomeRows(begun: Samples.begun, new: EpisodeWindow(Samples.episodes, hasMoreBefore: true))))
    #expect(effects.contains(.mark(last.isFavourite ? .unfavourite : .favourite, last)))
    #expect(effects.last == .leave(stops: false))
    #expect(Self.windows(state.type("gf")) == [.loadHome(.start)])
    let first = Samples.begun[0]
    #expect(state.take(.home(Samples.home)).contains(.mark(.favourite, first)))
  }

  @Test func `where the rows do not come, keys about them mean nothing, and those that leave do`() {
    var state = Samples.state()
    #expect(state.type("Gf\u{3}").contains(.leave(stops: false)))
    #expect(!state.type("q").contains(.leave(stops: false)))
    #expect(state.take(.failed(.home, "no")) == [.leave(stops: false)])
    #expect(state.awaited == nil)
  }

  @Test func `letters of a line that waits for rows are no keys where these do not come`() {
    for line in [":queue add 5", "/Quiz"] {
      var state = Samples.state()
      state.type("G" + line)
      #expect(state.take(.failed(.home, "no")).isEmpty)
      #expect(state.awaited == nil && state.palette == nil && state.filter == nil)
    }
  }

  @Test func `the wheel takes no waiting key away, and a page's name is clicked in its turn`() {
    var state = Samples.state(.home, Size(columns: 80, rows: 24), .playing)
    state.type("Gf")
    for row in [5, ScreenLayout(state).playerRow] {
      #expect(state.type("\u{1B}[<65;10;\(row + 1)M").isEmpty)
    }
    state.type("\u{1B}[<0;13;1M")
    #expect(state.page == .home)
    let last = Samples.episodes[59]
    let effects = state.take(
      .home(HomeRows(begun: Samples.begun, new: EpisodeWindow(Samples.episodes, hasMoreBefore: true))))
    #expect(effects.contains(.mark(last.isFavourite ? .unfavourite : .favourite, last)))
    #expect(state.page == .queue)
  }

  @Test func `keys that are about no row do not wait for rows`() {
    var state = Samples.state(.home, Size(columns: 80, rows: 24), .playing)
    #expect(state.type("G ").last == .control(["toggle"]))
    #expect(state.type("q") == [.leave(stops: false)])
    #expect(state.type("f q").isEmpty)
  }

  @Test func `escape and a key that come together are two keys`() {
    var state = Samples.state()
    state.type("/garbage\r")
    state.take(.found(FoundRows(line: "garbage", rows: [.episode(Samples.episodes[0])])))
    state.type("\u{1B}2")
    #expect(state.filter == nil && state.page == .queue)
    #expect(state.type("\u{1B}q") == [.leave(stops: false)])
    // A line that is typed stays.
    state.type("1/garb\u{1B}f")
    #expect(state.filter?.field.text == "garb" && state.filter?.isTyping == true)
  }

  @Test func `a screen down goes on in the next window`() throws {
    var state = Samples.state()
    let cursor = EpisodeCursor(after: Samples.episodes[59])
    let downs = Array(repeating: "\u{4}", count: 5).joined()
    #expect(Self.windows(state.type(downs + "f")).last == .loadHome(.around(cursor)))
    let further = Array(
      Samples.episodes.suffix(30)
        + (60..<260).map { number in
          var entry = Samples.episodes[0]
          entry.episode = Episode(
            id: EpisodeID(rawValue: Int64(number + 1)), guid: "g\(number)", title: "Number \(number)")
          return entry
        })
    let rows = HomeRows(begun: Samples.begun, new: EpisodeWindow(further, hasMoreBefore: true, hasMoreAfter: true))
    let marked = state.take(.home(rows)).compactMap { if case .mark(_, let entry) = $0 { entry } else { nil } }
    // Five times all rows but one below the first; two of them are headings, two of the new episodes stand above.
    let height = ScreenLayout(state).listRows.count
    #expect(marked.count == 1 && marked.first?.episode.id == state.selectedEntry?.episode.id)
    let place = try #require(marked.first.map { $0.episode.id.rawValue })
    #expect(place == Int64(5 * (height - 1)), "\(place) \(height)")
    // Up again, to the first row of the window and beyond.
    #expect(
      Self.windows(state.type(Array(repeating: "\u{15}", count: 5).joined())).last
        == .loadHome(.around(EpisodeCursor(after: Samples.episodes[30]))))
  }

  private static func windows(_ effects: [ScreenEffect]) -> [ScreenEffect] {
    effects.filter { if case .loadHome = $0 { true } else { false } }
  }

  @Test func `in the queue J and K move the episode, and elsewhere they scroll the notes`() {
    var state = Samples.state(.queue)
    // The second key comes before the queue is read again.
    let first = Samples.episodes[0]
    #expect(state.type("JJ") == [.enqueue(first, .number(2)), .enqueue(first, .number(3))])
    #expect(state.type("KK") == [.enqueue(first, .number(2)), .enqueue(first, .number(1))])
    #expect(state.type("K").isEmpty)
    state = Samples.state(.home, Size(columns: 120, rows: 36))
    #expect(state.type("J").isEmpty && state.sideTop == 0)
    let notes = (1...60).map(String.init).joined(separator: "\n")
    state.take(.about(.init(episode: state.selectedEntry?.episode.id ?? first.episode.id, notes: notes)))
    #expect(state.type("J").isEmpty && state.sideTop == 3)
    #expect(state.type("KK").isEmpty && state.sideTop == 0)
  }

  @Test func `on Playing a change of the library is read when the lists are shown, but for what the first row counts`()
  {
    var state = Samples.state(.playing)
    let anchors = ScreenEffect.loadAnchors(Samples.begun[0].episode.id)
    #expect(state.take(.libraryChanged) == [.loadQueue, .countPodcasts, anchors])
    #expect(state.type("1") == [.loadHome(.start), .loadQueue, .countPodcasts, anchors])
    #expect(!state.type("42").contains(.loadQueue))
    #expect(state.take(.libraryChanged).contains(.loadHome(.start)))
  }

  @Test func `the podcasts are read again on their page, or where their number is another`() {
    var state = Samples.state(.home)
    let count = state.podcasts.rows.count
    #expect(state.take(.libraryChanged).contains(.countPodcasts))
    let images = state.images.count
    #expect(state.take(.podcastCount(count, withImage: images)).isEmpty)
    #expect(state.type("3").contains(.loadPodcasts))
    #expect(!state.type("13").contains(.loadPodcasts))
    #expect(state.take(.libraryChanged).contains(.loadPodcasts))
    state.type("1")
    #expect(state.take(.podcastCount(count + 1, withImage: images)) == [.loadPodcasts])
    #expect(state.take(.podcastCount(count, withImage: images + 1)) == [.loadPodcasts])
  }

  @Test func `enter goes into a podcast, escape comes back`() {
    var state = Samples.state(.podcasts)
    #expect(state.type("j\r") == [.loadEpisodes(PodcastID(rawValue: 2), .start)])
    #expect(state.lines[1].contains("Podcasts › Small Hours"))
    // Those of a podcast that was left in the meantime are too late.
    state.take(.episodes(EpisodeWindow([Samples.episodes[0]]), of: PodcastID(rawValue: 1)))
    #expect(state.episodes.rows.isEmpty)
    state.take(.episodes(EpisodeWindow([Samples.episodes[1]]), of: PodcastID(rawValue: 2)))
    #expect(state.type("\r") == [.play(Samples.episodes[1], at: nil)])
    state.type("\u{1B}")
    #expect(!state.isInPodcast && state.podcasts.selected == 1)
  }

  @Test func `a filter is answered at each key, lands on the second, and escape brings the list back`() {
    var state = Samples.state()
    state.type("j")
    #expect(state.type("/") == [.search("", .home, nil, limit: 19)])
    #expect(state.type("hi") == [.search("h", .home, nil, limit: 19), .search("hi", .home, nil, limit: 19)])
    let hit = SearchHit(
      entry: Samples.episodes[7], field: .transcript, snippet: "look at the hinting", matches: [12..<19],
      time: .seconds(2465))
    state.take(.found(FoundRows(line: "h", rows: [.episode(Samples.episodes[3])])))
    #expect(state.filter?.rows.rows.isEmpty == true)
    state.take(.found(FoundRows(line: "hi", rows: [.episode(hit.entry), .passage(hit)], took: .milliseconds(6))))
    #expect(state.lines[1].hasPrefix("/hi") && state.lines[1].hasSuffix("1 in 6 ms"))
    #expect(state.lines[3].contains("41:05") && state.lines[3].contains("look at the hinting"))
    let about = ScreenState.About(episode: hit.entry.episode.id, notes: "All about hinting.")
    let asked = state.take(.found(FoundRows(line: "hi", rows: [.episode(hit.entry), .passage(hit)], about: about)))
    #expect(state.lines[21].hasPrefix(" All about hinting.") && !asked.contains(.loadAbout(about.episode)))
    state.type("\u{1B}[B")
    #expect(state.type("\r") == [.play(hit.entry, at: .seconds(2465))])
    state.type("\u{1B}")
    #expect(state.filter == nil && state.selectedEntry == Samples.begun[1])
  }

  @Test func `the answer to further letters begins at its best hit; to the same line, it keeps the selection`() {
    var state = Samples.state()
    state.type("/e")
    let rows = Samples.episodes.prefix(3).map { ScreenRow.episode($0) }
    state.take(.found(FoundRows(line: "e", rows: rows)))
    state.type("\u{1B}[B")
    state.take(.found(FoundRows(line: "e", rows: Array(rows.reversed()))))
    #expect(state.selectedEntry == Samples.episodes[1])
    state.type("f")
    let about = ScreenState.About(episode: Samples.episodes[2].episode.id, notes: "Best.")
    let asked = state.take(.found(FoundRows(line: "ef", rows: Array(rows.reversed()), about: about)))
    #expect(state.selectedEntry == Samples.episodes[2] && state.about == about && asked.isEmpty)
  }

  @Test func `enter before the answer opens the first row of the answer`() {
    var state = Samples.state(.queue)
    state.type("/e")
    state.take(.found(FoundRows(line: "e", list: .queue, rows: [.episode(Samples.episodes[3])])))
    #expect(!state.type("f\r").contains { if case .play = $0 { true } else { false } })
    #expect(
      state.take(.found(FoundRows(line: "ef", list: .queue, rows: [.episode(Samples.episodes[2])])))
        .contains(.play(Samples.episodes[2], at: nil)))
    #expect(
      !state.take(.found(FoundRows(line: "ef", list: .queue, rows: [.episode(Samples.episodes[2])]))).contains {
        if case .play = $0 { true } else { false }
      })
  }

  @Test func `enter before the answer is forgotten with the next key, or where the answer is a mistake`() {
    func plays(_ effects: [ScreenEffect]) -> Bool { effects.contains { if case .play = $0 { true } else { false } } }
    for keys in ["/", "j"] {
      var state = Samples.state(.queue)
      state.type("/ef\r" + keys)
      #expect(
        !plays(state.take(.found(FoundRows(line: "ef", list: .queue, rows: [.episode(Samples.episodes[2])])))),
        "\(keys)")
    }
    var state = Samples.state(.queue)
    state.type("/e<\r")
    #expect(!plays(state.take(.found(FoundRows(line: "e<", list: .queue, mistake: "'e<' is no filter")))))
    #expect(state.filter?.isTyping == true)
    state.type("\u{7F}")
    #expect(!plays(state.take(.found(FoundRows(line: "e", list: .queue, rows: [.episode(Samples.episodes[2])])))))
    // The mistake is of a line that was mended since.
    state.type("<")
    state.take(.found(FoundRows(line: "e<", list: .queue, mistake: "'e<' is no filter")))
    state.type("\u{7F}\r")
    #expect(plays(state.take(.found(FoundRows(line: "e", list: .queue, rows: [.episode(Samples.episodes[2])])))))
  }

  @Test func `enter plays nothing while the filter line has a mistake, which is said at every width`() {
    for columns in [40, 80, 120] {
      var state = Samples.state(.home, Size(columns: columns, rows: 24))
      state.type("/e")
      state.take(.found(FoundRows(line: "e", rows: [.episode(Samples.episodes[3])])))
      state.type("<")
      state.take(.found(FoundRows(line: "e<", mistake: "'e<' is no filter; did you mean one of many, many others?")))
      #expect(state.lines[1].contains("'e<' is no"), "\(columns)")
      #expect(state.type("\r").isEmpty && state.filter?.isTyping == true)
    }
  }

  @Test func `the filter of Home searches every podcast, that of a podcast its own`() {
    var state = Samples.state(.podcasts)
    state.type("j\r")
    let id = state.podcast?.id
    #expect(state.type("/").contains(.search("", .episodes, id, limit: ScreenLayout(state).listRows.count)))
    state.take(.input(.key(Key(.escape))))
    state.type("1")
    #expect(state.type("/").contains(.search("", .home, nil, limit: ScreenLayout(state).listRows.count)))
  }

  @Test func `r refreshes the podcast that is selected`() {
    var state = Samples.state(.podcasts)
    state.type("\r")
    state.take(.input(.key(Key(.escape))))
    #expect(state.type("jr") == [.work("refreshing", ["refresh", "--verbose", "2"], total: nil)])
  }

  @Test func `the end of a long line stays in view`() {
    var state = Samples.state(.home)
    state.type(":subscribe https://example.org/" + String(repeating: "long/", count: 40) + "ending.xml")
    let line = state.lines.first { $0.hasPrefix(":…") }
    #expect(line?.hasSuffix("long/ending.xml") == true, "\(state.lines)")
  }

  @Test func `a filter asks for what can be shown, and for the rest once keys go there`() {
    var state = Samples.state()
    state.type("/e")
    let rows = Samples.episodes.prefix(30).map { ScreenRow.episode($0) }
    let asked = state.take(.found(FoundRows(line: "e", rows: Array(rows.prefix(19)), hasMore: true)))
    #expect(!asked.contains(.search("e", .home, nil, limit: 200)))
    #expect(
      state.take(.found(FoundRows(line: "e", rows: Array(rows.prefix(13)), hasMore: true))).contains(
        .search("e", .home, nil, limit: 200)))
    #expect(
      !state.take(.found(FoundRows(line: "e", rows: rows, hasMore: true))).contains(
        .search("e", .home, nil, limit: 200)))
    #expect(state.lines[1].contains("more than 30 in"))
    #expect(!state.type("\u{1B}[B").contains(.search("e", .home, nil, limit: 200)))
    let moved = (0..<22).flatMap { _ in state.type("\u{1B}[B") }
    #expect(moved.contains(.search("e", .home, nil, limit: 200)))
  }

  @Test func `a failure is said with its message before its hint, on one line`() {
    let message = ScreenState.Message(
      failure: "Downloading\npodcli: 'Episode 4' cannot be played: 404\n  try again later, or refresh the feed\n")
    #expect(message.text == "'Episode 4' cannot be played: 404 · try again later, or refresh the feed")
    #expect(message.isError && ScreenState.Message(failure: "a word").text == "a word")
  }

  @Test func `conditions that leave few of many hits are not searched for ever`() {
    var state = Samples.state()
    state.type("/e favourite")
    let few = FoundRows(line: "e favourite", limit: 19, hasMore: true)
    #expect(state.take(.found(few)) == [.search("e favourite", .home, nil, limit: 200)])
    let all = FoundRows(line: "e favourite", limit: 200, hasMore: true)
    #expect(state.take(.found(all)) == [])
    #expect(state.type("\u{1B}[B") == [])
  }

  @Test(arguments: [(80, "to hear · speed 1.4× · trim mild"), (200, "to hear · speed 1.4× · trim mild · ↓3 · keeps 5")])
  func `what is set for a podcast alone stands in its header, as far as there is room`(columns: Int, header: String) {
    var state = Samples.state(.podcasts, Size(columns: columns, rows: 24))
    state.type("\r")
    let podcast = state.podcast ?? Samples.podcasts[0]
    state.take(.settings(["speed": "1.4", "trim": "mild", "auto-download": "3", "keep": "5"], of: podcast.id))
    #expect(state.lines[1].contains(header))
    state.take(.settings(["speed": "2"], of: PodcastID(rawValue: 99)))
    #expect(state.lines[1].contains("speed 1.4×"))
  }

  @Test func `Tab completes a filter, and a wrong one is explained`() {
    var state = Samples.state()
    state.type("/unpl\t")
    #expect(state.filter?.field.text == "unplayed")
    #expect(FilterLine("hinting unplayed minutes<20").words == ["hinting"])
    #expect(FilterLine("minutes<x").mistake != nil)
    state.take(.found(FoundRows(line: "unplayed", mistake: "'age<x' is no filter")))
    #expect(state.lines[1].contains("is no filter"))
  }

  @Test func `the palette lists the keys valid here, narrows them, and runs one`() {
    var state = Samples.state()
    state.type(":")
    #expect(state.lines.contains { $0.hasPrefix("  x        mark as played") })
    #expect(!state.lines.contains { $0.contains("tie the transcript") })
    state.type("favourite")
    #expect(state.lines.filter { $0.contains("mark as") }.count == 1)
    #expect(state.type("\r") == [.mark(.favourite, Samples.begun[0])])
    #expect(state.palette == nil)
  }

  @Test func `anything else runs as a podcli command, completed, and its output is shown and scrolled`() {
    var state = Samples.state()
    state.type(":subs\t")
    #expect(state.palette?.field.text == "subscribe ")
    #expect(
      state.type("'https://a.example/x y'\r") == [
        .run(1, ["subscribe", "https://a.example/x y"], isWatching: false)
      ])
    let output = (1...60).map { "line \($0)\n" }.joined()
    state.take(.output(output, of: 1, isEnd: true))
    #expect(state.lines[2] == " line 1")
    state.type("j")
    #expect(state.lines[2] == " line 2")
    state.type("G")
    #expect(state.lines[state.size.rows - 3] == " line 60")
    state.type("\u{1B}")
    #expect(state.output == nil)
  }

  @Test(arguments: ["\u{1B}", ":queue\r"]) func `a command that watches ends with its view; one that works goes on`(
    keys: String
  ) {
    var state = Samples.state()
    for line in ["playlist --watch", "downloads -w", "transcript -f 3", "downloads -qw"] {
      state = Samples.state()
      state.type(":\(line)\r")
      #expect(state.type(keys).contains(.endWatching), "\(line)")
    }
    state = Samples.state()
    state.type(":refresh\r")
    #expect(!state.type(keys).contains(.endWatching))
    state = Samples.state()
    state.type(":playlist --watch\r")
    state.take(.output("podcli: no\n", of: 1, isEnd: true))
    #expect(!state.type(keys).contains(.endWatching))
  }

  @Test func `of the same line that runs twice, each output is its own`() {
    var state = Samples.state()
    state.type(":playlist --watch\r")
    state.type(":playlist --watch\r")
    state.take(.output("the first\n", of: 1, isEnd: true))
    #expect(state.output?.isRunning == true && state.output?.text == "")
    #expect(state.type("\u{1B}").contains(.endWatching))
  }

  @Test func `the queue shows the order that was asked for until the last move is carried out`() {
    var state = Samples.state(.queue)
    let before = state.queue.rows
    state.type("JJ")
    let asked = state.queue.rows
    #expect(asked != before)
    func entries(_ rows: [ScreenRow]) -> [EpisodeEntry] { rows.compactMap(\.entry) }
    state.take(.moved)
    state.take(.queue(entries(before)))
    #expect(state.queue.rows == asked)
    state.take(.moved)
    state.take(.queue(entries(before)))
    #expect(state.queue.rows == before)
  }

  @Test func `an answer to the same words in another list is none`() {
    var state = Samples.state()
    state.type("/")
    state.type("\u{1B}")
    state.type("2/")
    state.take(.found(FoundRows(line: "", rows: [.episode(Samples.episodes[3])])))
    #expect(state.filter?.rows.rows.isEmpty == true)
    state.take(.found(FoundRows(line: "", list: .queue, rows: [.episode(Samples.episodes[3])])))
    #expect(state.filter?.rows.rows.count == 1)
  }

  @Test func `values that the library knows are asked for, and completed as far as they agree`() {
    var state = Samples.state()
    #expect(state.type(":episodes la\t") == [.complete(kind: "podcast", prefix: "la", line: "episodes la")])
    state.take(.candidates(["Late Night Linux"], for: "episodes la"))
    #expect(state.palette?.field.text == "episodes 'Late Night Linux' ")
    state.take(.candidates(["other"], for: "episodes la"))
    #expect(state.palette?.field.text == "episodes 'Late Night Linux' ")
  }

  @Test func `a paste goes into the line that is open, as one line, and elsewhere does nothing`() {
    var state = Samples.state()
    #expect(state.type("\u{1B}[200~xfuq\n\u{1B}[201~").isEmpty)
    state.type(":\u{1B}[200~subscribe\nhttps://a.example\u{1B}[201~")
    #expect(state.palette?.field.text == "subscribe https://a.example")
  }

  @Test func `a paste into the palette selects its first row again`() {
    var state = Samples.state()
    state.type(":\u{1B}[B\u{1B}[200~subscribe https://a.example\u{1B}[201~")
    #expect(state.type("\r") == [.run(1, ["subscribe", "https://a.example"], isWatching: false)])
  }

  @Test func `the mouse selects, opens, scrolls, and seeks on the bar`() {
    var state = Samples.state()
    state.type("\u{1B}[<0;10;6M")
    #expect(state.selectedEntry == Samples.episodes[0])
    #expect(state.type("\u{1B}[<0;10;6M") == [.play(Samples.episodes[0], at: nil)])
    state.type("\u{1B}[<65;10;6M")
    #expect(state.selectedEntry == Samples.episodes[3])
    guard let bar = PlayerBar(state).columns else { return #expect(Bool(false), "there is no bar") }
    #expect(state.type("\u{1B}[<0;\(bar.lowerBound + 1);23M") == [.control(["seek", "0%"])])
    // Not the end, behind which the next episode plays.
    #expect(state.type("\u{1B}[<0;\(bar.upperBound);23M") == [.control(["seek", "99%"])])
    state.type("\u{1B}[<0;13;1M")
    #expect(state.page == .queue)
  }

  @Test func `q leaves and the sound goes on, Q stops`() {
    var state = Samples.state()
    #expect(state.type("q") == [.leave(stops: false)])
    #expect(state.type("\u{3}") == [.leave(stops: false)])
    #expect(state.type("Q") == [.leave(stops: true)])
    #expect(state.type("\u{C}\u{1A}") == [.redraw, .suspend])
  }

  @Test func `without podcasts there are three lines, and nothing else`() {
    let state = Samples.state(.home, Size(columns: 80, rows: 24), .empty)
    let lines = state.lines[1..<22].filter { !$0.isEmpty }
    #expect(lines.count == 3)
    #expect(zip(lines, [":subscribe", ":find", ":import"]).allSatisfy { $0.contains($1) })
  }

  @Test func `the real cursor stands on the selected row, and in the line that is typed`() {
    var state = Samples.state()
    #expect(ScreenDrawing.draw(state).cursor == Point(column: 0, row: 2))
    state.type("j")
    #expect(ScreenDrawing.draw(state).cursor == Point(column: 0, row: 3))
    state.type("/ab")
    #expect(ScreenDrawing.draw(state).cursor == Point(column: 3, row: 1))
  }

  @Test func `a hundred thousand random keys, clicks, sizes and news leave a screen that can be drawn`() async {
    var random = SeededGenerator(seed: 21)
    var state = Samples.state()
    let keys =
      Array("jjjjkkgGhl\r\t :?/aAxfdurRJKoyTciqQ1234<>,.[]=-+tbsmnpé日 unplayed late\u{7F}\u{15}\u{4}").map {
        String($0)
      }
      + ["\u{1B}", "\u{1B}[A", "\u{1B}[B", "\u{1B}[5~", "\u{1B}[6~", "\u{1B}[200~a\nb👩‍👩‍👧\u{1B}[201~"]
    for round in 0..<100_000 {
      // The other tests share two threads with this one.
      if round % 100 == 0 { await Task.yield() }
      var effects: [ScreenEffect] = []
      let waiting = state.awaited?.inputs.count ?? 0
      switch Int.random(in: 0..<40, using: &random) {
      case 0:
        let size = Size(columns: .random(in: 1...300, using: &random), rows: .random(in: 1...100, using: &random))
        effects = state.take(.resized(size))
      case 1: effects = state.take(Self.news(state, &random))
      case 2:
        let point = "\(Int.random(in: 1...120, using: &random));\(Int.random(in: 1...40, using: &random))"
        effects = state.type("\u{1B}[<\([0, 64, 65].randomElement(using: &random) ?? 0);\(point)M")
      default: effects = state.type(keys.randomElement(using: &random) ?? "j")
      }
      guard effects.count <= 8 * (1 + waiting) else { return #expect(Bool(false), "round \(round): \(effects)") }
      guard round % 20 == 0 else { continue }
      let cells = ScreenDrawing.draw(state)
      guard (0..<cells.size.columns).contains(cells.cursor.column), (0..<cells.size.rows).contains(cells.cursor.row)
      else {
        return #expect(Bool(false), "round \(round): the cursor is at \(cells.cursor) of \(cells.size)")
      }
    }
  }

  private static func news(_ state: ScreenState, _ random: inout SeededGenerator) -> ScreenEvent {
    let some = Array(Samples.episodes.shuffled(using: &random).prefix(.random(in: 0...60, using: &random)))
    let window = EpisodeWindow(some, hasMoreBefore: .random(using: &random), hasMoreAfter: .random(using: &random))
    switch Int.random(in: 0..<9, using: &random) {
    case 0: return .home(HomeRows(begun: .random(using: &random) ? Samples.begun : [], new: window))
    case 1: return .queue(some)
    case 2: return .podcasts(.random(using: &random) ? Samples.podcasts : [])
    case 3: return .episodes(window, of: state.podcast?.id ?? PodcastID(rawValue: 1))
    case 4: return .found(FoundRows(line: state.filter?.field.text ?? "", rows: some.map { .episode($0) }))
    case 5:
      return .status(
        Samples.player([.playing, .paused, .stopped, .buffering].randomElement(using: &random) ?? .paused))
    case 6: return .texts(Samples.texts(of: state.transcript.episode ?? EpisodeID(rawValue: 1)))
    case 7: return .failed([.home, .queue, .podcasts, .episodes].randomElement(using: &random) ?? .home, "no")
    default: return .libraryChanged
    }
  }
}
