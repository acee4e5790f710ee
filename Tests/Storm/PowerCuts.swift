private import CPowerCut
private import Glibc
internal import PodcastModel
internal import PodcastStore
internal import TestSupport

/// P8: records all writes of a session with a library, then simulates a power failure at many moments of the recording:
/// synced writes are kept, and each sector of the others may be lost. Each time the library must be intact, contain every
/// acknowledged user action, and lack at most five seconds of the position.
struct PowerCuts {
  let amount: Amount
  private let scratch = Scratch()

  init(_ amount: Amount) { self.amount = amount }

  func run() async throws {
    defer { scratch.remove() }
    let disk = try await record()
    var random = SeededGenerator(seed: 2)
    var lost: [Int64: Int] = [:]
    for _ in amount.begin() {
      let moment = Int.random(in: 0...powercut_count(), using: &random)
      var played = disk
      while played.next < moment { played.play() }
      let after = Scratch()
      played.writeRemains(to: after, &random)
      lost[try await check(after, played.promise, moment), default: 0] += 1
      after.remove()
    }
    let cuts = lost.values.reduce(0, +)
    let losses = lost.sorted { $0.key < $1.key }.map { "\($0.key) s: \($0.value)" }.joined(separator: ", ")
    print("\(cuts) power cuts in \(powercut_count()) writes and syncs: every library whole, no action lost;")
    print("positions lost: \(losses)")
  }

  // MARK: Use

  private enum Note: Int64 { case position = 1, marked, played }

  private func record() async throws -> Disk {
    do {
      let store = try PodcastStore(path: scratch.library)
      _ = try await store.subscribe(to: .edition(0, of: 0, episodes: 100), at: Feed.address(of: 0))
      await store.close()
      // The WAL exists from here on; a crash while a library is created loses nothing.
      await (try PodcastStore(path: scratch.library)).close()
    }
    let disk = Disk(directory: scratch.directory, names: ["library.db", "library.db-wal"])
    powercut_start(scratch.directory)
    let store = try PodcastStore(path: scratch.library)
    try await use(store)
    await store.close()
    powercut_stop()
    return disk
  }

  private func use(_ store: PodcastStore) async throws {
    let ids = try await store.playlist().map(\.episode.id)
    guard let player = ids.last else { return }
    try await store.startPlaying(player)
    var second: Int64 = 0
    for step in 0..<90 {
      for _ in 0..<7 {
        second += 1
        try await store.savePosition(.seconds(second), of: player, urgency: .tick)
        powercut_note(Note.position.rawValue, second)
      }
      try await store.mark(.favourite, [ids[step]])
      powercut_note(Note.marked.rawValue, ids[step].rawValue)
      if step % 10 == 3 {
        _ = try await store.subscribe(to: .edition(step, of: 0, episodes: 100), at: Feed.address(of: 0))
        try await store.indexForSearch()
      }
    }
  }

  // MARK: Afterwards

  /// Returns how many seconds of the position are lost.
  private func check(_ after: Scratch, _ promise: Disk.Promise, _ moment: Int) async throws -> Int64 {
    let store = try PodcastStore(path: after.library)
    let problems = try await store.problems(.full)
    if !problems.isEmpty { stop("cut at \(moment): \(problems)") }
    let entries = try await store.playlist()
    let favourites = Set(entries.filter(\.isFavourite).map(\.episode.id.rawValue))
    if !promise.marked.isSubset(of: favourites) { stop("cut at \(moment): a mark is lost") }
    let position = try await store.current()?.status.lastListenTime?.inMilliseconds ?? 0
    let lost = max(0, promise.position - position / 1000)
    if lost > 5 { stop("cut at \(moment): \(lost) s of the position are lost") }
    await store.close()
    return lost
  }

  /// The disk at some moment of the recording.
  private struct Disk {
    struct Promise {
      var position: Int64 = 0
      var marked: Set<Int64> = []
    }

    private struct File {
      var name: String
      var durable: [UInt8]
      var pending: [powercut_event] = []
    }

    private(set) var next = 0
    private(set) var promise = Promise()
    private var files: [File]

    init(directory: String, names: [String]) {
      files = names.map { File(name: $0, durable: Self.read(directory + "/" + $0)) }
    }

    mutating func play() {
      let event = powercut_at(next)
      next += 1
      if event.kind == POWERCUT_NOTE { return note(event) }
      let name = String(cString: powercut_file(Int(event.file)))
      guard let index = files.firstIndex(where: { $0.name == name }) else { return }
      guard event.kind == POWERCUT_SYNC else { return files[index].pending.append(event) }
      for event in files[index].pending { Self.apply(event, to: &files[index].durable) }
      files[index].pending = []
    }

    private mutating func note(_ event: powercut_event) {
      switch Note(rawValue: event.file) {
      case .position: promise.position = event.offset
      case .marked: promise.marked.insert(event.offset)
      case .played, nil: break
      }
    }

    /// Writes the files with a random choice of the sectors and changes of length that were not synced.
    func writeRemains(to scratch: Scratch, _ random: inout SeededGenerator) {
      // The share of unsynced sectors that reached the disk.
      let share = Double.random(in: 0...1, using: &random)
      for file in files {
        var bytes = file.durable
        for event in file.pending { Self.applyPartly(event, to: &bytes, share, &random) }
        Self.write(bytes, to: scratch.directory + "/" + file.name)
      }
    }

    private static func apply(_ event: powercut_event, to bytes: inout [UInt8]) {
      let offset = Int(event.offset)
      if event.kind == POWERCUT_TRUNCATE {
        bytes = Array(bytes.prefix(offset)) + [UInt8](repeating: 0, count: max(0, offset - bytes.count))
      } else {
        put(UnsafeBufferPointer(start: event.bytes, count: event.length), at: offset, in: &bytes)
      }
    }

    private static func applyPartly(
      _ event: powercut_event, to bytes: inout [UInt8], _ share: Double, _ random: inout SeededGenerator
    ) {
      guard event.kind == POWERCUT_WRITE else {
        if Double.random(in: 0..<1, using: &random) < share { apply(event, to: &bytes) }
        return
      }
      let data = UnsafeBufferPointer(start: event.bytes, count: event.length)
      var start = 0
      while start < event.length {
        // The next sector boundary.
        let end = min(event.length, start + 512 - (Int(event.offset) + start) % 512)
        if Double.random(in: 0..<1, using: &random) < share {
          put(UnsafeBufferPointer(rebasing: data[start..<end]), at: Int(event.offset) + start, in: &bytes)
        }
        start = end
      }
    }

    private static func put(_ data: UnsafeBufferPointer<UInt8>, at offset: Int, in bytes: inout [UInt8]) {
      let end = offset + data.count
      if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
      bytes.replaceSubrange(offset..<end, with: data)
    }

    private static func read(_ path: String) -> [UInt8] {
      guard let file = fopen(path, "r") else { return [] }
      defer { fclose(file) }
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 65_536)
      while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
      return bytes
    }

    private static func write(_ bytes: [UInt8], to path: String) {
      guard let file = fopen(path, "w") else { stop("cannot write \(path)") }
      fwrite(bytes, 1, bytes.count, file)
      fclose(file)
    }
  }
}
