import PodcastModel
import PodcastStore
import TestSupport
import Testing

@testable import Podcatcher

/// Two libraries and a phone do whatever they like, and sync now and then.
@Suite struct ServerConvergenceTests {
  private struct Machines {
    let stage: SyncStage
    var libraries: [SyncedLibrary] = []
    var random: SeededGenerator

    init(_ personality: Personality, seed: UInt64) async throws {
      stage = try SyncStage(personality)
      random = SeededGenerator(seed: seed)
      for _ in 0..<2 {
        let library = try await stage.library()
        for name in SyncStage.names { try await library.subscribe(stage.feed(name)) }
        try await library.sync()
        libraries.append(library)
      }
    }

    mutating func step(keepsUnplayed: Bool) async throws {
      let name = SyncStage.names.randomElement(using: &random) ?? "alpha"
      let number = Int.random(in: 1...4, using: &random)
      let position = Int.random(in: 40...500, using: &random)
      let library = libraries[Int.random(in: 0..<2, using: &random)]
      let ago = Int64.random(in: -900...0, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0...2: try await library.hear(name, number, position, at: .now + ago)
      case 3: try await library.mark(.played, name, number)
      case 4: if keepsUnplayed { try await library.mark(.unplayed, name, number) }
      case 5, 6: stage.phone(name, number, position, at: .now + ago)
      case 7: stage.phone(name, number, SyncStage.length, at: .now + ago)
      default: #expect(try await library.sync().failures == [])
      }
    }

    func states(_ library: SyncedLibrary) async throws -> [String] {
      var states: [String] = []
      for name in SyncStage.names {
        for number in 1...4 { states.append("\(name) \(number) " + (try await library.state(name, number))) }
      }
      return states
    }
  }

  @Test(arguments: [Personality.opodsync, .nextcloud, .podfetch], [1, 2, 3])
  func `everyone ends with the same states`(personality: Personality, seed: UInt64) async throws {
    var machines = try await Machines(personality, seed: seed)
    for _ in 0..<100 { try await machines.step(keepsUnplayed: personality.keepsUnplayed) }
    for _ in 0..<2 {
      for library in machines.libraries { #expect(try await library.sync().failures == []) }
    }
    let states = try await machines.states(machines.libraries[0])
    #expect(try await machines.states(machines.libraries[1]) == states)
    // A library that was never there has the same from the server alone.
    let fresh = try await machines.stage.library()
    try await fresh.sync()
    #expect(try await machines.states(fresh) == states)
    for library in machines.libraries { #expect(try await library.sync().isQuiet) }
  }
}
