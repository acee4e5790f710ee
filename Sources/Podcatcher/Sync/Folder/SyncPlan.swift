internal import PodcastStore
private import Text

/// The files of a folder, compared with what was last read of them: which devices' files have to be read again.
struct SyncPlan {
  let folder: SyncFolder
  let own: String
  /// Also where it is as we left it.
  private let readsOwn: Bool
  private let known: [String: SyncFile]
  private var texts: [String: SyncFileText] = [:]
  /// Bytes that one sync has read.
  private var read = 0
  /// All files, as they will be remembered.
  private(set) var files: [SyncFile] = []
  private(set) var devices: Set<String> = []
  /// Our own file is byte for byte what we left.
  private(set) var isOwnAsLeft = true

  static func name(of device: String) -> String { device + ".jsonl" }

  init(
    _ folder: SyncFolder, _ entries: [SyncFolder.Entry], known: [SyncFile], own: String, left: OwnFile,
    readsOwn: Bool = false
  ) {
    self.folder = folder
    self.own = own
    self.readsOwn = readsOwn
    self.known = Dictionary(known.map { ($0.name, $0) }) { first, _ in first }
    let names = Set(entries.map(\.name))
    for file in known where !names.contains(file.name) { devices.insert(file.device) }
    if !names.contains(Self.name(of: own)) { isOwnAsLeft = false }
    for entry in entries { compare(entry, left) }
    devices.remove("")
  }

  /// Nothing has to be read.
  static func isUnchanged(_ entries: [SyncFolder.Entry], known: [SyncFile]) -> Bool {
    let signatures = Dictionary(known.map { ($0.name, $0.signature) }) { first, _ in first }
    return entries.count == known.count
      && entries.allSatisfy { !$0.signature.isEmpty && signatures[$0.name] == $0.signature }
  }

  private mutating func compare(_ entry: SyncFolder.Entry, _ left: OwnFile) {
    if let file = known[entry.name], file.signature == entry.signature, !entry.signature.isEmpty {
      files.append(file)
      return
    }
    let isFree = entry.name == Self.name(of: own) || entry.isTooLarge
    guard isFree || read + entry.size <= SyncFolder.largestRound else {
      // The next sync reads it.
      var file = known[entry.name] ?? SyncFile(name: entry.name, device: "", signature: "")
      file.signature = ""
      file.problem = SyncFileText.Problem.deferred.rawValue
      files.append(file)
      return
    }
    if !isFree { read += entry.size }
    if let device = known[entry.name]?.device, entry.name != Self.name(of: own) { devices.insert(device) }
    let bytes = entry.isTooLarge ? nil : folder.read(entry.name)
    if entry.name == Self.name(of: own) {
      guard let bytes, left.isSame(bytes) else {
        isOwnAsLeft = false
        devices.insert(own)
        return add(entry, bytes)
      }
      if readsOwn {
        devices.insert(own)
        return add(entry, bytes)
      }
      var file = known[entry.name] ?? SyncFile(name: entry.name, device: own, signature: "")
      file.signature = entry.signature
      files.append(file)
      return
    }
    add(entry, bytes)
  }

  private mutating func add(_ entry: SyncFolder.Entry, _ bytes: [UInt8]?) {
    var file = SyncFile(name: entry.name, device: "", signature: entry.signature)
    defer { files.append(file) }
    guard let bytes else {
      // One that cannot be read now is tried again, though it looks the same.
      if !entry.isTooLarge { file.signature = "" }
      file.problem =
        entry.isTooLarge ? SyncFileText.Problem.tooLarge.rawValue : SyncFileText.Problem.unreadable.rawValue
      return
    }
    let text = SyncFileText(bytes)
    texts[entry.name] = text
    describe(text, &file)
    devices.insert(text.device)
  }

  private func describe(_ text: SyncFileText, _ file: inout SyncFile) {
    file.device = text.device
    file.label = text.label
    file.seen = text.seen
    file.passedOver = text.passedOver
    file.problem = text.problem?.rawValue
  }

  /// Everything in the files of the devices of which a file changed, came or went.
  mutating func groups() -> [SyncInput.Group] {
    devices.sorted().map { device in
      var lines: [SyncLine] = []
      for index in files.indices where files[index].device == device {
        let name = files[index].name
        let text = texts.removeValue(forKey: name) ?? SyncFileText(folder.read(name) ?? [])
        // It may have changed since.
        if text.device != device { files[index].signature = "" } else { lines += text.lines }
      }
      return SyncInput.Group(device: device, lines: lines)
    }
  }

  /// Copies of our own file that a program which moves files made of it: all that they say is known now.
  var conflictCopies: [String] {
    own.isEmpty ? [] : files.filter { $0.device == own && $0.name != Self.name(of: own) }.map(\.name)
  }
}

/// The length and hash of this device's file as it was left.
struct OwnFile: Hashable {
  var size = 0
  var hash = FNV1a.start
  /// When it was last written as a whole.
  var compactSize = 0

  init() {}

  init(_ state: [String: String]) {
    guard let words = state["own-file"]?.split(separator: " "), words.count == 3, let size = Int(words[0]),
      let hash = UInt64(words[1]), let compact = Int(words[2])
    else { return }
    (self.size, self.hash, compactSize) = (size, hash, compact)
  }

  var text: String { "\(size) \(hash) \(compactSize)" }

  func isSame(_ bytes: [UInt8]) -> Bool { bytes.count == size && Self.hash(bytes) == hash }

  private static func hash(_ bytes: [UInt8], from start: UInt64 = FNV1a.start) -> UInt64 {
    bytes.withUnsafeBufferPointer { FNV1a.hash($0, from: start) }
  }

  mutating func append(_ bytes: [UInt8]) {
    size += bytes.count
    hash = Self.hash(bytes, from: hash)
  }

  static func whole(_ bytes: [UInt8]) -> OwnFile {
    var file = OwnFile()
    file.append(bytes)
    file.compactSize = bytes.count
    return file
  }

  /// Most of its lines are superseded.
  var isWorthCompacting: Bool { size > 256 << 10 && size > 2 * compactSize }
}
