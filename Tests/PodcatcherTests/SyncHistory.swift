import Glibc
import PodcastModel
import TestSupport

@testable import PodcastStore
@testable import Podcatcher

/// One history. Its features are drawn first: nothing can save a machine whose library and whose file are both put back.
final class SyncHistory {
  enum Kind: CaseIterable {
    case plain, restores, clones, oldFiles, retirements, lateSubscriptions, wrongClocks, equalClocks
  }

  private var random: SeededGenerator
  private let clock = SyncMachine.Clock()
  private let machines: [SyncMachine]
  private var past: [Int: [String: [[UInt8]]]] = [:]
  private var backups: [Int: String] = [:]
  private let kind: Kind
  /// The folder of each machine as its last sync left it.
  private var left: [Int: [String: [UInt8]]] = [:]
  private var early: String?
  private var log: [String] = []

  init(seed: UInt64, kind: Kind? = nil, flaw: SyncFlaw? = nil) throws {
    random = SeededGenerator(seed: seed)
    let kind = kind ?? Kind.allCases.randomElement(using: &random) ?? .plain
    self.kind = kind
    let isOld = kind == .lateSubscriptions || (kind != .wrongClocks && Bool.random(using: &random))
    machines = try (0..<3).map { [clock] _ in try SyncMachine(clock, flaw: flaw, hasOldFiles: isOld) }
    if kind == .wrongClocks || (kind != .equalClocks && Bool.random(using: &random)) {
      for machine in machines where Bool.random(using: &random) {
        machine.offset = Int64.random(in: -400...400, using: &random) * 86_400_000
      }
    }
  }

  func run() async throws -> String? {
    for (index, machine) in machines.enumerated() {
      for number in 0..<2 where kind != .lateSubscriptions || number <= index { try await machine.follow(number) }
    }
    for _ in 0..<Int.random(in: 15...35, using: &random) {
      // Two machines may do something in the same millisecond.
      clock.tick(
        kind == .equalClocks ? Int64.random(in: 0...1, using: &random) : .random(in: 1...600_000, using: &random))
      try await step()
    }
    let fault = try await settle()
    for machine in machines { await machine.close() }
    return fault.map { "\($0)\n  " + log.suffix(40).joined(separator: "\n  ") }
  }

  private func step() async throws {
    let index = Int.random(in: 0..<3, using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<8: try await act(index)
    case 8..<12: try await sync(index)
    case 17...18 where kind == .restores: try await backUpOrRestore(index)
    case 12..<18: try await carry(from: index, to: (index + Int.random(in: 1...2, using: &random)) % 3)
    case 18...19 where kind == .lateSubscriptions: try await followLate(index)
    case 19 where kind == .clones: try await clone(index)
    case 19 where kind == .retirements: try await retire(index)
    default: try await sync(index)
    }
  }

  /// The feed comes with its episodes, of which others have told before.
  private func followLate(_ index: Int) async throws {
    log.append("\(index) follows all")
    for number in 0..<2 { try await machines[index].follow(number) }
  }

  // MARK: Deeds

