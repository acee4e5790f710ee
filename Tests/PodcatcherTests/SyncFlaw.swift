import Glibc
import PodcastModel

@testable import PodcastStore
@testable import Podcatcher

/// A rule of the sync through a folder that a machine of the tests does not keep. Temporary triggers in its library, or
/// changes of its folder, take the rule away; the product has no switch for it.
enum SyncFlaw: String, CaseIterable, Sendable {
  /// A stamp is the time of the clock, also where the register had a later one.
  case trustsItsClock
  /// The own file counts as left, whatever is in it.
  case neverReadsItsOwnFile
  /// A register that stands in no file any more stays away.
  case adoptsNothing
  /// The furthest position counts, not the latest.
  case furthestWins
  /// Conflict copies are no input.
  case passesOverConflictCopies
  /// Lines whose podcast or episode is not here are dropped.
  case parksNothing
  /// Of equal stamps that which came last counts, which is another one on each machine.
  case takesTheLastOfEqualStamps

  /// The kind of histories that needs the rule.
  var kind: SyncHistory.Kind {
    switch self {
    case .trustsItsClock: .wrongClocks
    case .neverReadsItsOwnFile: .restores
    case .adoptsNothing: .retirements
    case .furthestWins, .passesOverConflictCopies: .plain
    case .parksNothing: .lateSubscriptions
    case .takesTheLastOfEqualStamps: .equalClocks
    }
  }

  /// The number of the first history of that kind that finds it. Where a change of the merge makes it another one, a later
  /// one finds it too.
  var history: Int {
    switch self {
    case .trustsItsClock: 41
    case .neverReadsItsOwnFile: 45
    case .furthestWins, .takesTheLastOfEqualStamps: 0
    case .adoptsNothing, .passesOverConflictCopies, .parksNothing: 1
    }
  }

  /// Before each sync, as the library may have been opened anew.
  func prepare(_ machine: SyncMachine) async throws {
    switch self {
    case .neverReadsItsOwnFile:
      let device = try await machine.store.syncState()["device"] ?? ""
      if let bytes = machine.bytes(SyncPlan.name(of: device)) {
        try await machine.store.setSyncState(["own-file": OwnFile.whole(bytes).text])
      }
    case .passesOverConflictCopies:
      for name in machine.names where name.contains("onflict") { machine.remove(name) }
    default: try await machine.store.install(triggers(now: machine.now))
    }
  }

  private static let own = "(SELECT value FROM sync_state WHERE key = 'device')"

  private func triggers(now: Int64) -> String {
    let name = "temp.flaw_\(rawValue)"
    let drop = "DROP TRIGGER IF EXISTS \(name);"
    let this = "kind = new.kind AND entity = new.entity AND name = new.name"
    return switch self {
    case .trustsItsClock:
      drop + """
        CREATE TEMP TRIGGER flaw_\(rawValue) AFTER INSERT ON main.sync_registers
        WHEN new.device = \(Self.own) AND new.is_applied = 1 AND new.stamp > \(now) BEGIN
          UPDATE sync_registers SET stamp = \(now) WHERE \(this);
        END;
        """
    case .adoptsNothing:
      drop + """
        CREATE TEMP TRIGGER flaw_\(rawValue) AFTER UPDATE OF holder ON main.sync_registers
        WHEN new.holder IS NULL AND new.device <> \(Self.own) BEGIN
          UPDATE sync_registers SET holder = 'nobody' WHERE \(this);
        END;
        """
    case .furthestWins:
      drop + """
        CREATE TEMP TRIGGER flaw_\(rawValue) BEFORE UPDATE OF value ON main.sync_registers
        WHEN new.name = 'play' AND new.value ->> 'pos' < old.value ->> 'pos' BEGIN SELECT RAISE(IGNORE); END;
        """
    case .parksNothing:
      drop + """
        CREATE TEMP TRIGGER flaw_\(rawValue) BEFORE INSERT ON main.sync_parked
        WHEN new.entity LIKE '%"k":"episode"%' BEGIN SELECT RAISE(IGNORE); END;
        """
    case .takesTheLastOfEqualStamps:
      // A register that beats another of the same stamp never gets in.
      drop + """
        CREATE TEMP TRIGGER flaw_\(rawValue) BEFORE UPDATE OF value ON main.sync_registers
        WHEN new.stamp = old.stamp AND new.device <> old.device AND old.device = \(Self.own)
        BEGIN SELECT RAISE(IGNORE); END;
        """
    case .neverReadsItsOwnFile, .passesOverConflictCopies: ""
    }
  }
}

extension PodcastStore {
  fileprivate func install(_ script: String) throws(StoreError) { try connection.executeScript(script) }
}
