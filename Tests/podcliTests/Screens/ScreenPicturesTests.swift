import PodcastModel
import Podcatcher
import ScreenKit
import Synchronization
import TestSupport
import Testing

@testable import podcli

@Suite struct ScreenPicturesTests {
  private static let url = "https://example.org/cover.jpg"

  /// A screen whose podcasts have a picture. Returns what it asks for, too.
  private static func screen(
    _ page: ScreenPage = .home, columns: Int = 120
  ) -> (state: ScreenState, effects: [ScreenEffect]) {
    var state = ScreenSamples.state(page, Size(columns: columns, rows: 36))
    state.pictureKind = .halfBlocks(.all)
    var podcasts = ScreenSamples.podcasts
    for index in podcasts.indices { podcasts[index].image = url }
    let effects = state.take(.podcasts(podcasts))
    return (state, effects)
  }

  private static func key(_ state: ScreenState) throws -> PictureKey { try #require(state.pictureArea?.key) }

  private static func picture(_ key: PictureKey) throws -> PlacedPicture {
    let picture = try #require(Picture(width: 4, height: 4, pixels: [UInt8](repeating: 200, count: 48)))
    return PictureText(kind: key.kind, rows: key.size.rows).placed(picture, id: 7, columns: key.size.columns)
  }

  @Test func `a wide page asks for its picture, and for what the terminal draws, once`() throws {
    var (state, effects) = Self.screen()
    let key = try Self.key(state)
    #expect(key == PictureKey(url: Self.url, kind: .halfBlocks(.all), size: Size(columns: 16, rows: 8)))
    #expect(effects.contains(.askTerminal) && effects.contains(.loadPicture(key)))
    #expect(!state.type("j").contains(.askTerminal))
    #expect(Self.screen(columns: 80).effects.contains(.askTerminal) == false)
    state.pictureKind = nil
    #expect(state.pictureArea == nil)
  }

  @Test func `a picture stands at the top of the side, with the titles beside it, and goes with the palette`() throws {
    var (state, _) = Self.screen()
    let key = try Self.key(state)
    state.take(.picture(key, try Self.picture(key)))
    let cells = ScreenDrawing.draw(state)
    let area = try #require(cells.pictures.first)
    #expect(area.origin == Point(column: 78, row: 1) && area.size == Size(columns: 16, rows: 8))
    #expect(area.lines.count == 8)
    #expect(cells.line(1).hasSuffix("  Late Night Linux"))
    state.type(":")
    #expect(ScreenDrawing.draw(state).pictures.isEmpty)
  }

  @Test func `of pictures that are passed by none is fetched, and the one that stays is`() async throws {
    let home = try TemporaryHome()
    let paths = try #require(Paths(environment: Environment { $0 == "PODCLI_HOME" ? home.path : nil }))
    let fetched = Mutex<[String]>([])
    let events = Mutex<[ScreenEvent]>([])
    let loader = PictureLoader(live: Live(paths: paths, audioOutput: "null")) { url in
      fetched.withLock { $0.append(url) }
    } send: { event in
      events.withLock { $0.append(event) }
    }
    let passed = PictureKey(url: "https://a.example/1", kind: .kitty, size: Size(columns: 16, rows: 8))
    var stays = passed
    stays.url = "https://a.example/2"
    loader.want(passed)
    loader.want(stays)
    await loader.load(passed)
    #expect(fetched.withLock { $0 }.isEmpty && events.withLock { $0 }.isEmpty)
    await loader.load(stays)
    #expect(fetched.withLock { $0 } == [stays.url])
    guard case .picture(stays, nil)? = events.withLock({ $0 }).last else { throw Overdue("the answer") }
  }

  @Test func `no more pictures are kept than are looked at`() throws {
    var (state, _) = Self.screen()
    var key = try Self.key(state)
    let picture = try Self.picture(key)
    for number in 0..<100 {
      key.url = "https://example.org/\(number).jpg"
      state.take(.picture(key, picture))
    }
    #expect(state.pictures.count <= 32 && state.pictures[key] != nil)
  }

  @Test func `without a picture its place goes to the text`() throws {
    var (state, _) = Self.screen()
    let before = state.lines[2]
    state.take(.picture(try Self.key(state), nil))
    #expect(state.pictureArea == nil && state.lines[2].count > before.count)
    #expect(ScreenDrawing.draw(state).pictures.isEmpty)
  }

  @Test func `a terminal that has sixels gets them`() throws {
    var (state, _) = Self.screen()
    // The first number is the terminal's class.
    state.type("\u{1B}[?4;22c")
    #expect(state.pictureKind == .halfBlocks(.all))
    let effects = state.type("\u{1B}[?62;4;22c")
    #expect(state.pictureKind == .sixel)
    #expect(effects == [.loadPicture(try Self.key(state))])
  }

  @Test func `on Playing the picture of the chapter comes before that of the podcast`() throws {
    var (state, _) = Self.screen(.playing, columns: 80)
    #expect(try Self.key(state).url == Self.url)
    var texts = ScreenSamples.texts(of: ScreenSamples.begun[0].episode.id)
    texts.chapters[2].image = "https://example.org/sponsor.png"
    #expect(state.take(.texts(texts)).contains { if case .loadPicture = $0 { true } else { false } })
    let key = try Self.key(state)
    #expect(key.url == "https://example.org/sponsor.png" && key.size == Size(columns: 8, rows: 4))
    state.take(.picture(key, try Self.picture(key)))
    #expect(state.lines[1].hasPrefix("          Episode 272"))
    texts.chapters[2].image = "file:///etc/passwd"
    state.take(.texts(texts))
    #expect(state.pictureArea == nil)
  }

  @Test func `a picture of kitty's is named, so that it can be removed`() throws {
    let picture = try #require(Picture(width: 4, height: 2, pixels: [UInt8](repeating: 0, count: 24)))
    let banner = try #require(Picture(width: 256, height: 31, pixels: [UInt8](repeating: 9, count: 256 * 31 * 3)))
    for kind in [PictureText.Kind.kitty, .sixel, .halfBlocks(.all)] {
      let narrow = PictureText(kind: kind, rows: 4).placed(banner, id: 7, columns: 8)
      #expect(narrow.size.columns <= 8 && narrow.size.rows == 1)
      let drawn = narrow.lines.map { String(decoding: $0, as: UTF8.self) }.joined()
      #expect(drawn.count { $0 == "▀" } <= 8 && !drawn.contains("c=17"))
    }
    let placed = PictureText(kind: .kitty, rows: 8).placed(picture, id: 7, columns: 16)
    #expect(placed.size == Size(columns: 16, rows: 4))
    #expect(String(decoding: placed.lines[0], as: UTF8.self).contains("i=7,p=1,C=1,c=16,r=4,"))
    #expect(String(decoding: placed.removal, as: UTF8.self) == "\u{1B}_Ga=d,d=I,q=2,i=7\u{1B}\\")
  }
}
