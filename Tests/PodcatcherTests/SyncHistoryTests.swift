import Glibc
import TestSupport
import Testing

/// Random histories of three machines with a folder that arrives late, torn, old, twice or not at all. Each ends with
/// everything delivered: then all machines show the same, and nothing that a file ever held is lost.
///
/// `PODCLI_HISTORIES=1000` runs more, `PODCLI_SEED` others.
struct SyncHistoryTests {
  @Test func `three machines with a lazy folder end equal, and lose nothing`() async throws {
    let count = Self.number("PODCLI_HISTORIES") ?? 12
    let seed = Self.number("PODCLI_SEED") ?? 1
    var faults: [String] = []
    for number in 0..<count {
      let history = try SyncHistory(seed: UInt64(seed) * 1_000_003 + UInt64(number))
      if let fault = try await history.run() { faults.append("history \(number): \(fault)") }
      if number % 100 == 99 { print("\(number + 1) histories, \(faults.count) with a fault") }
    }
    #expect(faults.isEmpty, "\(faults.count) of \(count)\n\(faults.prefix(5).joined(separator: "\n"))")
  }

  /// The histories can find faults: each of these libraries keeps all rules but one.
  @Test(arguments: SyncFlaw.allCases)
  func `a merge without one of its rules is found by the histories`(flaw: SyncFlaw) async throws {
    let most = Self.number("PODCLI_FLAWED") ?? 60
    var found: [Int] = []
    for number in (0..<most).map({ ($0 + flaw.history) % most }) {
      let history = try SyncHistory(seed: UInt64(number), kind: flaw.kind, flaw: flaw)
      if try await history.run() != nil { found.append(number) }
      // All of them only where that is asked for.
      if !found.isEmpty, getenv("PODCLI_FLAWED") == nil { return }
    }
    print("\(flaw): \(found.count) of \(most) histories find it")
    #expect(!found.isEmpty, "\(most) histories do not find it")
  }

  @Test(arguments: SyncFlaw.allCases)
  func `the histories that find a fault are at peace with all rules`(flaw: SyncFlaw) async throws {
    let fault = try await SyncHistory(seed: UInt64(flaw.history), kind: flaw.kind).run()
    #expect(fault == nil)
  }

  private static func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }
}
