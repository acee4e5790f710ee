/// Tells whether a document is the one fetched before. Where the cuts between chunks are makes no difference.
struct DocumentHash {
  private var state: UInt64 = 0x9e37_79b9_7f4a_7c15
  private var pending: UInt64 = 0
  private var pendingBytes: UInt64 = 0
  private var length: UInt64 = 0

  var value: Int64 {
    var copy = self
    copy.mix(pending)
    copy.mix(length)
    return Int64(bitPattern: copy.state)
  }

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    length &+= UInt64(bytes.count)
    var offset = 0
    while pendingBytes > 0, offset < bytes.count {
      take(bytes[offset])
      offset += 1
    }
    while offset + 8 <= bytes.count {
      mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    while offset < bytes.count {
      take(bytes[offset])
      offset += 1
    }
  }

  private mutating func take(_ byte: UInt8) {
    pending |= UInt64(byte) << (pendingBytes * 8)
    pendingBytes += 1
    guard pendingBytes == 8 else { return }
    mix(pending)
    pending = 0
    pendingBytes = 0
  }

  private mutating func mix(_ word: UInt64) {
    let product = (state ^ word).multipliedFullWidth(by: 0xa076_1d64_78bd_642f)
    state = product.high ^ product.low &+ word
  }
}
