/// The picture in the ID3 tag of a media file, which a clip of it gets, too. Pure.
enum ClipPicture {
  /// In bytes: a clip is not to be mostly picture.
  private static let largest = 500 << 10

  /// The content of the first frame with a picture; nil where there is none, or one that is larger or packed. `bytes` is
  /// given an offset and a count, and returns fewer where there are fewer.
  static func content(_ bytes: (Int64, Int) -> [UInt8]) -> [UInt8]? {
    let head = bytes(0, 10)
    guard head.count == 10, head.starts(with: "ID3".utf8), (3...4).contains(head[3]), head[5] & 0xC0 == 0 else {
      return nil
    }
    let end = 10 + Int64(number(head[6...], bits: 7))
    var offset: Int64 = 10
    while offset + 10 < end {
      let frame = bytes(offset, 10)
      guard frame.count == 10, frame[0] != 0 else { return nil }
      let size = number(frame[4..<8], bits: head[3] == 4 ? 7 : 8)
      if frame.starts(with: "APIC".utf8), size <= largest, frame[9] == 0, offset + 10 + Int64(size) <= end {
        let content = bytes(offset + 10, size)
        return content.count == size ? content : nil
      }
      offset += 10 + Int64(size)
    }
    return nil
  }

  private static func number(_ bytes: ArraySlice<UInt8>, bits: Int) -> Int { bytes.reduce(0) { $0 << bits | Int($1) } }
}
