import PodcastModel
internal import Text

/// Decides the encoding of a document and passes it on as UTF-8, or unconverted when it is windows-1252, which the
/// repair decodes.
///
/// Labels are often wrong, so the order is: a byte-order mark; then valid UTF-8 is UTF-8 whatever its label; then the
/// HTTP header, the declaration, and last a guess.
struct EncodingDecoder {
  private enum State {
    /// Collecting the first bytes, where the XML declaration is.
    case start
    /// Only ASCII so far.
    case ascii
    /// Collecting a sample from the first byte beyond ASCII.
    case sampling
    case decided
  }

  private static let sampleSize = 8 << 10
  /// The size of the prefix that is searched for a declaration; junk may come before it.
  private static let prologSize = 1024

  private let charset: String?
  /// Warnings about wrong labels. They matter only for bytes beyond ASCII.
  private(set) var warnings: [String] = []
  /// Warnings about labels that are none.
  private(set) var unknownLabels: [String] = []
  /// The number of bytes before the first one beyond ASCII.
  private(set) var plainCount = 0
  private var state = State.start
  private var held: [UInt8] = []
  private var declared: String?
  private var converter: CharacterConverter?
  /// True when the decision is windows-1252, which is not converted here.
  private(set) var isWindows1252 = false

  init(charset: String?) { self.charset = charset }

  mutating func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool,
    into sink: (UnsafeBufferPointer<UInt8>, _ isLast: Bool, EncodingDecoder) -> Void
  ) {
    switch state {
    case .decided: deliver(bytes, isLast, sink)
    case .start:
      held += bytes
      guard isLast || held.count >= Self.prologSize else { return }
      readProlog()
      let start = held
      held = []
      start.withUnsafeBufferPointer { decode($0, isLast: isLast, into: sink) }
    case .ascii:
      let end = ByteScan.endOfASCII(bytes, from: 0)
      plainCount += end
      deliver(UnsafeBufferPointer(rebasing: bytes[..<end]), isLast && end == bytes.count, sink)
      guard end < bytes.count else { return }
      state = .sampling
      decode(UnsafeBufferPointer(rebasing: bytes[end...]), isLast: isLast, into: sink)
    case .sampling:
      held += bytes
      guard isLast || held.count >= Self.sampleSize else { return }
      decide()
      let sample = held
      held = []
      sample.withUnsafeBufferPointer { deliver($0, isLast, sink) }
    }
  }

  private var labels: [String] { [charset, declared].compactMap { $0 } }

  private func deliver(
    _ bytes: UnsafeBufferPointer<UInt8>, _ isLast: Bool,
    _ sink: (UnsafeBufferPointer<UInt8>, _ isLast: Bool, EncodingDecoder) -> Void
  ) {
    guard let converter, state == .decided else { return sink(bytes, isLast, self) }
    converter.convert(bytes, isLast: isLast).withUnsafeBufferPointer { sink($0, isLast, self) }
  }

  // MARK: - The beginning

  private mutating func readProlog() {
    if let (encoding, length) = Self.byteOrderMark(held) {
      held.removeFirst(length)
      while held.starts(with: [0xEF, 0xBB, 0xBF]) { held.removeFirst(3) }
      // The byte-order mark of UTF-8 counts until bytes that are not UTF-8 follow.
      if encoding == .utf8 { state = .ascii } else { use(encoding) }
      return
    }
    if let encoding = Self.shape(held) { return use(encoding) }
    declared = Self.declaration(in: Array(held.prefix(Self.prologSize)))
    for label in labels where Encoding(label: label) == nil { unknownLabels.append("unknown encoding \(label)") }
    state = .ascii
  }

  private static func byteOrderMark(_ bytes: [UInt8]) -> (Encoding, length: Int)? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return (.other("UTF-32LE"), 4) }
    if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return (.other("UTF-32BE"), 4) }
    if bytes.starts(with: [0xFF, 0xFE]) { return (.other("UTF-16LE"), 2) }
    if bytes.starts(with: [0xFE, 0xFF]) { return (.other("UTF-16BE"), 2) }
    return nil
  }

  /// The encoding in which the first bytes are a `<`, for those that do not extend ASCII.
  private static func shape(_ bytes: [UInt8]) -> Encoding? {
    if bytes.starts(with: [0x3C, 0, 0, 0]) { return .other("UTF-32LE") }
    if bytes.starts(with: [0, 0, 0, 0x3C]) { return .other("UTF-32BE") }
    if bytes.starts(with: [0x3C, 0]) { return .other("UTF-16LE") }
    if bytes.starts(with: [0, 0x3C]) { return .other("UTF-16BE") }
    if bytes.starts(with: [0x4C, 0x6F, 0xA7, 0x94]) { return .other("CP037") }
    return nil
  }

  private static func declaration(in bytes: [UInt8]) -> String? {
    bytes.withUnsafeBufferPointer { bytes in
      guard let start = Bytes.first("<?xml", in: bytes, from: 0),
        let label = Bytes.first("encoding", in: bytes, from: start),
        let end = bytes[start...].firstIndex(of: UInt8(ascii: ">")), label < end
      else { return nil }
      let value = bytes[(label + 8)..<end].drop { Bytes.isBlank($0) || $0 == UInt8(ascii: "=") }
      let name = value.drop { $0 == 0x22 || $0 == 0x27 }.prefix {
        $0 != 0x22 && $0 != 0x27 && !Bytes.isBlank($0) && $0 != 0x3F
      }
      return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }
  }

  // MARK: - The decision

  private mutating func decide() {
    // Only the sample, however large the chunk: the decision must not depend on the chunk size.
    let guess = EncodingGuess(Array(held.prefix(Self.sampleSize)))
    let known = labels.compactMap { Encoding(label: $0) }
    let believed = known.filter { $0 != .utf8 && !$0.isWide && !$0.isEBCDIC }
    if held.first == 0x1B, let escaped = known.first(where: { $0 == .other("ISO-2022-JP-3") }) { return use(escaped) }
    if guess.isUTF8 { return use(.utf8) }
    // Servers label everything Latin-1, so a more specific label of the document counts more.
    let specific = believed.first { $0 != .windows1252 }
    // A few bad bytes say nothing of the characters behind the sample.
    let isWhole = held.count < Self.sampleSize
    let isBelievable = !isWhole || guess.hasLongCharacters && guess.hasRuns
    if specific == nil, known.contains(.utf8), guess.isMostlyASCII, isBelievable { return use(.utf8) }
    let choice = specific ?? (known.contains(.utf8) ? nil : believed.first) ?? guess.encoding
    if !known.isEmpty, !known.contains(choice) { warnings.append("the encoding is not \(labels[0])") }
    use(choice)
  }

  private mutating func use(_ encoding: Encoding) {
    state = .decided
    switch encoding {
    case .utf8: break
    case .windows1252: isWindows1252 = true
    case .other(let name):
      converter = CharacterConverter(from: name)
      if converter == nil {
        warnings.append("this system cannot convert \(name)")
        isWindows1252 = true
      }
    }
  }
}

extension EncodingDecoder {
  /// Decodes a whole text file.
  static func text(_ bytes: [UInt8], charset: String? = nil) -> String {
    var decoder = EncodingDecoder(charset: charset)
    var output: [UInt8] = []
    bytes.withUnsafeBufferPointer { bytes in
      decoder.decode(bytes, isLast: true) { piece, _, decoder in
        guard decoder.isWindows1252 else { return output.append(contentsOf: piece) }
        for byte in piece { output += UTF8.encode(HTMLEntities.windows1252(byte)) ?? UTF8.encodedReplacementCharacter }
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}
