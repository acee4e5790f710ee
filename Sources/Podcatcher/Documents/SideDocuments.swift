private import FeedKit
package import PodcastModel
package import PodcastStore
internal import System
internal import Transfer

/// The journey that brings chapters and transcripts: from the library, else from the address in the feed, and then kept.
package struct SideDocuments: Sendable {
  private let store: PodcastStore
  private let secrets: Secrets
  private let client: @Sendable () throws(TransferError) -> HTTPClient
  /// In bytes: a transcript of a day is shorter.
  private static let largest = 32 << 20
  private static let limits = TransferLimits(
    connect: .seconds(10), stall: .seconds(12), total: .seconds(120), bytes: Int64(largest))

  init(
    store: PodcastStore, secrets: Secrets, client: @escaping @Sendable () throws(TransferError) -> HTTPClient
  ) {
    self.store = store
    self.secrets = secrets
    self.client = client
  }

  /// The chapters of an episode; without a chapters document, those inside its media file, or else written in its notes.
  /// Those of a document that the feed links no longer stay where the one that it links now cannot be read.
  package func chapters(of id: EpisodeID) async throws(SideDocumentError) -> [Chapter] {
    guard let details = try await details(id) else { return [] }
    var kept = details.chapters
    guard kept.allSatisfy(\.isEmbedded) || details.areChaptersFormer else { return kept }
    var failure: SideDocumentError?
    if let link = details.chaptersLink {
      do throws(SideDocumentError) {
        let linked = try await fetchChapters(from: link, of: id, within: kept.isEmpty ? nil : .seconds(3))
        if !linked.isEmpty { return linked }
        if details.areChaptersFormer { kept = [] }
      } catch {
        if case .store = error { throw error }
        failure = error
      }
    }
    guard kept.isEmpty else { return kept }
    let embedded = await MediaFileChapters.chapters(inFileOf: details.entry) ?? []
    await keep(embedded: embedded, of: id)
    let others = embedded.isEmpty ? Self.chapters(inNotesOf: details) : embedded
    if others.isEmpty, let failure { throw failure }
    return others
  }

  /// Keeps the chapters of a media file that is new here.
  private func keepEmbedded(of id: EpisodeID) async {
    guard let details = try? await details(id), details.chapters.allSatisfy(\.isEmbedded),
      let embedded = await MediaFileChapters.chapters(inFileOf: details.entry)
    else { return }
    await keep(embedded: embedded, of: id)
  }

  /// Fetches the document even where chapters are kept already.
  func fetchChapters(
    from link: ChaptersLink, of id: EpisodeID, within patience: Duration? = nil
  ) async throws(SideDocumentError) -> [Chapter] {
    let document = try await fetch(link.url, of: id, within: patience)
    guard let chapters = ChapterFile.chapters(in: document.bytes, baseURL: document.address) else {
      throw .unreadable(link.url)
    }
    try await keep { store throws(StoreError) in
      // An empty document takes away only those of a document: the feed's own and those of the media file stay.
      let details = chapters.isEmpty ? try await store.details(of: id) : nil
      if chapters.isEmpty, details?.chaptersSource == nil { return }
      try await store.setChapters(chapters, of: id, from: link.url)
    }
    return chapters
  }

  /// Keeps the chapters of the media file, for lists and search, in place of those of another file. The feed's
  /// own and those of a document stay.
  func keep(embedded chapters: [Chapter], of id: EpisodeID) async {
    guard let kept = try? await store.details(of: id)?.chapters else { return }
    guard kept.allSatisfy(\.isEmbedded), !Self.areSame(kept, chapters) else { return }
    try? await store.setChapters(chapters, of: id)
  }

  /// The library keeps milliseconds.
  private static func areSame(_ some: [Chapter], _ others: [Chapter]) -> Bool {
    some.elementsEqual(others) { $0.title == $1.title && abs($0.start - $1.start) < 0.002 }
  }

  /// The transcript of an episode; empty where the feed links none, and none was made here. One that the feed links now
  /// goes before one that it linked before, or that was made here.
  package func transcript(of id: EpisodeID) async throws(SideDocumentError) -> [TranscriptSegment] {
    let kept = try await read { store throws(StoreError) in try await store.transcript(of: id) }
    guard let details = try await details(id), !details.transcripts.isEmpty else { return kept }
    let links = Self.bestFirst(details.transcripts)
    if kept.isEmpty { return try await fetchTranscript(fromAnyOf: links, of: id) }
    guard details.isTranscriptFormer else { return kept }
    return (try? await fetchTranscript(fromAnyOf: links, of: id, within: .seconds(10))) ?? kept
  }

  /// The first that is there; the failure of the best one where none is.
  private func fetchTranscript(
    fromAnyOf links: [TranscriptLink], of id: EpisodeID, within patience: Duration? = nil
  ) async throws(SideDocumentError) -> [TranscriptSegment] {
    var failure: SideDocumentError?
    for link in links.prefix(Self.mostTried) {
      do throws(SideDocumentError) {
        return try await fetchTranscript(from: link, of: id, within: patience)
      } catch {
        failure = failure ?? error
        guard error.isOfDocument else { break }
      }
    }
    if let failure { throw failure }
    return []
  }

  private static let mostTried = 4

  private func fetchTranscript(
    from link: TranscriptLink, of id: EpisodeID, within patience: Duration?
  ) async throws(SideDocumentError) -> [TranscriptSegment] {
    let document = try await fetch(link.url, of: id, within: patience)
    let segments = Transcript.segments(in: document.bytes, type: link.type ?? document.type)
    guard !segments.isEmpty, !Self.isPage(document.bytes, insteadOf: link) else { throw .unreadable(link.url) }
    try await keep { store throws(StoreError) in try await store.setTranscript(segments, of: id, from: link.url) }
    return segments
  }

  /// A web page where captions were promised: a login or an error page, which would be kept and searched for ever.
  private static func isPage(_ body: [UInt8], insteadOf link: TranscriptLink) -> Bool {
    let (type, path) = (link.type?.lowercased() ?? "", link.url.prefix { $0 != "?" }.lowercased())
    let isCaptions = ["json", "vtt", "srt", "subrip"].contains { type.contains($0) || path.hasSuffix("." + $0) }
    let start = String(decoding: body.prefix(1024), as: UTF8.self).lowercased().drop(while: \.isWhitespace)
    return isCaptions && (start.hasPrefix("<!doctype") || start.hasPrefix("<html"))
  }

  /// Fetches both where the feed links to them and the library has none yet, so that they can be searched and read
  /// offline. Errors are ignored: both are fetched again on demand. `new`: those of them whose media files are new here.
  package func keep(for ids: [EpisodeID], new: Set<EpisodeID>) async {
    await withTaskGroup(of: Void.self) { group in
      for (number, id) in ids.enumerated() {
        if number >= Self.atATime { await group.next() }
        group.addTask {
          if new.contains(id) { await keepEmbedded(of: id) }
          await keepLinkedChapters(of: id)
          _ = try? await transcript(of: id)
        }
      }
    }
  }

  private func keepLinkedChapters(of id: EpisodeID) async {
    guard let details = try? await details(id), let link = details.chaptersLink,
      details.chapters.allSatisfy(\.isEmbedded) || details.areChaptersFormer
    else { return }
    _ = try? await fetchChapters(from: link, of: id)
  }

  private static let atATime = 4

  // MARK: Documents on this machine

  /// Parses a chapters document.
  package static func chapters(in document: [UInt8]) -> [Chapter]? { ChapterFile.chapters(in: document) }
  /// Parses a transcript.
  package static func transcript(in document: [UInt8]) -> [TranscriptSegment] { Transcript.segments(in: document) }

  // MARK: Parts

  /// Those that the library keeps; where there are none, those written in the notes.
  package static func knownChapters(of details: EpisodeDetails) -> [Chapter] {
    details.chapters.isEmpty ? chapters(inNotesOf: details) : details.chapters
  }

  static func chapters(inNotesOf details: EpisodeDetails) -> [Chapter] {
    guard let notes = details.notes ?? details.summary else { return [] }
    return NotesChapters.chapters(in: notes, duration: details.entry.duration?.inSeconds)
  }

  /// By format: those with times and speakers go first.
  static func bestFirst(_ links: [TranscriptLink]) -> [TranscriptLink] {
    let kinds = ["json", "vtt", "srt", "subrip", "html"]
    func rank(_ link: TranscriptLink) -> Int {
      let path = link.url.prefix { $0 != "?" }.lowercased()
      return kinds.firstIndex { link.type?.lowercased().contains($0) == true || path.hasSuffix("." + $0) }
        ?? kinds.count
    }
    return links.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }.map(\.element)
  }

  private func details(_ id: EpisodeID) async throws(SideDocumentError) -> EpisodeDetails? {
    try await read { store throws(StoreError) in try await store.details(of: id) }
  }

  /// As it came: from the server, or from the disk where the feed is a file of this machine, too.
  private struct Document {
    var bytes: [UInt8]
    /// After redirects.
    var address: String
    var type: String?
  }

  private func fetch(
    _ url: String, of id: EpisodeID, within patience: Duration? = nil
  ) async throws(SideDocumentError) -> Document {
    let entry = try await read { store throws(StoreError) in try await store.episode(id) }
    // It was unsubscribed meanwhile.
    guard let podcast = entry?.podcast else { throw .unreadable(url) }
    if let path = LocalFile.path(url, of: podcast) { return try Self.read(path, url) }
    var request = HTTPRequest(url: url, of: podcast, secrets.secret(for: podcast.feedURL))
    request.limits = Self.limits
    request.limits.total = patience ?? request.limits.total
    let answer: HTTPAnswer
    do throws(TransferError) {
      answer = try await client().fetch(request)
    } catch {
      throw .network(NetworkFailure(error), url)
    }
    guard answer.head.isSuccess else { throw .status(answer.head.status, url) }
    return Document(bytes: answer.body, address: answer.head.url, type: answer.head["content-type"])
  }

  private static func read(_ path: String, _ url: String) throws(SideDocumentError) -> Document {
    guard let bytes = Files.read(path, atMost: largest + 1), bytes.count <= largest else { throw .file(path) }
    return Document(bytes: bytes, address: url)
  }

  private func read<Result: Sendable>(
    _ body: (PodcastStore) async throws(StoreError) -> Result
  ) async throws(SideDocumentError) -> Result {
    do throws(StoreError) {
      return try await body(store)
    } catch {
      throw .store(error)
    }
  }

  /// Stores a document; one that cannot be stored can still be shown.
  private func keep(_ body: (PodcastStore) async throws(StoreError) -> Void) async throws(SideDocumentError) {
    do throws(StoreError) {
      try await body(store)
    } catch {
      switch error.code {
      case .readOnly, .busy, .full: break
      default: throw .store(error)
      }
    }
  }
}

/// Why chapters or a transcript cannot be fetched, parsed or stored; the text is the address.
package enum SideDocumentError: Error, Sendable {
  case network(NetworkFailure, String)
  case status(Int, String)
  case unreadable(String)
  /// Missing, or too large.
  case file(String)
  case store(StoreError)

  /// Another document of the same may be there.
  var isOfDocument: Bool {
    switch self {
    case .status, .unreadable, .file: true
    case .network, .store: false
    }
  }
}
