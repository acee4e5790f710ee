/// Looks for a moment of a former rendition in an MP3 that is being fetched, by fetching as little of it as need be.
/// Pure, but for the bytes.
struct PositionSearch {
  private let old: FramePrint
  private let layout: MP3Layout
  private let size: Int64
  private let bytes: (_ count: Int, _ offset: Int64) -> [UInt8]

  /// A position in the new file, and its byte.
  struct Found: Hashable, Sendable {
    var seconds: Double
    var byte: Int64
  }

  /// A minute at the usual rate.
  static let window: Int64 = 1 << 20
  /// Adverts that are longer by that much are more than a publisher puts into a show.
  private static let windowsEachWay: Int64 = 8

  /// `bytes` waits for bytes of the new file.
  init?(_ old: FramePrint, size: Int64, _ bytes: @escaping (_ count: Int, _ offset: Int64) -> [UInt8]) {
    guard let layout = MP3Layout.read(size: size, { bytes(Int($0), 0) }), layout.isConstant else { return nil }
    (self.old, self.layout, self.size, self.bytes) = (old, layout, size, bytes)
  }

  /// Nil where it is not found; at once where the old print knows nothing around it. Where bytes are missing, only the moment itself counts: the place to go on may be among them.
  func find(_ moment: Double) -> Found? {
    guard RenditionMap.mayLead(from: moment, known: old.known) else { return nil }
    let estimate = byte(at: moment)
    var pieces: [RenditionMap.Piece] = []
    var known: [Range<Double>] = []
    var isCut = false
    for number in 0...Self.windowsEachWay {
      for side in number == 0 ? [0] : [number, -number] {
        let start = max(layout.sound, estimate + (2 * side - 1) * Self.window / 2)
        let end = min(size, estimate + (2 * side + 1) * Self.window / 2)
        guard start < end else { continue }
        let window = bytes(Int(end - start), start)
        let print = self.print(window, at: start..<end)
        let map = FrameAlignment.map(from: old, to: print)
        if map.has(moment), let seconds = map.position(of: moment) { return found(seconds) }
        if window.count < Int(end - start) { isCut = true }
        pieces += map.pieces
        known += print.known
      }
    }
    guard !isCut else { return nil }
    let rising = pieces.sorted { $0.old.lowerBound < $1.old.lowerBound }
    return RenditionMap(rising, oldHas: old.known, newHas: known).position(of: moment).map(found)
  }

  private func found(_ seconds: Double) -> Found { Found(seconds: seconds, byte: byte(at: seconds)) }

  private func print(_ window: [UInt8], at range: Range<Int64>) -> FramePrint {
    var print = FramePrint(lead: layout.lead)
    print.add(range, layout) { offset, count in
      offset < range.lowerBound ? [] : Array(window.dropFirst(Int(offset - range.lowerBound)).prefix(count))
    }
    return print
  }

  /// Of the frame that sounds then, or of the one beside it.
  private func byte(at seconds: Double) -> Int64 {
    let sound = max(0, seconds + Double(layout.lead) / Double(MP3Point.ticksPerSecond))
    return min(size, layout.sound + Int64(sound * Double(layout.bitrate) / 8))
  }
}
