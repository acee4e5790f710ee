import Testing

@testable import Podcatcher

@Suite struct PlayerCommandTableTests {
  @Test func `each control word is called otherwise than the others`() {
    let words = PlayerCommandTable.words.map(\.word)
    #expect(Set(words).count == words.count)
    #expect(words.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0 == "-" } })
  }

  @Test func `each key sends one command, and each command that a key sends is found by it`() {
    let keys = PlayerCommandTable.words.flatMap(\.keys)
    #expect(Set(keys.map(\.name)).count == keys.count)
    for key in keys { #expect(PlayerCommandTable.command(forKey: key.name) == key.command) }
    #expect(PlayerCommandTable.command(forKey: "z") == nil)
  }

  @Test func `help explains every key, and no other`() {
    let explained = PlayerCommandTable.words.flatMap(\.help).flatMap { line in
      line.keys.split(separator: " ").map { $0.count > 1 && $0.last == "," ? $0.dropLast() : $0 }.map(String.init)
    }
    #expect(Set(explained) == Set(PlayerCommandTable.words.flatMap(\.keys).map(\.name)))
  }

  @Test func `a step never leaves the range`() {
    #expect(PlayerCommand.Change.by(-0.1).applied(to: 0.55, in: 0.5...5) == 0.5)
    #expect(PlayerCommand.Change.by(5).applied(to: 100, in: 0...200) == 105)
    #expect(PlayerCommand.Change.to(9).applied(to: 1, in: 0.5...5) == 5)
  }
}
