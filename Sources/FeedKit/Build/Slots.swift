/// The slots of one feed or episode. The first text offered to a slot stays.
///
/// All texts are in one buffer, which is used again for the next episode.
final class Slots {
  private var texts = TextBuffer(capacity: 4 << 10)
  /// The range of each text in `texts`; undefined where `filled` has no bit.
  private let ranges = UnsafeMutablePointer<Range<UInt32>>.allocate(capacity: Slot.allCases.count)
  private var filled: UInt128 = 0

  deinit { ranges.deallocate() }

  var isEmpty: Bool { filled == 0 }

  subscript(slot: Slot) -> String? { bytes(of: slot).map(Bytes.string) }

  /// Valid until the next change.
  func bytes(of slot: Slot) -> UnsafeBufferPointer<UInt8>? { range(of: slot).map(bytes) }

  func range(of slot: Slot) -> Range<UInt32>? { isFilled(slot) ? ranges[slot.rawValue] : nil }

  private func bytes(at range: Range<UInt32>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: all[Int(range.lowerBound)..<Int(range.upperBound)])
  }

  /// The buffer that all ranges refer to.
  var all: UnsafeBufferPointer<UInt8> { texts.bytes }

  func offer(_ text: UnsafeBufferPointer<UInt8>?, to slot: Slot) {
    guard !isFilled(slot), let text else { return }
    put(text, in: slot)
  }

  func offer(_ text: consuming String?, to slot: Slot) {
    guard !isFilled(slot), let text else { return }
    put(text, in: slot)
  }

  /// Replaces the text of the slot.
  func put(_ text: consuming String, in slot: Slot) { text.withUTF8 { put($0, in: slot) } }

  private func put(_ text: UnsafeBufferPointer<UInt8>, in slot: Slot) {
    let start = UInt32(texts.count)
    texts.append(text)
    (ranges + slot.rawValue).initialize(to: start..<UInt32(texts.count))
    filled |= bit(slot)
  }

  /// The text of the first of these slots that has one.
  func first(_ slots: Slot...) -> String? { range(first: slots).map { Bytes.string(bytes(at: $0)) } }

  func range(ofFirst slots: Slot...) -> Range<UInt32>? { range(first: slots) }

  private func range(first slots: [Slot]) -> Range<UInt32>? {
    for slot in slots where isFilled(slot) { return ranges[slot.rawValue] }
    return nil
  }

  func removeAll() {
    texts.removeAll()
    filled = 0
  }

  private func isFilled(_ slot: Slot) -> Bool { filled & bit(slot) != 0 }
  private func bit(_ slot: Slot) -> UInt128 { 1 &<< UInt128(slot.rawValue) }
}
