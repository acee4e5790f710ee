private import CZlib

/// Decodes one layer of compression. Lives as long as its transfer, on the loop's thread.
final class Inflation {
  /// The server's name for it; `bare` for the one that archives use, which needs no guessing.
  enum Label { case gzip, deflate, bare }
  private enum Kind { case unknown, packed, plain, over }

  private static let pieceSize = 64 << 10

  private let label: Label
  private var kind = Kind.unknown
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private let piece = UnsafeMutableRawPointer.allocate(byteCount: pieceSize, alignment: 16)
  /// How much of the piece is unpacked and not yet taken.
  private var waiting = 0
  /// How much of the bytes that will come again is unpacked already.
  private var ahead = 0
  /// One packed document may follow the other; what else follows does not count.
  private var (isBetween, isFirst) = (false, true)

  init(_ label: Label) {
    self.label = label
    stream.initialize(to: z_stream())
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    piece.deallocate()
  }

  /// Nothing that has begun is unfinished.
  var isAtEnd: Bool { kind != .packed || isBetween }

  /// As `ContentDecoder.take`.
  func take(_ bytes: UnsafeRawBufferPointer, _ sink: ContentDecoder.Sink) throws(TransferError) -> Bool {
    guard try handOn(sink) else { return false }
    if kind == .unknown, let first = bytes.first { try begin(first) }
    switch kind {
    case .unknown, .over: return true
    case .plain: return try sink(bytes)
    case .packed: return try unpack(bytes, sink)
    }
  }

  /// Servers say `deflate` of two formats, and some say `gzip` of what they did not pack at all.
  private func begin(_ first: UInt8) throws(TransferError) {
    let isGzip = first == 0x1F && label != .bare
    let isZlib = first & 15 == 8 && first >> 4 <= 7 && label != .bare
    guard isGzip || label != .gzip else { return kind = .plain }
    let code = isGzip || isZlib ? podcli_inflate_wrapped(stream) : podcli_inflate_bare(stream)
    guard code == Z_OK else { throw TransferError(.failed, "zlib is out of memory") }
    kind = .packed
  }

  private func unpack(_ bytes: UnsafeRawBufferPointer, _ sink: ContentDecoder.Sink) throws(TransferError) -> Bool {
    var used = min(ahead, bytes.count)
    ahead -= used
    var isProducing = true
    while kind == .packed, isProducing || used < bytes.count {
      used += try inflate(UnsafeRawBufferPointer(rebasing: bytes[used...]))
      isProducing = waiting > 0
      guard try handOn(sink) else {
        ahead += used
        return false
      }
    }
    return true
  }

  private func handOn(_ sink: ContentDecoder.Sink) throws(TransferError) -> Bool {
    guard waiting > 0 else { return true }
    guard try sink(UnsafeRawBufferPointer(start: piece, count: waiting)) else { return false }
    waiting = 0
    return true
  }

  /// Fills the piece as far as `bytes` go. Answers how many of them are used up.
  private func inflate(_ bytes: UnsafeRawBufferPointer) throws(TransferError) -> Int {
    if isBetween, !goOn(to: bytes) { return 0 }
    stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.assumingMemoryBound(to: UInt8.self).baseAddress)
    stream.pointee.avail_in = UInt32(bytes.count)
    stream.pointee.next_out = piece.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(Self.pieceSize)
    let code = CZlib.inflate(stream, Z_NO_FLUSH)
    waiting = Self.pieceSize - Int(stream.pointee.avail_out)
    switch code {
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END: isBetween = true
    case _ where isFirst: throw TransferError(.badEncoding, "it cannot be unpacked")
    default: kind = .over
    }
    return bytes.count - Int(stream.pointee.avail_in)
  }

  /// Whether another document begins behind the one that ended.
  private func goOn(to bytes: UnsafeRawBufferPointer) -> Bool {
    guard let first = bytes.first else { return false }
    guard first == 0x1F, inflateReset(stream) == Z_OK else {
      kind = .over
      return false
    }
    (isBetween, isFirst) = (false, false)
    return true
  }
}
