package import Text

/// One fact about a podcast or an episode: a value with a stamp, of which the greatest counts on every machine.
package struct SyncRegister: Hashable, Sendable {
  /// `sub`, `title`, `is`, `tag:NAME` and `set:KEY` of a podcast; `play`, `fav`, `q` and `mark:ID` of an episode.
  package var name: String
  /// Milliseconds since 1970.
  package var stamp: Int64
  /// The device that stamped it.
  package var device: String
  /// JSON on one line, with the members of objects in the order of their names.
  package var value: String

  package init(_ name: String, stamp: Int64, device: String, value: String) {
    self.name = name
    self.stamp = stamp
    self.device = device
    self.value = value
  }

  /// The whole rule of the merge: the greater stamp, device and value wins. Texts are compared by their bytes, as
  /// SQLite and every other machine do.
  package func beats(_ other: SyncRegister) -> Bool {
    if stamp != other.stamp { return stamp > other.stamp }
    if device != other.device { return other.device.utf8.lexicographicallyPrecedes(device.utf8) }
    return other.value.utf8.lexicographicallyPrecedes(value.utf8)
  }

  /// The author under which a register with this stamp beats this one: the device, or, where there is no later stamp, a
  /// text behind every device's id. `claimRegisters` does the same in SQL.
  func author(of stamp: Int64, by device: String) -> String {
    guard stamp <= self.stamp else { return device }
    let last = "~" + device
    return self.device.utf8.lexicographicallyPrecedes(last.utf8) ? last : String((self.device + "~").prefix(64))
  }

  func isIdentical(to other: SyncRegister) -> Bool {
    stamp == other.stamp && device == other.device && value == other.value
  }

  /// Stamps up to the year 2100.
  static let stamps: ClosedRange<Int64> = 0...4_102_444_800_000
}

/// The names by which machines recognise a podcast or an episode.
package struct SyncEntity: Hashable, Sendable {
  /// The traits of an episode. Any may be missing.
  package struct Episode: Hashable, Sendable {
    package var guid: String?
    /// A hash of the enclosure's address, see `SyncAddress.media`.
    package var media: String?
    package var publishedAt: Int64?

    package init(guid: String?, media: String?, publishedAt: Int64?) {
      self.guid = guid
      self.media = media
      self.publishedAt = publishedAt
    }
  }

  /// The feed's address in the form of `SyncAddress.key`.
  package var podcast: String
  package var episode: Episode?

  package init(podcast: String, episode: Episode? = nil) {
    self.podcast = podcast
    self.episode = episode
  }
}

/// An entity with any number of its registers: a line of a folder's file, or a server's action.
package struct SyncLine: Hashable, Sendable {
  package var entity: SyncEntity
  package var registers: [SyncRegister]

  package init(_ entity: SyncEntity, _ registers: [SyncRegister]) {
    self.entity = entity
    self.registers = registers
  }
}

// MARK: - As JSON

extension SyncEntity {
  /// The form in which parked registers keep it.
  var text: String { JSON(members: members).compact }

  fileprivate var members: [(String, JSON?)] {
    guard let episode else { return [("k", "podcast"), ("p", JSON(podcast))] }
    return [
      ("k", "episode"), ("p", JSON(podcast)), ("g", JSON(episode.guid)), ("u", JSON(episode.media)),
      ("d", JSON(episode.publishedAt)),
    ]
  }

  init?(_ json: JSON) {
    guard let podcast = json["p"]?.text, !podcast.isEmpty else { return nil }
    switch json["k"]?.text {
    case "podcast": self.init(podcast: podcast)
    case "episode", "bookmark":
      let episode = Episode(guid: json["g"]?.text, media: json["u"]?.text, publishedAt: json["d"]?.int)
      guard episode.guid != nil || episode.media != nil || episode.publishedAt != nil else { return nil }
      self.init(podcast: podcast, episode: episode)
    default: return nil
    }
  }
}

extension SyncLine {
  /// Nil for a line about anything that this podcli does not know. Registers that it does not know, or whose value makes
  /// no sense, are left out.
  package init?(_ json: JSON, from device: String) {
    guard let entity = SyncEntity(json), case .object(let members)? = json["r"] else { return nil }
    let mark = json["k"]?.text == "bookmark" ? json["b"]?.text : nil
    if json["k"]?.text == "bookmark" {
      guard let mark, (1...64).contains(mark.utf8.count) else { return nil }
    }
    self.init(entity, [])
    for member in members.prefix(Self.mostRegisters) {
      let name = mark.map { member.name == "is" ? SyncValue.mark + $0 : "" } ?? member.name
      guard let parts = member.value.elements, parts.count == 2 || parts.count == 3,
        let stamp = parts[0].int, SyncRegister.stamps.contains(stamp),
        let author = parts.count == 3 ? parts[2].text : device, (1...64).contains(author.utf8.count),
        parts.count == 2 || author.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
        let value = SyncValue.checked(parts[1], for: name, ofEpisode: entity.episode != nil)
      else { continue }
      registers.append(SyncRegister(name, stamp: stamp, device: author, value: value.compact))
    }
  }

  private static let mostRegisters = 1000

  /// The lines of a file of `device`: bookmarks have lines of their own. A line that is longer than machines read is cut
  /// between registers.
  package func texts(of device: String) -> [String] {
    let marks = registers.filter { $0.name.hasPrefix(SyncValue.mark) }
    let others = registers.filter { !$0.name.hasPrefix(SyncValue.mark) }
    var lines: [JSON] = []
    for part in Self.parts(of: others) {
      let values = part.map { ($0.name, $0.json(in: device) as JSON?) }
      lines.append(JSON(members: entity.members + [("r", JSON(members: values))]))
    }
    for mark in marks {
      let kind: [(String, JSON?)] = [("k", "bookmark")]
      let id: [(String, JSON?)] = [("b", JSON(String(mark.name.dropFirst(SyncValue.mark.count))))]
      lines.append(
        JSON(members: kind + entity.members.dropFirst() + id + [("r", JSON(members: [("is", mark.json(in: device))]))]))
    }
    return lines.map(\.compact)
  }

  private static func parts(of registers: [SyncRegister]) -> [ArraySlice<SyncRegister>] {
    var parts: [ArraySlice<SyncRegister>] = []
    var (start, size) = (0, 0)
    for (index, register) in registers.enumerated() {
      let length = register.name.utf8.count + register.value.utf8.count
      if index > start, size + length > mostOfLine {
        parts.append(registers[start..<index])
        (start, size) = (index, 0)
      }
      size += length
    }
    return start < registers.count ? parts + [registers[start...]] : parts
  }

  /// Bytes of registers: half of the longest line, as names and stamps come to them.
  private static let mostOfLine = 32 << 10
}

extension SyncRegister {
  fileprivate func json(in device: String) -> JSON {
    let author: [JSON] = self.device == device ? [] : [JSON(self.device)]
    return .array([JSON(stamp), JSON(parsing: value) ?? .null] + author)
  }
}

extension SyncLine {
  /// Of a podcast.
  var identity: SyncIdentity? {
    registers.first { $0.name == "is" }.flatMap { JSON(parsing: $0.value) }.map(SyncIdentity.init)
  }
}
