internal import PodcastStore
internal import Text

/// A file of the folder, read: its header, its lines, and what its device says of itself.
struct SyncFileText {
  /// Why a file is left alone.
  enum Problem: String { case tooLarge, unreadable, deferred, noHeader, unknownVersion, encrypted }

  private(set) var device = ""
  private(set) var label: String?
  private(set) var seen: String?
  private(set) var lines: [SyncLine] = []
  /// Lines that are torn, too long, or no JSON.
  private(set) var passedOver = 0
  private(set) var problem: Problem?

  private static let longestLine = 64 << 10
  private static let mostLines = 200_000
  private static let depth = 6
  private static let mostValues = 20_000

  /// With `isHeaderOnly` the lines are left out.
  init(_ bytes: [UInt8], isHeaderOnly: Bool = false) {
    bytes.withUnsafeBufferPointer { bytes in
      guard let end = bytes.firstIndex(of: 0x0A), end <= Self.longestLine else { return problem = .noHeader }
      readHeader(UnsafeBufferPointer(rebasing: bytes[..<end]))
      guard problem == nil, !isHeaderOnly else { return }
      read(UnsafeBufferPointer(rebasing: bytes[(end + 1)...]))
    }
  }

  private mutating func readHeader(_ line: UnsafeBufferPointer<UInt8>) {
    guard let header = JSON(parsing: line, depth: Self.depth, values: Self.mostValues),
      let version = header["podcli-sync"]?.int
    else { return problem = .noHeader }
    guard version == 1 else { return problem = .unknownVersion }
    guard header["enc"]?.text == "none" else { return problem = .encrypted }
    guard let device = header["device"]?.text, Self.isDevice(device) else { return problem = .noHeader }
    self.device = device
  }

  static func isDevice(_ text: String) -> Bool {
    text.utf8.count == 16 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
    var start = 0
    var count = 0
    while start < bytes.count, count < Self.mostLines {
      // The last line of a file that is half done ends nowhere.
      guard let end = bytes[start...].firstIndex(of: 0x0A) else { break }
      add(UnsafeBufferPointer(rebasing: bytes[start..<end]))
      start = end + 1
      count += 1
    }
    if start < bytes.count { passedOver += 1 }
  }

  private mutating func add(_ line: UnsafeBufferPointer<UInt8>) {
    guard line.count <= Self.longestLine, let json = JSON(parsing: line, depth: Self.depth, values: Self.mostValues),
      json["k"]?.text != nil
    else { return passedOver += 1 }
    if json["k"]?.text == "device" {
      label = json["r"]?["name"]?.elements?.dropFirst().first?.text.map(Self.cleaned) ?? label
      seen = json["r"]?["seen"]?.elements?.dropFirst().first?.text.map(Self.cleaned) ?? seen
    } else if let line = SyncLine(json, from: device) {
      lines.append(line)
    }
  }

  private static func cleaned(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(80) where !scalar.isUnsafeToShow { scalars.append(scalar) }
    return String(scalars)
  }

  // MARK: Writing

  /// The first lines of a device's file.
  static func header(of device: String) -> String {
    let header: JSON = ["podcli-sync": 1, "device": JSON(device), "enc": "none"]
    return header.compact + "\n"
  }

  static func introduction(_ label: String, day: String, now: Int64) -> String {
    let line: JSON = [
      "k": "device",
      "r": ["name": [JSON(now), JSON(label)], "seen": [JSON(now), JSON(day)]],
    ]
    return line.compact + "\n"
  }

  /// Lines that no machine would read are left out.
  static func bytes(_ lines: [SyncLine], of device: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for line in lines {
      for text in line.texts(of: device) where text.utf8.count < longestLine {
        bytes += text.utf8
        bytes.append(0x0A)
      }
    }
    return bytes
  }
}
