import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing

@testable import Podcatcher

/// Machines that share a folder, of which two also sync with one server, and a phone that knows only the server.
@Suite struct ServerAndFolderTests {
  private final class Machines {
    let stage: SyncStage
    private let shared: TemporaryHome
    private(set) var libraries: [SyncedLibrary] = []
    private var random: SeededGenerator
    private let keepsUnplayed: Bool

    init(_ personality: Personality, seed: UInt64) async throws {
      stage = try SyncStage(personality)
      shared = try TemporaryHome()
      random = SeededGenerator(seed: seed)
      keepsUnplayed = personality.keepsUnplayed
      for number in 0..<3 {
        let library = try await stage.library(loggedIn: number < 2)
        for name in SyncStage.names { try await library.subscribe(stage.feed(name)) }
        try await syncer(library).setFolder(shared.path, label: "machine \(number)")
        libraries.append(library)
      }
    }

    private func syncer(_ library: SyncedLibrary) -> Syncer { library.live.syncer(store: library.store) }

    func syncFolder(_ number: Int) async throws -> SyncReport { try await syncer(libraries[number]).run() }

    func syncServer(_ number: Int) async throws -> ServerReport {
      let report = try await libraries[number].sync()
      #expect(report.failures == [])
      return report
    }

    func step() async throws {
      let name = SyncStage.names.randomElement(using: &random) ?? "alpha"
      let number = Int.random(in: 1...4, using: &random)
      let position = Int.random(in: 40...500, using: &random)
      let index = Int.random(in: 0..<3, using: &random)
      let ago = Int64.random(in: -900...0, using: &random)
      switch Int.random(in: 0..<14, using: &random) {
      case 0...2: try await libraries[index].hear(name, number, position, at: .now + ago)
      case 3: try await libraries[index].mark(.played, name, number)
      case 4: if keepsUnplayed { try await libraries[index].mark(.unplayed, name, number) }
      case 5: try await libraries[index].mark(Bool.random(using: &random) ? .favourite : .unfavourite, name, number)
      case 6, 7: stage.phone(name, number, position, at: .now + ago)
      case 8: stage.phone(name, number, SyncStage.length, at: .now + ago)
      case 9...11: _ = try await syncFolder(index)
      default: _ = try await syncServer(index % 2)
      }
    }

    /// Everything is told.
    func settle() async throws {
      for _ in 0..<3 {
        for index in 0..<2 { _ = try await syncServer(index) }
        for index in 0..<3 { _ = try await syncFolder(index) }
      }
    }

    func states(_ library: SyncedLibrary, withFavourites: Bool = true) async throws -> [String] {
      var states: [String] = []
      for name in SyncStage.names {
        for number in 1...4 {
          let isFavourite = try await library.episode(name, number).isFavourite
          states.append("\(name) \(number) \(try await library.state(name, number)) \(withFavourites && isFavourite)")
        }
      }
      return states
    }
  }

  /// Not at gpodder.net, which drops what it takes for a repetition.
  @Test(arguments: [Personality.opodsync, .nextcloud, .podfetch], [1, 2, 3])
  func `a server and a folder at once: everyone ends equal, and a further sync sends nothing`(
    personality: Personality, seed: UInt64
  ) async throws {
    let machines = try await Machines(personality, seed: seed)
    for _ in 0..<100 { try await machines.step() }
    try await machines.settle()
    let states = try await machines.states(machines.libraries[0])
    for library in machines.libraries {
      let other = try await machines.states(library)
      #expect(other == states, "\(Set(other).symmetricDifference(states).sorted())")
    }
    let fresh = try await machines.stage.library()
    try await fresh.sync()
    let told = try await machines.states(machines.libraries[0], withFavourites: false)
    let again = try await machines.states(fresh, withFavourites: false)
    #expect(again == told, "\(Set(again).symmetricDifference(told).sorted())")
    let posts = machines.stage.server.requests.count { $0.method == "POST" }
    for index in 0..<2 { #expect(try await machines.syncServer(index).isQuiet) }
    for index in 0..<3 {
      let report = try await machines.syncFolder(index)
      #expect(report.merged == 0 && report.written == 0)
    }
    #expect(machines.stage.server.requests.count { $0.method == "POST" } == posts)
  }

  @Test func `a machine whose listening another one tells a server keeps its identity`() async throws {
    let machines = try await Machines(.opodsync, seed: 1)
    for index in 0..<3 { _ = try await machines.syncFolder(index) }
    try await machines.libraries[2].hear("alpha", 1, 240, at: .now + -60)
    _ = try await machines.syncFolder(2)
    _ = try await machines.syncFolder(0)
    #expect(try await machines.syncServer(0).sent == 1)
    _ = try await machines.syncFolder(0)
    let report = try await machines.syncFolder(2)
    #expect(report.merged > 0 && !report.hasNewDevice)
  }

  @Test func `what a phone heard goes on to a machine that knows only the folder, with the time of the phone`()
    async throws
  {
    let machines = try await Machines(.opodsync, seed: 1)
    let heard = Timestamp.now + -7200
    machines.stage.phone("alpha", 1, 240, at: heard)
    _ = try await machines.syncServer(0)
    _ = try await machines.syncFolder(0)
    _ = try await machines.syncFolder(2)
    #expect(try await machines.libraries[2].state("alpha", 1) == "240")
    #expect(try await machines.libraries[2].episode("alpha", 1).status.lastPlayedAt == heard)
    // And back: the other machine with the server knows that the server has it.
    _ = try await machines.syncFolder(1)
    #expect(try await machines.syncServer(1).sent == 0)
  }
}
