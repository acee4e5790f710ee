private import Glibc
internal import PodcastModel
internal import PodcastStore
internal import Transfer

/// One episode on its way: asks, continues, verifies. The file and its row in the library go together: a row's
/// validators are those of the bytes in the file, whenever the process may end.
struct DownloadRun {
  let tools: Downloader
  let client: HTTPClient
  let entry: EpisodeEntry
  let request: HTTPRequest
  let part: PartFile
  private(set) var row: StoredMedium
  /// The end of the file did not come with a proof that it is the end.
  private(set) var isUnproven = false

  private var received: Int64
  /// Retries are for as long as they lead further.
  private var furthest: Int64 = 0
  private var savedAt: ContinuousClock.Instant?

  private static let interval = Duration.milliseconds(500)
  private static let triesWithoutProgress = 5

  init(
    _ tools: Downloader, _ client: HTTPClient, _ entry: EpisodeEntry, _ request: HTTPRequest, _ part: PartFile,
    _ row: StoredMedium
  ) {
    self.tools = tools
    self.client = client
    self.entry = entry
    self.request = request
    self.part = part
    self.row = row
    // Only what is known to be of the same file may be continued.
    received = row.sourceURL == request.url && row.validator != nil ? part.size : 0
    if let total = row.total, received > total { received = 0 }
  }

  /// The bytes of the finished file.
  mutating func run() async throws(DownloadError) -> Int64 {
    try await beginRow()
    var tries = 0
    while !isWhole {
      do throws(DownloadError) {
        if try await fetch() { break }
      } catch {
        tries = received > furthest ? 0 : tries + 1
        let hasBegun = received > 0
        furthest = max(furthest, received)
        guard error.mayPass, hasBegun, tries < Self.triesWithoutProgress else { throw error }
        try? await Task.sleep(for: .milliseconds(250 << tries))
      }
    }
    return try await finish()
  }

  /// Keeps what can be continued, and nothing else.
  mutating func giveUp(_ error: DownloadError, words: String) async {
    if !error.leavesBytes || received == 0 || row.validator == nil {
      part.discard()
      row.forgetBytes()
      received = 0
    }
    row.state = .failed
    row.error = words
    row.received = received
    try? await tools.store.save(row)
  }

  private var isWhole: Bool { received > 0 && received == row.total }

  // MARK: One question

  /// False when it has to be asked again.
  private mutating func fetch() async throws(DownloadError) -> Bool {
    var request = request
    var asked: Int64?
    if received > 0, let validator = row.validator {
      asked = received
      request.range = ByteRange(from: received)
      request.headers.append(.init("If-Range", validator))
    }
    let stream = client.stream(request)
    defer { stream.cancel() }
    let head = try await transferring { () async throws(TransferError) in try await stream.head() }
    switch DownloadVerdict(head, asked: asked, total: row.total, etag: row.etag) {
    case .append: row.total = row.total ?? head.totalSize
    case .fromTheStart: try await startOver(head)
    case .askForAll:
      try await startOver(nil)
      return false
    case .rangeRefused: throw .rangeRefused
    case .failed(let status): throw .status(status)
    }
    try checkRoom()
    try await take(stream)
    try checkEnd(head)
    return true
  }

  /// What is here goes away before the library hears of another file, so that it never vouches for the wrong bytes.
  private mutating func startOver(_ head: HTTPHead?) async throws(DownloadError) {
    try part.cut(to: 0)
    received = 0
    row.forgetBytes()
    row.total = head?.length
    if let head, !head.isEncoded {
      row.etag = head.strongTag
      row.lastModified = head["last-modified"]
    }
    try await save()
  }

  private mutating func take(_ stream: HTTPStream) async throws(DownloadError) {
    var start: [UInt8] = []
    while let bytes = try await transferring({ () async throws(TransferError) in try await stream.next() }) {
      if received == 0 {
        start += bytes
        guard start.count >= FirstBytes.enough else { continue }
        try await keepStart(start)
      } else {
        try await keep(bytes)
      }
    }
    if received == 0, !start.isEmpty { try await keepStart(start) }
  }

  private mutating func keepStart(_ bytes: [UInt8]) async throws(DownloadError) {
    if let fault = FirstBytes.fault(bytes) { throw .notAMedium(fault) }
    try await keep(bytes)
  }

  private mutating func keep(_ bytes: [UInt8]) async throws(DownloadError) {
    guard received + Int64(bytes.count) <= tools.limits.largest else {
      throw .tooLarge(limit: tools.limits.largest)
    }
    do throws(DownloadError) {
      try part.write(bytes, at: received)
    } catch {
      try? part.cut(to: received)
      throw error
    }
    received += Int64(bytes.count)
    if savedAt.map({ .now - $0 >= Self.interval }) ?? true {
      try checkRoom()
      try await save()
    }
  }

  /// Some room always stays, for the places in what is played and for everybody else.
  private func checkRoom() throws(DownloadError) {
    if let total = row.total, total > tools.limits.largest { throw .tooLarge(limit: tools.limits.largest) }
    let missing = row.total.map { max(0, $0 - received) } ?? 0
    let free = part.freeSpace
    guard free >= tools.limits.reserve, free - tools.limits.reserve >= missing else { throw .diskFull(path: part.path) }
  }

  private mutating func checkEnd(_ head: HTTPHead) throws(DownloadError) {
    guard received > 0 else { throw .empty }
    if let total = row.total {
      guard received == total else { throw .transfer(TransferError(.cut, "\(received) of \(total) bytes came")) }
    } else {
      isUnproven = !head.marksItsEnd && entry.episode.enclosure?.length != received
    }
  }

  private func transferring<Value: Sendable>(
    _ body: () async throws(TransferError) -> Value
  ) async throws(DownloadError) -> Value {
    do {
      return try await body()
    } catch {
      throw error.code == .tooLarge ? .tooLarge(limit: tools.limits.largest) : .transfer(error)
    }
  }

  // MARK: The library

  private mutating func beginRow() async throws(DownloadError) {
    row.path = part.path
    row.isKept = true
    row.attempts = row.attempts < .max ? row.attempts + 1 : .max
    row.error = nil
    if received == 0 {
      try part.cut(to: 0)
      row.forgetBytes()
    }
    row.state = .downloading
    row.sourceURL = request.url
    try await save()
  }

  private mutating func save() async throws(DownloadError) {
    savedAt = .now
    row.received = received
    tools.report(.progress(entry, received: received, total: row.total))
    try await store(row)
  }

  private mutating func finish() async throws(DownloadError) -> Int64 {
    try part.finish()
    row.state = .complete
    row.received = received
    row.total = received
    row.completedAt = .now
    tools.report(.progress(entry, received: received, total: received))
    try await store(row)
    return received
  }

  private func store(_ row: StoredMedium) async throws(DownloadError) {
    do throws(StoreError) {
      try await tools.store.save(row)
    } catch {
      throw .store(error)
    }
  }
}

extension StoredMedium {
  /// What `If-Range` may carry.
  fileprivate var validator: String? { etag ?? lastModified }

  fileprivate mutating func forgetBytes() {
    received = 0
    total = nil
    etag = nil
    lastModified = nil
  }
}
