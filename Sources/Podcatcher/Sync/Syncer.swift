internal import Glibc
internal import PodcastModel
package import PodcastStore
private import Synchronization

/// Keeps this library in step with other machines:
///
/// - `run`: a sync that was asked for, with its outcome
/// - `runQuietly`: one that follows a change by itself; it neither fails nor takes long
/// - `catchUp`: one before a list
/// - `setFolder`, `forget`: which folder, and which machines
/// - `claim`: whose state counts after a restore
/// - `status`: how it is set and how it went
package struct Syncer: Sendable {
  private let store: PodcastStore
  private let data: String
  private let isAutomatic: Bool
  private let server: ServerSync?

  init(store: PodcastStore, data: String, settings: Settings, server: ServerSync? = nil) {
    self.store = store
    self.server = server
    self.data = data
    isAutomatic = settings[SettingKeys.sync] == .auto
  }

  private init(store: PodcastStore, data: String, isAutomatic: Bool) {
    (self.store, self.data, self.isAutomatic, server) = (store, data, isAutomatic, nil)
  }

  private var folder: FolderSync {
    FolderSync(store, data: data) { [data] in Sharing.rules(in: data) }
  }

  // MARK: Syncing

  /// Syncs with the folder now.
  package func run() async throws(SyncError) -> SyncReport { try await attempt(isAsked: true) }

  private func attempt(isAsked: Bool) async throws(SyncError) -> SyncReport {
    do throws(SyncError) {
      let report = try await folder.run(isAsked: isAsked)
      await note(report)
      return report
    } catch {
      await note(error)
      throw error
    }
  }

  /// Syncs where that is set and nothing keeps it from it. The caller waits no longer than `limit`; a sync that is broken
  /// off is completed by the next one. `withServer`: also with the server, which takes longer than a folder. Returns how
  /// many podcasts came, whose episodes have yet to be fetched.
  @discardableResult
  package func runQuietly(atMost limit: Duration = .seconds(2), withServer: Bool = false) async -> Int {
    guard let state = try? await store.syncState() else { return 0 }
    let hasFolder = state[SyncState.folder] != nil
    let hasServer = state[ServerValue.base] != nil
    let server = withServer && hasServer ? server : nil
    guard isAutomatic, hasFolder || server != nil else {
      if hasFolder || hasServer, state["changed"] != "0" { await Self.wait(atMost: limit) { await stampChanges() } }
      return 0
    }
    let added = Mutex(0)
    await Self.wait(atMost: limit) {
      if hasFolder, let report = try? await attempt(isAsked: false) { added.withLock { $0 = report.added.count } }
      await server?.runQuietly()
      // News of the server are news for the folder.
      if hasFolder, server != nil { _ = try? await attempt(isAsked: false) }
    }
    return added.withLock(\.self)
  }

  /// A later sync shares these changes under the time at which they were made: what was heard elsewhere meanwhile counts more.
  private func stampChanges() async { _ = try? await store.sync(by: Sharing.rules(in: data)) }

  /// Before a list, whose library cannot be written: reads what other machines have written since the last sync, in a
  /// library that `open` opens. Nothing new costs a look at the names of the files. Returns the same as `runQuietly`.
  package func catchUp(_ open: @escaping @Sendable () throws(StoreError) -> PodcastStore) async -> Int {
    guard isAutomatic else { return 0 }
    let added = Mutex(0)
    await Self.wait(atMost: .seconds(1)) {
      guard await folder.hasNews(), let store = try? open() else { return }
      let syncer = Syncer(store: store, data: data, isAutomatic: isAutomatic)
      if let report = try? await syncer.attempt(isAsked: false) { added.withLock { $0 = report.added.count } }
      await store.close()
    }
    return added.withLock(\.self)
  }

  private static func wait(atMost limit: Duration, for work: @escaping @Sendable () async -> Void) async {
    let (stream, end) = AsyncStream.makeStream(of: Void.self)
    let sleeper = Task {
      try? await Task.sleep(for: limit)
      end.finish()
    }
    Task {
      await work()
      end.finish()
    }
    for await _ in stream {}
    sleeper.cancel()
  }

  // MARK: The log

  /// Only news: most syncs find nothing.
  private func note(_ report: SyncReport) async {
    if (try? await store.syncState()[SyncState.error]) != nil {
      try? await store.setSyncState([SyncState.error: nil])
    }
    guard report.merged + report.written + report.added.count > 0 || report.hasNewDevice else { return }
    var words = ["\(report.merged) in", "\(report.written) out"]
    if !report.added.isEmpty { words.append("podcasts: \(report.added.count)") }
    if report.hasNewDevice { words.append("new device id") }
    try? await store.logSync(words.joined(separator: ", "), of: "folder")
  }

  private func note(_ error: SyncError) async {
    guard let text = error.text, (try? await store.syncState()[SyncState.error]) != text else { return }
    try? await store.setSyncState([SyncState.error: text])
    try? await store.logSync(text, of: "folder")
  }

  // MARK: Settings

  /// Shares the library through this folder from now on; nil ends that. What other machines brought stays.
  package func setFolder(_ path: String?, label: String? = nil) async throws(SyncError) {
    let path = path.map { realpath($0, nil).map(Self.text) ?? $0 }
    if let path { try SyncFolder(path: path).make() }
    do throws(StoreError) {
      var state: [String: String?] = [SyncState.folder: path, SyncState.error: nil]
      // Its name is told with the next line.
      if let label { for (key, value) in [(SyncState.label, label), (SyncState.seen, "")] { state[key] = value } }
      if path != (try await store.syncState()[SyncState.folder]) {
        try await store.leaveFolder()
        state[SyncState.claim] = .some(nil)
      }
      try await store.setSyncState(state)
    } catch {
      throw .store(error)
    }
  }

  private static func text(_ path: UnsafeMutablePointer<CChar>) -> String {
    defer { free(path) }
    return String(cString: path)
  }

  /// Removes the file of another device, by its id or name. What only that file said, others say from now on.
  package func forget(_ name: String) async throws(SyncError) -> SyncDevice {
    let status = try await status()
    guard let path = status.folder else { throw .notSet }
    let found = status.devices.filter { $0.id == name || ($0.label == name && !$0.isThisOne) }
    guard let device = found.first else {
      throw status.devices.contains { $0.label == name } ? .ownDevice : .noSuchDevice(name)
    }
    guard found.count == 1 else { throw .severalDevices(name) }
    guard !device.isThisOne else { throw .ownDevice }
    _ = try await run()
    for file in device.files { try SyncFolder(path: path).remove(file) }
    _ = try await run()
    return device
  }

  /// Lets this library's state win everywhere at the next sync.
  package func claim() async throws(SyncError) {
    do throws(StoreError) {
      let state = try await store.syncState()
      // Clocks differ a little, and marks of the same second get times of later ones.
      let now = String((Timestamp.now.seconds + 60) * 1000)
      var claims: [String: String?] = [:]
      if state[SyncState.folder] != nil { claims[SyncState.claim] = now }
      if state[ServerValue.base] != nil { for claim in ServerValue.claims { claims[claim] = now } }
      try await store.claimRegisters(by: Sharing.rules(in: data), setting: claims)
    } catch {
      throw .store(error)
    }
  }

  // MARK: Looking

  package func status() async throws(SyncError) -> SyncStatus {
    do throws(StoreError) {
      let state = try await store.syncState()
      let files = try await store.syncFiles()
      var status = SyncStatus()
      status.folder = state[SyncState.folder]
      status.device = state["device"]
      status.isAutomatic = isAutomatic
      status.lastSync = state[SyncState.lastSync].flatMap { Int64($0) }.map(Timestamp.init(seconds:))
      status.error = state[SyncState.error].flatMap(SyncError.init(text:))
      status.hasChanges = status.folder == nil ? false : try await store.hasChangesToSync()
      (status.hidden, status.parked) = try await store.syncCounts(Sharing.rules(in: data))
      status.problems = files.filter { $0.problem != nil || $0.passedOver > 0 }
      status.devices = Self.devices(files, own: status.device)
      return status
    } catch {
      throw .store(error)
    }
  }

  private static func devices(_ files: [SyncFile], own: String?) -> [SyncDevice] {
    Dictionary(grouping: files.filter { !$0.device.isEmpty }, by: \.device).map { id, files in
      let latest = files.max { ($0.seen ?? "") < ($1.seen ?? "") }
      return SyncDevice(
        id: id, label: latest?.label, seen: latest?.seen, isThisOne: id == own, files: files.map(\.name))
    }.sorted { ($0.isThisOne ? 0 : 1, $0.label ?? "", $0.id) < ($1.isThisOne ? 0 : 1, $1.label ?? "", $1.id) }
  }

}
