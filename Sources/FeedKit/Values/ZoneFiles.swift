private import Synchronization
internal import System

/// The name of a zone in the zone files: `America/New_York`.
enum ZoneName {
  private static let longest = 48

  /// The end of the name; nil when there is none. Its first word ends at `slash`.
  static func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, slash: Int) -> Int? {
    guard slash + 1 < bytes.count, bytes[slash] == UInt8(ascii: "/"), Bytes.isLetter(bytes[slash + 1]) else {
      return nil
    }
    var end = slash
    while end < bytes.count, isPart(bytes[end]) { end += 1 }
    return end - start <= longest ? end : nil
  }

  /// No dot: no name leads out of the folder.
  private static func isPart(_ byte: UInt8) -> Bool {
    Bytes.isLetter(byte) || Bytes.isDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "/")
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
  }
}

/// The zone files of the system. Each is read once. A zone without a file is unknown.
final class ZoneFiles: Sendable {
  static let system = ZoneFiles(in: "/usr/share/zoneinfo")

  private let folder: String
  private let zones = Mutex<[String: ZoneTable?]>([:])
  /// There are fewer zones; further names are not remembered.
  private static let mostZones = 1000

  init(in folder: String) { self.folder = folder }

  /// The seconds east of Greenwich at this local time, in seconds since 1970.
  func offset(of name: Slice<UnsafeBufferPointer<UInt8>>, local: Int64) -> Int? {
    table(of: String(decoding: name, as: UTF8.self))?.offset(local: local)
  }

  private func table(of name: String) -> ZoneTable? {
    zones.withLock { zones in
      if let known = zones[name] { return known }
      let table = Files.read("\(folder)/\(name)", atMost: 1 << 16).flatMap(ZoneTable.init)
      if zones.count < Self.mostZones { zones[name] = .some(table) }
      return table
    }
  }
}

/// A zone file (TZif, RFC 8536): the moments at which the offset changes. Debian's files list them until 2037.
struct ZoneTable {
  private var moments: [Int64] = []
  /// The offset before the first moment, and from each of them on.
  private var offsets: [Int] = []

  /// Nil for anything but a zone file.
  init?(_ file: [UInt8]) {
    guard let first = Header(file, at: 0) else { return nil }
    // From version 2 on the same follows once more, with moments of eight bytes.
    guard first.version >= 2 else {
      guard read(file, first, width: 4) else { return nil }
      return
    }
    guard let second = Header(file, at: first.end(width: 4)), read(file, second, width: 8) else { return nil }
  }

  private struct Header {
    let version: Int
    let start: Int
    let moments: Int
    let kinds: Int
    private let others: Int
    private let leaps: Int

    init?(_ file: [UInt8], at start: Int) {
      guard start + 44 <= file.count, file[start...].starts(with: "TZif".utf8) else { return nil }
      let counts = (0..<6).map { Int(ZoneTable.number(file, start + 20 + $0 * 4, width: 4)) }
      guard counts.allSatisfy({ 0...file.count ~= $0 }), counts[4] > 0 else { return nil }
      version = file[start + 4] == 0 ? 1 : Int(file[start + 4]) - 0x30
      self.start = start + 44
      (moments, kinds, leaps) = (counts[3], counts[4], counts[2])
      others = counts[0] + counts[1] + counts[5]
    }

    func end(width: Int) -> Int { start + moments * (width + 1) + kinds * 6 + leaps * (width + 4) + others }
  }

  private mutating func read(_ file: [UInt8], _ header: Header, width: Int) -> Bool {
    guard header.end(width: width) <= file.count else { return false }
    let kindsOfMoments = header.start + header.moments * width
    let kinds = kindsOfMoments + header.moments
    let known = (0..<header.kinds).map { Int(Self.number(file, kinds + $0 * 6, width: 4)) }
    moments = (0..<header.moments).map { Self.number(file, header.start + $0 * width, width: width) }
    offsets = [known[0]]
    for index in kindsOfMoments..<kinds {
      guard known.indices.contains(Int(file[index])) else { return false }
      offsets.append(known[Int(file[index])])
    }
    return known.allSatisfy { abs($0) <= 26 * 3600 }
  }

  private static func number(_ file: [UInt8], _ start: Int, width: Int) -> Int64 {
    let bits = file[start..<start + width].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return width == 4 ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(bitPattern: bits)
  }

  /// Of a local time that occurs twice, the first counts; one that is skipped has the offset before.
  func offset(local: Int64) -> Int {
    let (before, after) = (offset(at: local - 86_400), offset(at: local + 86_400))
    return offset(at: local - Int64(before)) == before || offset(at: local - Int64(after)) != after ? before : after
  }

  private func offset(at moment: Int64) -> Int {
    var (low, high) = (0, moments.count)
    while low < high {
      let middle = (low + high) / 2
      if moments[middle] <= moment { low = middle + 1 } else { high = middle }
    }
    return offsets[low]
  }
}
