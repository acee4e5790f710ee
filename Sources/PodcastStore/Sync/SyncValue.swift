internal import PodcastModel
package import Text

/// The values of registers: their form, and which make sense. Nothing read from elsewhere can name a file or a command.
package enum SyncValue {
  /// Before the id of a bookmark.
  static let mark = "mark:"
  static let tag = "tag:"
  static let setting = "set:"

  /// A position and whether the episode is finished: one value, so that the two cannot part.
  package static func play(position: Int64, length: Int64?, isFinished: Bool, at: Int64?) -> JSON {
    ["at": JSON(at), "done": isFinished ? 1 : 0, "len": JSON(length), "pos": JSON(position)]
  }

  /// Of the former addresses as many as fit into a line that machines read.
  static func identity(url: String, others: [String], guid: String?, title: String) -> JSON {
    var room = mostOfOthers
    let others = others.prefix { address in
      room -= address.utf8.count
      return room >= 0
    }
    return ["guid": JSON(guid), "title": JSON(title), "url": JSON(url), "was": JSON(nonEmpty: others.map { JSON($0) })]
  }

  static func bookmark(at position: Int64, note: String?, made: Int64) -> JSON {
    ["at": JSON(made), "note": JSON(note), "pos": JSON(position)]
  }

  /// The value with its texts cleaned and its members in order; nil where it makes no sense, or the name is unknown.
  static func checked(_ value: JSON, for name: String, ofEpisode isOfEpisode: Bool) -> JSON? {
    if isOfEpisode {
      switch name {
      case "play": return checkedPlay(value)
      case "fav": return flag(value)
      case "q": return value == .null ? .null : queueKey(value)
      default: return name.hasPrefix(mark) && name.count > mark.count ? checkedBookmark(value) : nil
      }
    }
    switch name {
    case "is": return checkedIdentity(value)
    case "sub": return flag(value)
    case "title": return value == .null ? .null : line(value)
    default:
      if name.hasPrefix(tag), isLabel(name.dropFirst(tag.count)) { return flag(value) }
      guard name.hasPrefix(setting), name.utf8.count <= 64 else { return nil }
      return value == .null ? .null : value.text.flatMap { $0.utf8.count <= longest ? value : nil }
    }
  }

  private static let longest = 4000
  private static let mostOfOthers = 24_000
  private static let longestLength: Int64 = 1 << 40

  private static func flag(_ value: JSON) -> JSON? {
    switch value.int {
    case 0: 0
    case 1: 1
    default: nil
    }
  }

  private static func line(_ value: JSON) -> JSON? {
    guard let text = value.text.map(cleaned), !text.isEmpty else { return nil }
    return JSON(text)
  }

  /// On one line, without what could move a cursor.
  private static func cleaned(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in PlainText.line(text).unicodeScalars.prefix(longest) where !scalar.isUnsafeToShow {
      scalars.append(scalar)
    }
    return String(scalars)
  }

  private static func isLabel(_ text: Substring) -> Bool {
    (1...200).contains(text.utf8.count) && !text.unicodeScalars.contains { $0.isUnsafeToShow }
  }

  private static func checkedPlay(_ value: JSON) -> JSON? {
    guard let position = value["pos"]?.int, (0...longestLength).contains(position), let done = value["done"]?.int,
      done == 0 || done == 1
    else { return nil }
    let length = value["len"]?.int.flatMap { (1...longestLength).contains($0) ? $0 : nil }
    let at = value["at"]?.int.flatMap { (0...SyncRegister.stamps.upperBound / 1000).contains($0) ? $0 : nil }
    return play(position: position, length: length, isFinished: done == 1, at: at)
  }

  private static func checkedBookmark(_ value: JSON) -> JSON? {
    if value == .null { return .null }
    guard let position = value["pos"]?.int, (0...longestLength).contains(position) else { return nil }
    let made = value["at"]?.int.flatMap { (0...SyncRegister.stamps.upperBound / 1000).contains($0) ? $0 : nil }
    let note = value["note"]?.text.map(cleaned).flatMap { $0.isEmpty ? nil : $0 }
    return bookmark(at: position, note: note, made: made ?? 0)
  }

  private static func checkedIdentity(_ value: JSON) -> JSON? {
    guard let url = value["url"]?.text, SyncAddress.isFit(url) else { return nil }
    let others = (value["was"]?.elements ?? []).prefix(50).compactMap(\.text).filter(SyncAddress.isFit)
    let guid = value["guid"]?.text.flatMap { $0.utf8.count <= longest ? $0 : nil }
    return identity(url: url, others: others.sorted(), guid: guid, title: value["title"]?.text.map(cleaned) ?? "")
  }

  private static func queueKey(_ value: JSON) -> JSON? {
    guard let key = value.text, (1...64).contains(key.utf8.count), key.utf8.allSatisfy({ QueueKey.digits.contains($0) })
    else { return nil }
    return value
  }
}
