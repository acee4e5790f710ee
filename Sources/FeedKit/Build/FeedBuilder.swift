import PodcastModel
internal import Text

/// Turns the events of a document into a feed, by the element table.
///
/// This file reads elements with a plain text. `FeedBuilder+Parts` opens and closes the elements that have a shape of
/// their own; the other extensions read these by subject: `+About` (categories, people, funding, location, license),
/// `+Links`, `+Live` (live items, payments) and `+Media`.
final class FeedBuilder: XMLHandler {
  struct Frame {
    /// The context of the element's children.
    var context: Context
    var rule: Rule?
    /// True for Atom text of a plain type: a `<` in it is a character.
    var isLiteral = false
    /// True where the type says so.
    var isPlainText = false
    var isBase64 = false
    var isXHTML = false
    var outerScope: Scope?

    var isContent: Bool { if case .part(.atomContent)? = rule { true } else { false } }
  }

  /// The kind of item that is open: texts and parts belong to its draft.
  enum Scope { case feed, episode, liveItem }

  let limits: FeedLimits
  private var rules = ElementRules()
  var frames: [Frame] = []
  private var gathering: Int?
  private var gathered = TextBuffer(capacity: 8 << 10)
  private var isCut = false
  /// The longest text that the open element may have, in bytes.
  private var mostText = 0

  var base: String?
  /// The base URLs to return to, with the depth of the elements that changed them.
  private var outerBases: [(depth: Int, base: String?)] = []
  var scope = Scope.feed
  let feedDraft = Draft()
  let episodeDraft = Draft()
  let liveItemDraft = Draft()
  var feed = Feed()
  /// The `xml:lang` of the whole document.
  private var language: String?
  /// The rare fields of the open episode.
  var rareFields = FeedEpisode.RareFields()
  var parts = OpenParts()
  private let episodes = EpisodePieces()
  private let episodeTexts = TextArena()
  private(set) var episodeCount = 0
  private var elementCount = 0
  /// The bytes that are kept besides the texts of episodes.
  private var spentBytes = 0

  private var hasRoot = false
  private var hasChannel = false
  private(set) var hasEnded = false
  private(set) var failure: FeedError?
  let warnings: Warnings

  init(baseURL: String?, limits: FeedLimits, warnings: Warnings) {
    self.limits = limits
    self.warnings = warnings
    base = baseURL
    frames.reserveCapacity(64)
    feed.url = baseURL
  }

  /// False for RSS without a channel, and for an RDF document without an element of RSS: RDF may be about anything.
  var hasFeed: Bool {
    hasRoot && (feed.format == .atom || hasChannel || episodeCount > 0 || !feedDraft.slots.isEmpty)
  }

  /// The draft of the innermost open feed, episode or live item.
  var draft: Draft {
    switch scope {
    case .feed: feedDraft
    case .episode: episodeDraft
    case .liveItem: liveItemDraft
    }
  }

  /// True behind the root element or a failure: the rest of the document is ignored.
  var isDone: Bool { hasEnded || failure != nil }

  /// Marks the document as a JSON Feed.
  func openJSONFeed() {
    hasRoot = true
    hasChannel = true
    feed.format = .json
  }

  func end() { hasEnded = true }

  // MARK: - Elements

  override func startElement(_ name: XMLName, _ attributes: XMLAttributes) {
    guard !isDone else { return }
    elementCount += 1
    guard elementCount <= limits.elements, frames.count < limits.depth else { return refuseSize() }
    let context = frames.last?.context ?? .document
    let found = rules.find(name, in: context)
    var frame = Frame(context: found.rule == nil ? (context == .leaf ? .leaf : .ignored) : .leaf, rule: found.rule)
    if !attributes.isEmpty, let newBase = attributes.base {
      outerBases.append((frames.count, base))
      base = resolvedBase(newBase)
    }
    if found.namespace == .atom { noteTextType(attributes, in: &frame) }
    if context == .document { openRoot(name, attributes) }
    if let rule = found.rule { open(rule, attributes, &frame) }
    frames.append(frame)
  }

  /// The base stays as it is where the new one is longer than any URL that can be asked for.
  private func resolvedBase(_ reference: String) -> String? {
    let longest = limits.baseBytes
    guard reference.utf8.count <= longest, case let new = WebURL.resolve(reference, against: base),
      new.utf8.count <= longest
    else { return base }
    // A short reference and a long base make a long URL each time.
    spend(max(0, new.utf8.count - reference.utf8.count))
    return new
  }

  override func endElement() {
    guard !isDone, let frame = frames.popLast() else { return }
    if gathering == frames.count {
      close(frame)
      gathering = nil
      gathered.removeAll()
      isCut = false
    } else if case .part(let part)? = frame.rule {
      closePart(part, text: nil)
    }
    if !outerBases.isEmpty, outerBases[outerBases.count - 1].depth == frames.count {
      base = outerBases.removeLast().base
    }
    if let outerScope = frame.outerScope { scope = outerScope }
    if frames.isEmpty { hasEnded = true }
  }

