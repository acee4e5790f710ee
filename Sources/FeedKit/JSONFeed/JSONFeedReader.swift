import PodcastModel
internal import Text

/// Reads a JSON Feed as its bytes arrive. Each item is parsed by itself, so the document is never in memory as a whole,
/// and a broken item costs none of the others. JSON is UTF-8, whatever its label; bytes that are not become U+FFFD.
final class JSONFeedReader {
  private let builder: FeedBuilder
  private let limits: FeedLimits
  private let warnings: Warnings
  private var splitter: JSONSplitter
  private var byteCount = 0
  private var ownFailure: FeedError?
  /// True when a member of a JSON Feed was read: nothing else can follow.
  private(set) var hasContent = false
  private var isOtherVersion = false

  /// The most values of one item: a list of transcripts of a long episode has a few hundred.
  private static let mostValues = 20_000

  init(builder: FeedBuilder, limits: FeedLimits, warnings: Warnings) {
    self.builder = builder
    self.limits = limits
    self.warnings = warnings
    splitter = JSONSplitter(list: "items", limits: limits)
  }

  /// True when no JSON Feed can follow in this document.
  var isOver: Bool { splitter.isOver || splitter.failure != nil || failure != nil }
  /// True for a document that certainly is no JSON Feed.
  var isNoFeed: Bool { isOtherVersion || (isOver && !builder.hasFeed) }

  var failure: FeedError? {
    ownFailure
      ?? (splitter.failure == .tooDeep ? FeedError(.limit, "elements nested deeper than \(limits.depth)") : nil)
  }

  /// Of a truncated document the complete items are kept.
  func finish() {
    if splitter.isOver, builder.hasFeed { builder.end() }
    if splitter.tooLong > 0 {
      warnings.add("text longer than \(FeedLimits.text(limits.textBytes)) was left out")
    }
  }

  func take(_ bytes: UnsafeRawBufferPointer) {
    guard !isOver else { return }
    let room = max(0, limits.documentBytes - byteCount)
    byteCount += bytes.count
    defer {
      if byteCount > limits.documentBytes {
        ownFailure = FeedError(.limit, "the document is larger than \(FeedLimits.text(limits.documentBytes))")
      }
    }
    splitter.take(UnsafeRawBufferPointer(rebasing: bytes.prefix(room)).bindMemory(to: UInt8.self)) { piece, bytes in
      switch piece {
      case .member(let name): readMember(name, bytes)
      case .element: readItem(bytes)
      }
      return builder.failure == nil && !isOtherVersion
    }
  }

  private func readMember(_ name: String, _ bytes: UnsafeBufferPointer<UInt8>) {
    guard JSONFeedMember(rawValue: name) != nil || name == "version" else { return }
    guard let value = JSON(parsing: bytes, values: Self.mostValues) else {
      return warnings.add("\(name) cannot be read")
    }
    if name == "version" { return note(version: value.text ?? "") }
    hasContent = true
    if let member = JSONFeedMember(rawValue: name) { builder.take(member, value) }
  }

  private func note(version: String) {
    guard version.contains("jsonfeed.org/version") else { return isOtherVersion = true }
    builder.openJSONFeed()
  }

  private func readItem(_ bytes: UnsafeBufferPointer<UInt8>) {
    hasContent = true
    guard let item = JSON(parsing: bytes, values: Self.mostValues), case .object = item else {
      return warnings.add("an item that cannot be read")
    }
    builder.addItem(item)
  }
}