  private func act(_ index: Int) async throws {
    let machine = machines[index]
    let all = try await machine.store.playlist()
    guard let entry = all.randomElement(using: &random) else { return }
    let id = entry.episode.id
    let deed = Int.random(in: 0..<13, using: &random)
    log.append("\(index) deed \(deed) \(entry.episode.title)")
    switch deed {
    case 0...3: try await machine.listen(to: id, until: .seconds(30 * Int.random(in: 1...100, using: &random)))
    case 4: try await machine.finish(id)
    case 5: try await machine.store.mark(Bool.random(using: &random) ? .played : .unplayed, [id])
    case 6: try await machine.store.mark(Bool.random(using: &random) ? .favourite : .unfavourite, [id])
    case 7...8: try await machine.store.enqueue([id], at: Bool.random(using: &random) ? .next : .end)
    case 9:
      if Bool.random(using: &random) {
        try await machine.store.removeFromQueue([id])
      } else {
        try await machine.store.clearQueue()
      }
    case 10:
      if let mark = try await machine.store.bookmarks(of: id).first, Bool.random(using: &random) {
        try await machine.store.removeBookmark(mark.id)
      } else {
        let position = Duration.seconds(Int.random(in: 1...3000, using: &random))
        try await machine.store.addBookmark(
          at: position, note: "mark", in: id, now: Timestamp(seconds: machine.now / 1000))
      }
    case 11:
      try await machine.store.add(tags: ["tag\(Int.random(in: 0...2, using: &random))"], to: entry.podcast.id)
      let speed = ["1.5", "2", nil].randomElement(using: &random) ?? nil
      try await machine.store.set(["speed": speed], of: entry.podcast.id)
    default:
      if Int.random(in: 0..<3, using: &random) == 0 {
        try await machine.leave(entry.podcast.id)
      } else {
        _ = try await machine.store.undo()
      }
    }
    if Bool.random(using: &random) { try await syncAlone(index) }
  }

  /// Where nothing has come from elsewhere, a sync changes nothing here: an edit wins over all that was seen.
  private func syncAlone(_ index: Int) async throws {
    let isAlone = left[index] == folder(index)
    let before = try await machines[index].picture()
    try await sync(index)
    try await sync(index)
    let after = try await machines[index].picture()
    guard isAlone, before != after, early == nil else { return }
    early = "\(index) lost its edit: \(Set(before).symmetricDifference(after).sorted().joined(separator: " | "))"
  }

  private func folder(_ index: Int) -> [String: [UInt8]] {
    let files = machines[index].names.map { ($0, machines[index].bytes($0) ?? []) }
    return Dictionary(files) { first, _ in first }
  }

  /// A machine is replaced by a new one, and its file is deleted once the others have read it.
  private func retire(_ index: Int) async throws {
    log.append("\(index) retired")
    try await sync(index)
    let gone = machines[index].names
    for other in machines.indices where other != index {
      for name in gone { try deliver(name, index, other) }
      try await sync(other)
    }
    guard let name = try await machines[index].store.syncState()["device"].map(SyncPlan.name) else { return }
    for machine in machines {
      for copy in machine.names where copy.hasPrefix(name.dropLast(6)) { machine.remove(copy) }
    }
    for index in machines.indices { past[index]?[name] = nil }
    try await machines[index].startAnew()
    for number in 0..<2 { try await machines[index].follow(number) }
    left[index] = nil
  }

  private func sync(_ index: Int) async throws {
    log.append("\(index) sync")
    try await machines[index].sync(isAsked: Bool.random(using: &random))
    for name in machines[index].names { remember(index, name) }
    left[index] = folder(index)
  }

  private func remember(_ index: Int, _ name: String) {
    guard let bytes = machines[index].bytes(name), past[index]?[name]?.last != bytes else { return }
    past[index, default: [:]][name, default: []].append(bytes)
  }

  private func backUpOrRestore(_ index: Int) async throws {
    if let file = backups[index], Bool.random(using: &random) {
      log.append("\(index) restored")
      try await machines[index].restore(file)
      left[index] = nil
    } else {
      log.append("\(index) backed up")
      let name = "backup-\(clock.time).db"
      try await machines[index].backUp(as: name)
      backups[index] = machines[index].home.path + "/" + name
    }
  }

  /// The library of one machine is copied to another, which has told everything before.
  private func clone(_ index: Int) async throws {
    let other = (index + 1) % 3
    log.append("\(index) cloned to \(other)")
    try await sync(other)
    let name = "clone-\(clock.time).db"
    try await machines[index].backUp(as: name)
    try await machines[other].restore(machines[index].home.path + "/" + name)
    left[other] = nil
  }

  // MARK: The lazy transport

