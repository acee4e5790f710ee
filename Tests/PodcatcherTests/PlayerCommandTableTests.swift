import Playback
import PodcastModel
import Testing

@testable import Desktop
@testable import Podcatcher

@Suite struct PlayerCommandTableTests {
  @Test func `each control word is called otherwise than the others`() {
    let words = PlayerCommandTable.words.map(\.word)
    #expect(Set(words).count == words.count)
    #expect(words.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0 == "-" } })
  }

  @Test func `each key sends one command, and each command that a key sends is found by it`() throws {
    let keys = PlayerCommandTable.words.flatMap(\.keys)
    #expect(keys.count == 23)
    #expect(Set(keys.map(\.name)).count == keys.count)
    for key in keys { #expect(PlayerCommandTable.key(named: key.name)?.command == key.command) }
    #expect(PlayerCommandTable.key(named: "z") == nil)
    #expect(PlayerCommandTable.key(named: "left")?.command == .seek(.relative(.seconds(-10))))
    #expect(PlayerCommandTable.key(named: "t")?.command == .trim(.next))
  }

  @Test func `help explains every key, and no other`() {
    let explained = PlayerCommandTable.words.flatMap(\.help).flatMap { line in
      line.keys.split(separator: " ").map { $0.count > 1 && $0.last == "," ? $0.dropLast() : $0 }.map(String.init)
    }
    #expect(Set(explained) == Set(PlayerCommandTable.words.flatMap(\.keys).map(\.name)))
  }

  @Test func `a media player on the desktop bus has each name that a word has there`() {
    let names = PlayerCommandTable.words.compactMap(\.mpris)
    #expect(names.count > 5)
    for name in names { #expect(MPRIS.introspection.contains(" name=\"\(name)\""), "\(name)") }
  }

  @Test func `every word of the protocol is there`() {
    let words =
      "pause play toggle stop next previous seek chapter speed volume sleep trim boost bookmark open status watch"
    #expect(
      Set(PlayerCommandTable.words.filter(\.isOnSocket).map(\.word))
        == Set(words.split(separator: " ").map(String.init)))
  }

  @Test(
    arguments: [
      ("pause", .pause), ("play", .play), ("toggle", .toggle), ("stop", .stop), ("next", .next),
      ("previous", .previous),
      ("seek 41:07", .seek(.at(.seconds(2467)))), ("seek -10", .seek(.relative(.seconds(-10)))),
      ("seek 50%", .seek(.fraction(0.5))), ("chapter", .chapter(.by(1))), ("chapter 3", .chapter(.to(3))),
      ("chapter -1", .chapter(.by(-1))), ("chapter +2", .chapter(.by(2))), ("speed 1.4", .speed(.to(1.4))),
      ("speed +0.1", .speed(.by(0.1))), ("volume 80%", .volume(.to(80))), ("volume -5", .volume(.by(-5))),
      ("trim mild", .trim(.to(.mild))), ("trim", .trim(.next)), ("boost off", .boost(.to(false))),
      ("boost", .boost(.next)),
      ("sleep 30m", .sleep(.to(.after(.seconds(1800))))), ("sleep off", .sleep(.to(nil))), ("sleep", .sleep(.next)),
      ("sleep 3ep", .sleep(.to(.episodes(3)))), ("bookmark", .bookmark(note: nil)),
      ("bookmark here", .bookmark(note: "here")),
      ("open 7", .open(EpisodeID(rawValue: 7), at: nil)),
      ("open 7 1:00", .open(EpisodeID(rawValue: 7), at: .at(.seconds(60)))),
    ] as [(String, PlayerCommand)])
  func `a control word with its arguments is a command`(line: String, command: PlayerCommand) throws {
    let words = line.split(separator: " ").map(String.init)
    let word = try #require(PlayerCommandTable.words.first { $0.word == words[0] })
    #expect(try word.request(Array(words.dropFirst())) == .command(command))
  }

  @Test(arguments: [
    "seek", "seek x", "seek 1e3", "speed", "speed 0.1", "speed 5.1", "speed nan", "speed 0x1", "speed 1e0",
    "volume 201",
    "volume x", "chapter 0", "chapter x", "chapter -9223372036854775808", "trim loud", "boost maybe", "sleep never",
    "open", "open x", "open 7 x", "open 99999999999999999999", "watch 0.01", "watch nan", "watch 3601", "watch -1",
  ])
  func `an argument out of range is refused`(line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let word = try #require(PlayerCommandTable.words.first { $0.word == words[0] })
    #expect(throws: ControlError.self) { try word.request(Array(words.dropFirst())) }
  }

  @Test func `every key's words make its command`() throws {
    for word in PlayerCommandTable.words {
      for key in word.keys {
        #expect(key.words.first == word.word)
        #expect(try word.request(Array(key.words.dropFirst())) == .command(key.command))
      }
    }
  }

  @Test func `a step never leaves the range`() {
    #expect(PlayerCommand.Change.by(-0.1).applied(to: 0.55, in: 0.5...5) == 0.5)
    #expect(PlayerCommand.Change.by(5).applied(to: 100, in: 0...200) == 105)
    let back = (1...4).reduce(1.4) { speed, _ in PlayerCommand.Change.by(-0.1).applied(to: speed, in: 0.5...5) }
    #expect(back == 1)
    #expect(PlayerCommand.Change.to(9).applied(to: 1, in: 0.5...5) == 5)
  }
}
