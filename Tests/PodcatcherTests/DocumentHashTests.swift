import Testing

@testable import Podcatcher

@Suite struct DocumentHashTests {
  @Test(arguments: [1, 3, 7, 8, 64])
  func `does not depend on the chunks`(size: Int) {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var whole = DocumentHash()
    bytes.withUnsafeBytes { whole.add($0) }
    var cut = DocumentHash()
    for start in stride(from: 0, to: bytes.count, by: size) {
      bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { cut.add($0) }
    }
    #expect(cut.value == whole.value)
  }

  @Test func `one changed byte, or a zero at the end, changes it`() {
    func hash(_ bytes: [UInt8]) -> Int64 {
      var hash = DocumentHash()
      bytes.withUnsafeBytes { hash.add($0) }
      return hash.value
    }
    #expect(Set([hash([1, 2, 3]), hash([1, 2, 4]), hash([1, 2, 3, 0]), hash([]), hash([0])]).count == 5)
  }
}