  override func text(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard gathering != nil, !isDone else { return }
    let room = mostText - gathered.count
    if bytes.count <= room { return gathered.append(bytes) }
    gathered.append(UnsafeBufferPointer(rebasing: bytes.prefix(max(0, room))))
    guard !isCut else { return }
    isCut = true
    warnings.add("text longer than \(FeedLimits.text(mostText)) was cut")
  }

  private func openRoot(_ name: XMLName, _ attributes: XMLAttributes) {
    hasRoot = true
    let local = String(cString: name.local).lowercased()
    feed.format = local.hasSuffix("feed") || local.hasSuffix("entry") ? .atom : local.hasSuffix("rdf") ? .rdf : .rss
    let isRSS = attributes.namespaceAddresses.contains { FeedNamespace(address: $0, prefix: "?") == .plain }
    hasChannel = local == "channel" || (feed.format == .rdf && isRSS)
    rules.isAtom = feed.format == .atom
    language = attributes.language
  }

  private func open(_ rule: Rule, _ attributes: XMLAttributes, _ frame: inout Frame) {
    switch rule {
    case .text, .line, .name, .verbatim, .link: gather()
    case .linkAttribute(let name, let slot):
      if let address = attributes[name] { offer(resolved(address), to: slot) } else { gather() }
    case .picture(let slot): openPicture(attributes, slot)
    case .part(let part):
      if part.isKept { spend(attributes.size) }
      openPart(part, attributes, &frame)
    case .enter(let context):
      frame.context = context
      guard context == .feed else { return }
      hasChannel = true
      language = attributes.language ?? language
    }
  }

  private func close(_ frame: Frame) {
    switch frame.rule {
    case .text(let slot), .verbatim(let slot): offerText(frame, to: slot)
    case .line(let slot): offerLine(frame, to: slot)
    case .name(let slot): offerName(frame, to: slot)
    case .link(let slot), .linkAttribute(_, let slot): offerLink(frame, to: slot)
    case .picture(let slot): offer(gatheredText(frame).flatMap { WebURL.looksLikeHTTP($0) ? $0 : nil }, to: slot)
    case .part(.guid): closePart(.guid, text: gatheredText(frame))
    case .part(.atomContent): offerText(frame, to: .content)
    case .part(let part):
      if part.isKept { spend(Bytes.size(ofText: gathered.count)) }
      closePart(part, text: gatheredLine(frame))
    default: break
    }
  }

  private func refuseSize() {
    failure =
      elementCount > limits.elements
      ? FeedError(.limit, "more than \(limits.elements) elements")
      : FeedError(.limit, "elements nested deeper than \(limits.depth)")
  }

  // MARK: - Text

  /// Collects the text of the element that is being opened. Of nested elements only the outermost collects.
  func gather() {
    guard gathering == nil else { return }
    gathering = frames.count
    mostText = min(limits.textBytes, max(0, limits.episodeTextBytes - draft.slots.all.count))
  }

  private func noteTextType(_ attributes: XMLAttributes, in frame: inout Frame) {
    guard !attributes.isEmpty else { return frame.isLiteral = true }
    let type = attributes["type"]?.folded
    let mode = attributes["mode"]?.folded
    frame.isPlainText = (type == "text" || type == "text/plain") && mode != "escaped"
    frame.isLiteral = (type == nil || type == "text" || type == "text/plain") && mode != "escaped"
    frame.isBase64 = mode == "base64" || type.map(isBinary) == true
    frame.isXHTML = type == "xhtml" || type == "application/xhtml+xml"
  }

  /// Atom: content that is neither text nor XML is in base 64.
  private func isBinary(_ type: String) -> Bool {
    type.contains("/") && !type.hasPrefix("text/") && !type.hasSuffix("xml")
  }

  /// Most texts are copied from the buffer to their slot unchanged.
  private func offerText(_ frame: Frame, to slot: Slot) {
    if let text = plainText(frame), !frame.isPlainText { return offer(text, to: slot) }
    let text = gatheredText(frame)
    offer(frame.isPlainText ? text.map(PlainText.escaped) : text, to: slot)
  }

  private func offerLine(_ frame: Frame, to slot: Slot) {
    if let text = plainText(frame), !Bytes.needsWorkAsLine(text) {
      offer(text, to: slot)
    } else {
      offer(gatheredLine(frame), to: slot)
    }
  }

  private func offerName(_ frame: Frame, to slot: Slot) {
    if gathered.bytes.contains(PersonName.atSign) {
      offer(gatheredLine(frame).map(PersonName.withoutAddress), to: slot)
    } else {
      offerLine(frame, to: slot)
    }
  }

  private func offerLink(_ frame: Frame, to slot: Slot) {
    if let text = plainText(frame), WebURL.isCleanHTTP(text) {
      offer(text, to: slot)
    } else {
      offer(resolved(gatheredText(frame)), to: slot)
    }
  }