  private func carry(from: Int, to: Int) async throws {
    guard let name = machines[from].names.randomElement(using: &random) else { return }
    let isOwn = try await isOwn(name, of: to)
    switch Int.random(in: 0..<10, using: &random) {
    case 0 where !isOwn:
      guard let bytes = machines[from].bytes(name) else { return }
      log.append("\(from) to \(to) torn \(name)")
      try machines[to].write(Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random))), as: name)
    case 1 where kind == .oldFiles:
      guard let bytes = past[from]?[name]?.randomElement(using: &random) else { return }
      log.append("\(from) to \(to) old \(name)")
      try machines[to].write(bytes, as: name)
    case 2:
      guard let bytes = machines[from].bytes(name) else { return }
      try machines[to].write(bytes, as: conflictName(name))
    case 3 where kind == .oldFiles && !isOwn:
      log.append("\(to) lost \(name)")
      machines[to].remove(name)
    default: try deliver(name, from, to)
    }
  }

  /// Of the device that a machine is now.
  private func isOwn(_ name: String, of index: Int) async throws -> Bool {
    try await machines[index].store.syncState()["device"].map(SyncPlan.name) == name
  }

  private func conflictName(_ name: String) -> String {
    let base = name.dropLast(6)
    return Bool.random(using: &random)
      ? "\(base).sync-conflict-20261122-\(clock.time % 1_000_000)-ABCDEFG.jsonl"
      : "\(base) (conflicted copy 2026-11-22 \(clock.time % 1_000_000)).jsonl"
  }

  /// As a program does that moves files: the newer version replaces the older one, and of two that know nothing of each
  /// other one becomes a conflict copy.
  private func deliver(_ name: String, _ from: Int, _ to: Int) throws {
    guard let bytes = machines[from].bytes(name) else { return }
    let known = machines[to].bytes(name)
    guard known != bytes else { return }
    if let known, past[to]?[name]?.contains(bytes) == true {
      // The receiver has had it: its own is newer.
      if past[from]?[name]?.contains(known) != true { return }
    }
    if let known, past[from]?[name]?.contains(known) != true, past[to]?[name]?.contains(known) == true {
      log.append("\(from) to \(to) conflict \(name)")
      try machines[to].write(bytes, as: conflictName(name))
      return
    }
    log.append("\(from) to \(to) \(name)")
    try machines[to].write(bytes, as: name)
    remember(to, name)
  }

  // MARK: The end

  /// Everything is delivered until nothing changes any more.
  private func settle() async throws -> String? {
    for _ in 0..<4 { try await syncAndDeliver() }
    if kind == .lateSubscriptions {
      for index in machines.indices { try await followLate(index) }
      for machine in machines { try await machine.sync() }
      // The files were read long ago: the parked lines alone make the libraries equal.
      if let difference = try await difference() { return difference }
      // The late subscriptions are registers that the other machines have to hear of.
      try await syncAndDeliver()
    }
    for machine in machines { try await machine.sync() }
    return try await fault()
  }

  private func syncAndDeliver() async throws {
    for index in machines.indices {
      clock.tick()
      try await sync(index)
      for other in machines.indices where other != index {
        for name in machines[index].names { try deliver(name, index, other) }
      }
    }
  }

  private func fault() async throws -> String? {
    if let early { return early }
    if let difference = try await difference() { return difference }
    return try await lost()
  }

  private func difference() async throws -> String? {
    let first = try await machines[0].picture()
    for index in 1..<3 {
      let other = try await machines[index].picture()
      if other != first {
        let difference = Set(first).symmetricDifference(other).sorted().joined(separator: " | ")
        return "0 and \(index) differ: \(difference)"
      }
      let problems = try await machines[index].store.problems(.full)
      if !problems.isEmpty { return "library \(index): \(problems)" }
    }
    return nil
  }

  private func lost() async throws -> String? {
    let counts = try await machines[0].registers()
    for machine in machines {
      for (name, told) in machine.told {
        guard let best = told.max(by: { $1.beats($0) }), let known = counts[name], !best.beats(known) else {
          return "lost: \(name) \(told.last.map { "\($0)" } ?? "") is \(counts[name].map { "\($0)" } ?? "nothing")"
        }
      }
    }
    return nil
  }
}
