private import FeedKit
package import PodcastModel
package import PodcastStore
package import Transfer

/// Chapters and transcripts: from the library, else from where the feed says they are, and then kept.
package struct SideDocuments: Sendable {
  private let store: PodcastStore
  private let client: @Sendable () throws(TransferError) -> HTTPClient
  /// A transcript of a whole day stays below.
  private static let limits = TransferLimits(
    connect: .seconds(10), stall: .seconds(12), total: .seconds(120), bytes: 32 << 20)

  package init(store: PodcastStore, client: @escaping @Sendable () throws(TransferError) -> HTTPClient) {
    self.store = store
    self.client = client
  }

  /// Without a document of their own, chapters may be written in the notes.
  package func chapters(of id: EpisodeID) async throws(SideDocumentError) -> [Chapter] {
    guard let details = try await details(id) else { return [] }
    if !details.chapters.isEmpty { return details.chapters }
    guard let link = details.chaptersLink else { return Self.chapters(inNotesOf: details) }
    return try await fetchChapters(from: link, of: id)
  }

  /// Whatever is kept.
  func fetchChapters(
    from link: ChaptersLink, of id: EpisodeID, within patience: Duration? = nil
  ) async throws(SideDocumentError) -> [Chapter] {
    let answer = try await fetch(link.url, within: patience)
    guard let chapters = ChapterFile.chapters(in: answer.body, baseURL: answer.head.url) else {
      throw .unreadable(link.url)
    }
    try await keep { store throws(StoreError) in try await store.setChapters(chapters, of: id) }
    return chapters
  }

  package func transcript(of id: EpisodeID) async throws(SideDocumentError) -> [TranscriptSegment] {
    let kept = try await read { store throws(StoreError) in try await store.transcript(of: id) }
    guard kept.isEmpty, let details = try await details(id) else { return kept }
    guard let link = Self.best(details.transcripts) else { return [] }
    let answer = try await fetch(link.url)
    let segments = Transcript.segments(in: answer.body, type: link.type ?? answer.head["content-type"])
    guard !segments.isEmpty else { throw .unreadable(link.url) }
    try await keep { store throws(StoreError) in try await store.setTranscript(segments, of: id) }
    return segments
  }

  /// Both, where the feed links to them and the library has none yet, so that they can be searched and read without a
  /// network. What cannot be had now can be had later.
  package func keep(for ids: [EpisodeID]) async {
    await withTaskGroup(of: Void.self) { group in
      for (number, id) in ids.enumerated() {
        if number >= Self.atATime { await group.next() }
        group.addTask {
          _ = try? await chapters(of: id)
          _ = try? await transcript(of: id)
        }
      }
    }
  }

  private static let atATime = 4

  // MARK: Documents on this machine

  package static func chapters(in document: [UInt8]) -> [Chapter]? { ChapterFile.chapters(in: document) }
  package static func transcript(in document: [UInt8]) -> [TranscriptSegment] { Transcript.segments(in: document) }

  // MARK: Parts

  static func chapters(inNotesOf details: EpisodeDetails) -> [Chapter] {
    guard let notes = details.notes ?? details.summary else { return [] }
    return NotesChapters.chapters(in: notes, duration: details.entry.episode.duration?.inSeconds)
  }

  /// Those with times and speakers first.
  static func best(_ links: [TranscriptLink]) -> TranscriptLink? {
    let kinds = ["json", "vtt", "srt", "subrip", "html"]
    func rank(_ link: TranscriptLink) -> Int {
      let path = link.url.prefix { $0 != "?" }.lowercased()
      return kinds.firstIndex { link.type?.lowercased().contains($0) == true || path.hasSuffix("." + $0) }
        ?? kinds.count
    }
    return links.enumerated().min { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }?.element
  }

  private func details(_ id: EpisodeID) async throws(SideDocumentError) -> EpisodeDetails? {
    try await read { store throws(StoreError) in try await store.details(of: id) }
  }

  private func fetch(
    _ url: String, within patience: Duration? = nil
  ) async throws(SideDocumentError) -> HTTPAnswer {
    var request = HTTPRequest(url: url)
    request.limits = Self.limits
    request.limits.total = patience ?? request.limits.total
    let answer: HTTPAnswer
    do throws(TransferError) {
      answer = try await client().fetch(request)
    } catch {
      throw .transfer(error, url)
    }
    guard answer.head.isSuccess else { throw .status(answer.head.status, url) }
    return answer
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

  /// What cannot be kept can still be shown.
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

/// Why chapters or a transcript cannot be had.
package enum SideDocumentError: Error, Sendable {
  case transfer(TransferError, String)
  case status(Int, String)
  case unreadable(String)
  case store(StoreError)
}

extension Live {
  package func sideDocuments(store: PodcastStore) -> SideDocuments {
    SideDocuments(store: store) { [self] () throws(TransferError) in try client() }
  }
}