  /// The collected bytes, trimmed. Nil for no text, and for text that is encoded, wrapped or cut.
  private func plainText(_ frame: Frame) -> UnsafeBufferPointer<UInt8>? {
    guard !frame.isBase64, !frame.isXHTML, !isCut else { return nil }
    let trimmed = Bytes.trimmed(gathered.bytes)
    return trimmed.isEmpty ? nil : trimmed
  }

  private func gatheredText(_ frame: Frame) -> String? {
    let trimmed = Bytes.trimmed(gathered.bytes)
    guard !trimmed.isEmpty else { return nil }
    if frame.isBase64, let decoded = Base64.decoded(trimmed) {
      // A picture is no text; but a short word of the wrong type looks like base 64, too.
      let text = String(validating: decoded, as: UTF8.self)
      if text != nil || frame.isContent { return text }
    }
    return text(frame.isXHTML ? Self.withoutWrapper(trimmed) : trimmed)
  }

  /// Nil for no text. A cut text may end in the middle of a character.
  private func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    if bytes.isEmpty { return nil }
    return isCut ? String(decoding: bytes, as: UTF8.self) : Bytes.string(bytes)
  }

  /// Atom wraps XHTML in a `div` that is not part of the text.
  private static func withoutWrapper(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    if Bytes.hasPrefix(bytes, at: 0, "<div"), let open = bytes.firstIndex(of: UInt8(ascii: ">")),
      bytes[open - 1] != 0x2F,
      Bytes.hasPrefix(bytes, at: max(0, bytes.count - 6), "</div>"), open < bytes.count - 6
    {
      return Bytes.trimmed(UnsafeBufferPointer(rebasing: bytes[(open + 1)..<(bytes.count - 6)]))
    }
    return bytes
  }

  private func gatheredLine(_ frame: Frame) -> String? {
    if let text = plainText(frame), !Bytes.needsWorkAsLine(text) { return Bytes.string(text) }
    guard let text = gatheredText(frame) else { return nil }
    let line = frame.isLiteral ? PlainText.collapsed(text) : PlainText.line(text)
    return line.isEmpty ? nil : line
  }

  func resolved(_ address: consuming String?) -> String? {
    guard let address = consume address else { return nil }
    if WebURL.isCleanHTTP(address) { return address }
    let absolute = WebURL.resolve(address, against: base)
    spend(absolute.utf8.count)
    return absolute.isEmpty ? nil : absolute
  }

  func offer(_ text: consuming String?, to slot: Slot) { draft.slots.offer(text, to: slot) }

  private func offer(_ text: UnsafeBufferPointer<UInt8>, to slot: Slot) { draft.slots.offer(text, to: slot) }

  // MARK: - Memory

  /// Appends to a list and accounts for the memory: no list has a limit of its own.
  func keep<Value>(_ value: consuming Value, in list: inout [Value]) {
    // A growing array has capacity for twice as many.
    spend(2 * MemoryLayout<Value>.stride)
    list.append(value)
  }

  /// Accounts for bytes that are kept besides the texts of episodes; fails beyond the limit.
  func spend(_ bytes: Int) {
    spentBytes += bytes
    guard spentBytes > limits.valueBytes, failure == nil else { return }
    failure = FeedError(.limit, "what is kept besides its texts takes more than \(FeedLimits.text(limits.valueBytes))")
  }

  // MARK: - Episodes

  func openEpisode(_ frame: inout Frame) {
    if scope == .episode { closeEpisode() }
    guard episodeCount < limits.episodes else {
      failure = FeedError(.limit, "more than \(limits.episodes) episodes")
      return
    }
    frame.context = .item
    frame.outerScope = .feed
    scope = .episode
    episodeDraft.removeAll()
    parts.enclosures.removeAll(keepingCapacity: true)
    parts.enclosureOrigins.removeAll(keepingCapacity: true)
    parts.sizeOfEnclosures = 0
  }

  func closeEpisode() {
    guard scope == .episode else { return }
    scope = .feed
    episodeCount += 1
    episodes.append(complete)
  }

  private func complete(_ episode: inout FeedEpisode) {
    let chosen = EnclosureChoice.preferred(of: parts.enclosures, from: parts.enclosureOrigins)
    episodeDraft.slots.offer(chosen?.url, to: .enclosureURL)
    episodeDraft.slots.offer(chosen?.type, to: .enclosureType)
    episode.setEnclosure(length: chosen?.length, among: parts.enclosures, isAnyChosen: chosen != nil)
    episode.fill(from: episodeDraft.slots, textsIn: episodeTexts)
    rareFields.fill(from: episodeDraft)
    episode.take(&rareFields)
    // The enclosures were accounted for one by one; the episode keeps only some of them.
    spend(episode.ownSize - parts.sizeOfEnclosures)
  }

  func takeEpisodes() -> [FeedEpisode] { episodes.takeAll() }

  /// Completes the feed after the last byte.
  func finished() -> Feed {
    feed.episodes = episodes.takeAll()
    feed.fill(from: feedDraft)
    feed.language = feed.language ?? language.map(LanguageTag.normalized)
    feed.isIncomplete = !hasEnded || failure != nil
    return feed
  }
}
