import TestSupport
import Testing

@testable import Transfer

/// Bodies compressed by gzip and Python are decoded, in whatever portions they come and are taken.
@Suite struct ContentDecoderTests {
  private static let text = (0..<4_000).flatMap { Array("line \($0 &* 2_654_435_761)\n".utf8) }

  private static func packed(_ how: String, _ bytes: [UInt8] = text) async throws -> [UInt8] {
    let script = "import sys, zlib, gzip; d = sys.stdin.buffer.read(); sys.stdout.buffer.write(\(how))"
    return try await Program("/usr/bin/python3", ["-c", script]).input(.bytes(bytes)).run().transcript.outputBytes
  }

  private static let bare = "(lambda c: c.compress(d) + c.flush())(zlib.compressobj(wbits=-15))"

  /// As libcurl does: what was refused comes again, in portions of another size.
  private func unpack(_ header: String, _ bytes: [UInt8], portion: Int, refusing: Int) throws -> [UInt8] {
    let decoder = try ContentDecoder(header)
    var (result, offers, start, size) = ([UInt8](), 0, 0, portion)
    while start < bytes.count {
      let end = min(start + size, bytes.count)
      let isTaken = try bytes[start..<end].withUnsafeBytes { portion in
        try decoder.take(portion) { piece in
          offers += 1
          guard refusing == 0 || offers % refusing != 0 else { return false }
          result += piece
          return true
        }
      }
      if isTaken { start = end }
      size = isTaken ? portion : max(1, size / 2)
    }
    return result
  }

  @Test(
    arguments: [
      ("gzip", "gzip.compress(d)"), ("X-GZip", "gzip.compress(d)"), ("deflate", "zlib.compress(d)"), ("deflate", bare),
      ("gzip", "gzip.compress(d[:9]) + gzip.compress(d[9:])"), ("gzip", "gzip.compress(b'') + gzip.compress(d)"),
      ("gzip", "gzip.compress(d) + b'and more'"), ("gzip", "gzip.compress(d) + b'\\x1f\\x8band more'"),
      ("gzip, gzip", "gzip.compress(gzip.compress(d))"), ("deflate, gzip", "gzip.compress(zlib.compress(d))"),
      ("identity", "d"), ("", "d"), ("aws-chunked", "d"), ("Binary", "d"), ("utf-8, gzip", "gzip.compress(d)"),
      ("gzip", "d"),
    ])
  func `the document comes out`(header: String, how: String) async throws {
    let packed = try await Self.packed(how)
    for portion in [1, 7, 4_096, packed.count] {
      for refusing in [0, 2, 3] {
        let result = try unpack(header, packed, portion: portion, refusing: refusing)
        #expect(result == Self.text, "portions of \(portion), one in \(refusing) refused")
      }
    }
  }

  @Test func `what is cut gives what was there`() async throws {
    let packed = try await Self.packed("gzip.compress(d)")
    let half = try unpack("gzip", Array(packed.prefix(packed.count / 2)), portion: 1_000, refusing: 0)
    #expect(half.count > Self.text.count / 3)
    #expect(Self.text.starts(with: half))
  }

  @Test func `a body that ends inside its packing is not at its end`() async throws {
    for (header, how) in [("gzip", "gzip.compress(d)"), ("gzip", "gzip.compress(d[:9]) + gzip.compress(d[9:])")] {
      let packed = try await Self.packed(how)
      for (count, isWhole) in [(packed.count, true), (packed.count - 20, false)] {
        let decoder = try ContentDecoder(header)
        _ = try packed.prefix(count).withUnsafeBytes { bytes throws(TransferError) in
          try decoder.take(bytes) { _ throws(TransferError) in true }
        }
        #expect(decoder.isAtEnd == isWhole)
      }
    }
    #expect(ContentDecoder().isAtEnd)
  }

  @Test func `what is broken is an error`() async throws {
    var packed = try await Self.packed("gzip.compress(d)")
    for index in packed.indices.dropFirst(20) { packed[index] = 0xFF }
    #expect(throws: TransferError.self) { try unpack("gzip", packed, portion: 1_000, refusing: 0) }
  }

  @Test(arguments: ["br", "zstd", "gzip, br", "gzip, gzip, gzip, gzip"])
  func `what was not asked for is refused`(header: String) {
    #expect(throws: TransferError.self) { try ContentDecoder(header) }
  }

  @Test func `no more is unpacked than is taken`() async throws {
    let bomb = try await Self.packed("gzip.compress(gzip.compress(bytes(64 << 20)))")
    let decoder = try ContentDecoder("gzip, gzip")
    var offered = 0
    let isTaken = try bomb.withUnsafeBytes { bytes in
      try decoder.take(bytes) { piece in
        offered += piece.count
        return false
      }
    }
    #expect(!isTaken)
    #expect((1...65_536).contains(offered))
  }
}
