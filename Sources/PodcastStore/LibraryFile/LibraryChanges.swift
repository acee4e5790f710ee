private import Dispatch
private import Glibc

/// Announces each change of the library, by this process or another.
///
/// The kernel reports a write to the file or its WAL; a connection of its own then tells whether that was a commit.
/// Nothing runs in between. Many changes at once are one.
final class LibraryChanges: @unchecked Sendable {
  // Unchecked, because a connection and a descriptor cannot be sent: everything below is touched on `queue` only,
  // once `start` was called.
  private let queue = DispatchQueue(label: "podcli.changes")
  private let path: String
  private let announce: @Sendable () -> Void
  private let rest: @Sendable () -> Duration
  private var connection: Connection?
  private var version: Int64 = 0
  private var source: (any DispatchSourceRead)?
  /// The same while it reports nothing: a source that is suspended must not go.
  private var resting: (any DispatchSourceRead)?
  private var isCheckPlanned = false
  /// Of a write after the one for which the check is planned.
  private var hasMore = false
  /// Counts the writes that are looked into.
  private var number = 0

  /// Changes count from this moment on. After each that is announced the library is left alone for as long as `rest` says
  /// then.
  init(
    path: String, announce: @escaping @Sendable () -> Void,
    rest: @escaping @Sendable () -> Duration = { .zero }
  ) throws(StoreError) {
    self.path = path
    self.announce = announce
    self.rest = rest
    let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    let events = UInt32(IN_MODIFY | IN_MOVED_TO | IN_CREATE)
    guard descriptor >= 0, inotify_add_watch(descriptor, LibraryFile(path: path).directory, events) >= 0 else {
      defer { close(descriptor) }
      throw StoreError(.cannotOpen, message: String(cString: strerror(errno)), about: path)
    }
    openConnection()
    start(descriptor)
  }

  private func start(_ descriptor: Int32) {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler { [weak self] in self?.planCheck(after: Self.drain(descriptor)) }
    source.setCancelHandler { Glibc.close(descriptor) }
    self.source = source
    source.resume()
  }

  func stop() {
    queue.async { [self] in
      number += 1
      source?.cancel()
      source = nil
      connection = nil
    }
  }

  /// The names of the files that were touched.
  private static func drain(_ descriptor: Int32) -> Set<String> {
    var names: Set<String> = []
    withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
      while case let count = read(descriptor, buffer.baseAddress, buffer.count), count > 0 {
        var offset = 0
        while offset + 16 <= count {
          let length = Int(buffer.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
          let name = buffer[(offset + 16)..<min(count, offset + 16 + length)].prefix { $0 != 0 }
          names.insert(String(decoding: name, as: UTF8.self))
          offset += 16 + length
        }
      }
    }
    return names
  }

  private func planCheck(after names: Set<String>) {
    let library = path.split(separator: "/").last.map(String.init) ?? path
    // Without a name, the kernel could not keep all that it had to report.
    guard names.contains(where: { $0 == library || $0 == library + "-wal" || $0.isEmpty }) else { return }
    if isCheckPlanned { return hasMore = true }
    isCheckPlanned = true
    number += 1
    plan(Self.delays[...], number)
  }

  /// In milliseconds. A commit can be seen only once its write has reached the disk, and the kernel does not report that.
  private static let delays = [60, 300, 1000, 5000]

  private func plan(_ delays: ArraySlice<Int>, _ number: Int) {
    guard let delay = delays.first else { return }
    queue.asyncAfter(deadline: .now() + .milliseconds(delay)) { [weak self] in
      guard let self, number == self.number else { return }
      // The commit of a later write may not be seen yet.
      let isLater = hasMore
      (isCheckPlanned, hasMore) = (false, false)
      let isChanged = check()
      if isChanged, takeRest(before: isLater) { return }
      if !isChanged || isLater { plan(delays.dropFirst(), number) }
    }
  }

  /// The kernel keeps what it has to report meanwhile, and wakes no thread for it. False without a rest. `hasMore`: of a
  /// write that was reported before.
  private func takeRest(before hasMore: Bool) -> Bool {
    guard case let rest = rest(), rest > .zero, let source else { return false }
    source.suspend()
    resting = source
    queue.asyncAfter(deadline: .now() + rest / .seconds(1)) { [self, number] in
      resting?.resume()
      resting = nil
      if hasMore, number == self.number { plan(Self.delays[...], number) }
    }
    return true
  }

  /// There may be no library yet.
  private func openConnection() {
    connection = try? Connection(path: path, mode: .readWrite)
    version = (try? connection?.dataVersion()) ?? 0
  }

  /// Whether there was a change.
  private func check() -> Bool {
    // A library that has just been created or restored is another file, and so a change.
    guard let connection, !connection.hasMoved, let current = try? connection.dataVersion() else {
      openConnection()
      announce()
      return true
    }
    guard current != version else { return false }
    version = current
    announce()
    return true
  }
}
