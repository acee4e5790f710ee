private import Glibc
internal import PodcastModel
internal import PodcastStore
internal import System

/// A sync through a folder: what was done here is stamped, what the others wrote is merged, and what is new goes into this
/// device's file. Waiting for a disk never blocks the cooperative pool.
actor FolderSync {
  private let store: PodcastStore
  private let data: String
  private let rules: @Sendable () -> SyncRules
  private nonisolated let executor = StoreExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ store: PodcastStore, data: String, rules: @escaping @Sendable () -> SyncRules) {
    self.store = store
    self.data = data
    self.rules = rules
  }

  /// `isAsked`: by a command, which also tells the others that this device was here.
  func run(isAsked: Bool) async throws(SyncError) -> SyncReport {
    let folder = Paths.libraryFolder(in: data)
    guard let lock = FileLock(path: folder + "/sync.lock", patience: isAsked ? .seconds(10) : .zero) else {
      throw access(folder, W_OK) == 0 ? .busy : .store(StoreError(.readOnly, message: "read-only", about: folder))
    }
    defer { withExtendedLifetime(lock) {} }
    do {
      return try await run(isAsked)
    } catch let error as SyncError {
      throw error
    } catch let error as StoreError {
      throw .store(error)
    } catch {
      throw .folderFailed(path: "", reason: "\(error)")
    }
  }

  /// The file of another machine has changed, came or went since the last sync.
  func hasNews() async -> Bool {
    guard let state = try? await store.syncState(), let path = state[SyncState.folder],
      let entries = try? SyncFolder(path: path).entries(), let known = try? await store.syncFiles()
    else { return false }
    let own = SyncPlan.name(of: state["device"] ?? "")
    return !SyncPlan.isUnchanged(entries.filter { $0.name != own }, known: known.filter { $0.name != own })
  }

  private func run(_ isAsked: Bool) async throws -> SyncReport {
    let state = try await store.syncState()
    guard let path = state[SyncState.folder] else { throw SyncError.notSet }
    let folder = SyncFolder(path: path)
    guard folder.isThere else {
      // The time of what was done is known today, but not when the folder comes back.
      if try await store.hasChangesToSync() { _ = try await store.sync(by: rules()) }
      throw SyncError.folderMissing(path: path)
    }
    let entries = try folder.entries()
    let known = try await store.syncFiles()
    let isRead = SyncPlan.isUnchanged(entries, known: known) && Self.isUpToDate(state)
    let awaitsPlayer = try await store.awaitsPlayer() && rules().held == nil
    if !isAsked, isRead, !awaitsPlayer, try await !store.hasChangesToSync() { return SyncReport() }
    return try await exchange(folder, entries, known, state, isAsked)
  }

  private func exchange(
    _ folder: SyncFolder, _ entries: [SyncFolder.Entry], _ known: [SyncFile], _ state: [String: String],
    _ isAsked: Bool
  ) async throws -> SyncReport {
    let rules = rules()
    let own = state["device"] ?? ""
    let isUpToDate = Self.isUpToDate(state)
    let known = isUpToDate ? known : known.map(\.unread)
    var plan = SyncPlan(
      folder, entries, known: known, own: own, left: OwnFile(state), readsOwn: !isUpToDate)
    var input = SyncInput()
    input.groups = plan.groups()
    input.files = plan.files
    input.isOwnFileAsLeft = !isUpToDate && plan.isOwnAsLeft && plan.conflictCopies.isEmpty
    input.claimKey = SyncState.claim
    input.state = [
      SyncState.reader: SyncState.currentReader,
      SyncState.buriedRead: state[SyncState.buried],
    ]
    let outcome = try await store.sync(input, by: rules)
    var report = SyncReport(outcome, plan.files.filter { $0.device != outcome.device })
    let isWhole =
      !plan.isOwnAsLeft || outcome.hasNewDevice || own != outcome.device || outcome.mustRewrite
      || OwnFile(state).isWorthCompacting
    report.written = try await write(outcome.device, isWhole: isWhole, folder, state, rules, isAsked)
    try? await store.setSyncState([SyncState.lastSync: String(rules.now / 1000)])
    if !outcome.hasNewDevice {
      for name in plan.conflictCopies { try folder.remove(name) }
    }
    return report
  }

  /// After an upgrade, and after a podcast was deleted, there may be more to read in the same files.
  private static func isUpToDate(_ state: [String: String]) -> Bool {
    state[SyncState.reader] == SyncState.currentReader && state[SyncState.buriedRead] == state[SyncState.buried]
  }

  // MARK: Writing

  /// The library knows what it will write before it writes it, and that it was written afterwards: a crash in between
  /// repeats lines, and loses none.
  private func write(
    _ device: String, isWhole: Bool, _ folder: SyncFolder, _ state: [String: String], _ rules: SyncRules,
    _ isAsked: Bool
  ) async throws -> Int {
    let mark = try await store.unwrittenMark()
    var lines = try await store.linesToWrite(all: isWhole, device: device, rules)
    let day = String(Timestamp(seconds: rules.now / 1000).description.prefix(10))
    let isIntroduced = !isWhole && state[SyncState.seen] == day
    guard isWhole || !lines.isEmpty || (isAsked && !isIntroduced) else { return 0 }
    let label = state[SyncState.label] ?? Self.hostName
    let introduction = isIntroduced ? "" : SyncFileText.introduction(label, day: day, now: rules.now)
    let name = SyncPlan.name(of: device)
    var left = OwnFile(state)
    var isWritten = false
    if !isWhole {
      let bytes = Array(introduction.utf8) + SyncFileText.bytes(lines, of: device)
      isWritten = try folder.append(bytes, to: name, ofSize: left.size)
      left.append(bytes)
    }
    if !isWritten {
      lines = try await store.linesToWrite(all: true, device: device, rules)
      let head = SyncFileText.header(of: device) + SyncFileText.introduction(label, day: day, now: rules.now)
      let bytes = Array(head.utf8) + SyncFileText.bytes(lines, of: device)
      try folder.replace(name, with: bytes)
      left = .whole(bytes)
    }
    var file = SyncFile(name: name, device: device, signature: "")
    (file.label, file.seen) = (label, day)
    try await store.setWritten(
      by: device, mark, isWhole: isWhole || !isWritten, ["own-file": left.text, SyncState.seen: day], file)
    return lines.reduce(0) { $0 + $1.registers.count }
  }

  private static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "a machine" }
    let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return text.isEmpty ? "a machine" : String(text.prefix(40))
  }
}

extension SyncFile {
  /// To be read again.
  fileprivate var unread: SyncFile {
    var file = self
    file.signature = ""
    return file
  }
}
