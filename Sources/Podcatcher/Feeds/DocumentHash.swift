/// A 64-bit hash of a document, which does not depend on how the document is cut into chunks.
struct DocumentHash {
  /// Words go to the two states in turn: the processor works on both at a time.
  private var even: UInt64 = 0x9e37_79b9_7f4a_7c15
  private var odd: UInt64 = 0xc2b2_ae3d_27d4_eb4f
  private var isOdd = false
  private var pending: UInt64 = 0
  private var pendingBytes: UInt64 = 0
  private var length: UInt64 = 0

  var value: Int64 {
    var copy = self
    copy.mix(pending)
    copy.mix(length)
    return Int64(bitPattern: Self.mixed(copy.even, copy.odd))
  }

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    length &+= UInt64(bytes.count)
    var offset = 0
    while pendingBytes > 0, offset < bytes.count {
      take(bytes[offset])
      offset += 1
    }
    func word(at offset: Int) -> UInt64 {
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    if isOdd, offset + 8 <= bytes.count {
      mix(word(at: offset))
      offset += 8
    }
    while offset + 16 <= bytes.count {
      even = Self.mixed(even, word(at: offset))
      odd = Self.mixed(odd, word(at: offset + 8))
      offset += 16
    }
    if offset + 8 <= bytes.count {
      mix(word(at: offset))
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
    if isOdd { odd = Self.mixed(odd, word) } else { even = Self.mixed(even, word) }
    isOdd.toggle()
  }

  private static func mixed(_ state: UInt64, _ word: UInt64) -> UInt64 {
    let product = (state ^ word).multipliedFullWidth(by: 0xa076_1d64_78bd_642f)
    return product.high ^ product.low &+ word
  }
}
