import TestSupport
import Testing

/// A ZIP archive. Its checksums are zero.
struct ZipFile {
  private var body: [UInt8] = []
  private var list: [UInt8] = []
  private var count = 0

  /// Adds a file, as it is or deflated already. `saysSize`: the size in the list, where that is a lie.
  mutating func add(_ name: String, _ content: [UInt8], deflatedTo packed: [UInt8]? = nil, saysSize: Int? = nil) {
    let method = packed == nil ? 0 : 8
    let packed = packed ?? content
    let sizes = number(0, 4) + number(packed.count, 4) + number(saysSize ?? content.count, 4)
    let common = number(20, 2) + number(0, 2) + number(method, 2) + number(0, 4) + sizes + number(name.utf8.count, 2)
    list += number(0x0201_4b50, 4) + number(20, 2) + common + number(0, 12) + number(body.count, 4) + Array(name.utf8)
    body += number(0x0403_4b50, 4) + common + number(0, 2) + Array(name.utf8) + packed
    count += 1
  }

  var bytes: [UInt8] {
    body + list + number(0x0605_4b50, 4) + number(0, 4) + number(count, 2) + number(count, 2) + number(list.count, 4)
      + number(body.count, 4) + number(0, 2)
  }

  private func number(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// The files of a folder; those of even length are deflated, by gzip, whose format is the same inside.
  static func write(_ folder: String, to path: String, _ home: TemporaryHome) async throws -> String {
    var archive = ZipFile()
    for name in names(in: folder).sorted() {
      let content = try contents(of: folder + "/" + name)
      guard content.count.isMultiple(of: 2) else {
        archive.add("backup/" + name, content)
        continue
      }
      let made = try await home.program("gzip", "--keep", "--no-name", folder + "/" + name).run()
      try #require(made.status == .exited(0), "\(made)")
      let packed = try contents(of: folder + "/" + name + ".gz").dropFirst(10).dropLast(8)
      archive.add("backup/" + name, content, deflatedTo: Array(packed))
    }
    try AppLibrary.write(archive.bytes, to: path)
    return path
  }
}
