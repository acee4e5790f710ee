private import Glibc
internal import PodcastModel
internal import PodcastStore
internal import Transfer

/// One episode on its way: asks for what is missing, verifies. The file and its row in the library go together: a row's
/// validators are those of the bytes in the file, whenever the process may end.
struct DownloadRun {
  let tools: Downloader
  let client: HTTPClient
  let entry: EpisodeEntry
  let request: HTTPRequest
  let part: PartFile
  private(set) var row: MediaRecord
  /// The end of the file did not come with a proof that it is the end.
  private(set) var isUnproven = false

  private var map: RangeMap
  private var received: Int64 { map.count }
  /// Retries are for as long as they lead further.
  private var furthest: Int64 = 0
  private var wasRefused = false
  private var savedAt: ContinuousClock.Instant?
  private var syncedAt = ContinuousClock.now

  private static let interval = Duration.milliseconds(500)
  /// A power cut costs at most what came in this time.
  private static let syncInterval = Duration.seconds(10)
  private static let triesWithoutProgress = 5

  init(
    _ tools: Downloader, _ client: HTTPClient, _ entry: EpisodeEntry, _ request: HTTPRequest, _ part: PartFile,
    _ row: MediaRecord
  ) {
    self.tools = tools
    self.client = client
    self.entry = entry
    self.request = request
    self.part = part
    self.row = row
    map = part.present(of: row, at: request.url)
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
    if !error.leavesBytes || map.isEmpty || row.validator == nil {
      part.discard()
      row.forgetBytes()
      map = RangeMap()
    }
    await sync()
    row.state = .failed
    row.error = words
    row.received = received
    try? await tools.store.save(row)
  }

  private var isWhole: Bool { row.total.map { $0 > 0 && map.covers(0..<$0) } ?? false }

  // MARK: One question

  /// False when it has to be asked again.
  private mutating func fetch() async throws(DownloadError) -> Bool {
    // Without a validator nobody can say what the rest would be the rest of.
    if row.validator == nil { map = RangeMap() }
    let gap = map.gap(from: 0, to: row.total ?? .max) ?? 0..<Int64.max
    let isRest = !map.isEmpty
    var request = request
    if isRest, let validator = row.validator {
      request.range = ByteRange(
        from: gap.lowerBound, through: gap.upperBound < row.total ?? .max ? gap.upperBound - 1 : nil)
      request.headers.append(.init("If-Range", validator))
    }
    let stream = client.stream(request, buffering: Disk.chunk)
    defer { stream.cancel() }
    let head = try await transferring { () async throws(TransferError) in try await stream.head() }
    var place: Int64 = 0
    switch AnswerVerdict(head, asked: isRest ? gap.lowerBound : nil, known: isRest ? row.known : nil) {
    case .bytes(let first) where isRest:
      place = first
      row.total = row.total ?? head.rendition.total
    case .bytes, .anotherFile(isWhole: true): try await startOver(head)
    case .anotherFile(isWhole: false), .wrongPosition:
      try await startOver(nil)
      return false
    case .rangeRefused:
      // The whole file, then; but who breaks that off, too, would do so for ever.
      guard !wasRefused else { throw .rangeRefused }
      wasRefused = true
      try await startOver(nil)
      return false
    case .failed(let status): throw .status(status)
    }
    try checkRoom()
    let end = try await take(stream, from: place)
    try checkEnd(head, end, expected: head.status == 206 ? min(gap.upperBound, row.total ?? .max) : row.total)
    return isWhole
  }

  /// The library hears of the other file before what is here goes away, and before any of it is written: so it
  /// never vouches for the wrong bytes.
  private mutating func startOver(_ head: HTTPHead?) async throws(DownloadError) {
    map = RangeMap()
    row.forgetBytes()
    row.begin(head?.rendition ?? Rendition())
    try await save(durably: true)
    try part.cut(to: 0)
    part.note(map, of: row.rendition ?? "")
  }

  /// Returns where the answer ended.
  private mutating func take(_ stream: HTTPStream, from first: Int64) async throws(DownloadError) -> Int64 {
    var place = first
    var start: [UInt8] = []
    while let bytes = try await transferring({ () async throws(TransferError) in try await stream.next() }) {
      if place == 0 {
        start += bytes
        guard start.count >= FirstBytes.enough else { continue }
        place = try await keepStart(start)
      } else {
        place = try await keep(bytes, at: place)
      }
    }
    return place == 0 && !start.isEmpty ? try await keepStart(start) : place
  }

  private mutating func keepStart(_ bytes: [UInt8]) async throws(DownloadError) -> Int64 {
    if let fault = FirstBytes.fault(bytes) { throw .notAMedium(fault) }
    return try await keep(bytes, at: 0)
  }

  private mutating func keep(_ bytes: [UInt8], at place: Int64) async throws(DownloadError) -> Int64 {
    let end = place + Int64(bytes.count)
    guard end <= tools.limits.largest else { throw .tooLarge(limit: tools.limits.largest) }
    try part.write(bytes, at: place)
    part.letGo(from: place, upTo: end)
    map.insert(place..<end)
    part.note(map, of: row.rendition ?? "")
    if savedAt.map({ .now - $0 >= Self.interval }) ?? true {
      try checkRoom()
      if .now - syncedAt >= Self.syncInterval { await sync() }
      try await save()
    }
    return end
  }

  private mutating func sync() async {
    let isSynced = await Disk.sync(part)
    syncedAt = .now
    if isSynced { row.ranges = map.ranges }
  }

  /// Some room always stays, for the places in what is played and for everybody else.
  private func checkRoom() throws(DownloadError) {
    if let total = row.total, total > tools.limits.largest { throw .tooLarge(limit: tools.limits.largest) }
    let missing = row.total.map { max(0, $0 - received) } ?? 0
    let free = part.freeSpace
    guard free >= tools.limits.reserve, free - tools.limits.reserve >= missing else { throw .diskFull(path: part.path) }
  }

  private mutating func checkEnd(_ head: HTTPHead, _ end: Int64, expected: Int64?) throws(DownloadError) {
    guard end > 0 else { throw .empty }
    if let expected, expected < .max {
      guard end >= expected else { throw .transfer(TransferError(.cut, "\(end) of \(expected) bytes came")) }
    } else {
      row.total = end
      isUnproven = !head.marksItsEnd && entry.episode.enclosure?.length != end
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
    if tools.isAutomatic { row.isAutomatic = true } else { row.isKept = true }
    row.attempts = row.attempts < .max ? row.attempts + 1 : .max
    row.error = nil
    row.state = .downloading
    row.sourceURL = request.url
    if map.isEmpty { try await startOver(nil) } else { try await save() }
  }

  private mutating func save(durably: Bool = false) async throws(DownloadError) {
    savedAt = .now
    row.received = received
    tools.report(.progress(entry, received: received, total: row.total))
    try await store(row, durably: durably)
  }

  private mutating func finish() async throws(DownloadError) -> Int64 {
    let size = received
    try await Disk.finish(part)
    row.complete(size)
    tools.report(.progress(entry, received: size, total: size))
    try await store(row)
    return size
  }

  private func store(_ row: MediaRecord, durably: Bool = false) async throws(DownloadError) {
    do throws(StoreError) {
      try await tools.store.save(row, durably: durably)
    } catch {
      throw .store(error)
    }
  }
}
