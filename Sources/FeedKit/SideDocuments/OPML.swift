package import PodcastModel
internal import Text

/// Reads lists of subscriptions in OPML 1.0 to 2.0, lenient about names and types; writes OPML 2.0.
package enum OPML {
  /// Every feed once, in the order of the document. A feed that is in several folders has all of them.
  package static func feeds(
    in bytes: [UInt8], baseURL: String? = nil, charset: String? = nil, limits: FeedLimits = .standard
  ) throws(FeedError) -> [FeedOutline] {
    let handler = OPMLHandler(baseURL: baseURL)
    let warnings = Warnings(limit: 0)
    let reader = try DocumentReader(
      handler: handler, kinds: .opml, charset: charset, limits: limits, warnings: warnings)
    bytes.withUnsafeBytes { reader.take($0) }
    reader.finish()
    if let failure = reader.failure { throw failure }
    guard handler.isOPML else { throw FeedError(.notAFeed, "this is not an OPML file") }
    return handler.feeds
  }

  /// Whether the document ends before its outlines do. Not told of an encoding that is not based on ASCII.
  package static func isCutOff(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self).lowercased()
    guard let start = text.firstRange(of: "<opml") else { return false }
    return !text[start.upperBound...].contains("</opml")
      && !text[start.upperBound...].prefix { $0 != ">" }.hasSuffix("/")
  }

  /// Writes an OPML document. Feeds with the same folder are inside one outline.
  package static func document(title: String, feeds: [FeedOutline], created: Timestamp? = nil) -> String {
    var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<opml version=\"2.0\">", "  <head>"]
    lines.append("    <title>\(XMLText.escaped(title))</title>")
    if let created { lines.append("    <dateCreated>\(MailDate.text(of: created))</dateCreated>") }
    lines += ["  </head>", "  <body>"]
    append(feeds.map { ($0, $0.folders[...]) }, indent: "    ", to: &lines)
    lines += ["  </body>", "</opml>", ""]
    return lines.joined(separator: "\n")
  }

  private static func append(
    _ feeds: [(feed: FeedOutline, folders: ArraySlice<String>)], indent: String, to lines: inout [String]
  ) {
    var folders: [String] = []
    var members: [String: [(feed: FeedOutline, folders: ArraySlice<String>)]] = [:]
    for entry in feeds {
      guard let folder = entry.folders.first else {
        lines.append(indent + outline(entry.feed))
        continue
      }
      if members[folder] == nil { folders.append(folder) }
      members[folder, default: []].append((entry.feed, entry.folders.dropFirst()))
    }
    for folder in folders {
      lines.append("\(indent)<outline\(XMLText.attribute("text", folder))\(XMLText.attribute("title", folder))>")
      append(members[folder] ?? [], indent: indent + "  ", to: &lines)
      lines.append("\(indent)</outline>")
    }
  }

  private static func outline(_ feed: FeedOutline) -> String {
    let title = feed.title ?? feed.url
    let website = feed.website.map { XMLText.attribute("htmlUrl", $0) } ?? ""
    let mark = feed.isPrivate ? XMLText.attribute("podcliPrivate", "true") : ""
    return "<outline type=\"rss\"\(XMLText.attribute("text", title))\(XMLText.attribute("title", title))"
      + "\(XMLText.attribute("xmlUrl", feed.url))\(website)\(mark)/>"
  }
}

private final class OPMLHandler: XMLHandler {
  private(set) var feeds: [FeedOutline] = []
  private(set) var isOPML = false
  private let baseURL: String?
  private var indices: [String: Int] = [:]
  /// The name of each open element that is a folder.
  private var folders: [String?] = []

  /// Of one feed.
  private static let mostFolders = 32
  private static let mostFeeds = 200_000

  init(baseURL: String?) { self.baseURL = baseURL }

  override func startElement(_ name: XMLName, _ attributes: XMLAttributes) {
    var folder: String?
    defer { folders.append(folder) }
    let local = String(cString: name.local).lowercased()
    if local == "opml" || local.hasSuffix(":opml") { isOPML = true }
    guard local == "outline" || local.hasSuffix(":outline") else { return }
    let title = (attributes["text"] ?? attributes["title"]).map(PlainText.line)
    if let address = attributes["xmlUrl"] ?? plainAddress(attributes) {
      var outline = FeedOutline(
        url: WebURL.resolve(address, against: baseURL), title: title, website: attributes["htmlUrl"])
      outline.isPrivate = attributes["podcliPrivate"] == "true"
      add(outline)
    } else if let title, !title.isEmpty {
      folder = title
    }
  }

  override func endElement() { _ = folders.popLast() }

  /// `url` is also the address of an episode's page, a list or a link, as the type tells.
  private func plainAddress(_ attributes: XMLAttributes) -> String? {
    guard let type = attributes["type"]?.folded else { return attributes["url"] }
    return ["rss", "atom", "podcast"].contains(type) ? attributes["url"] : nil
  }

  private func add(_ outline: FeedOutline) {
    var outline = outline
    outline.folders = Array(folders.lazy.compactMap { $0 }.prefix(Self.mostFolders))
    if let index = indices[outline.url] {
      for folder in outline.folders
      where feeds[index].folders.count < Self.mostFolders && !feeds[index].folders.contains(folder) {
        feeds[index].folders.append(folder)
      }
    } else if feeds.count < Self.mostFeeds {
      indices[outline.url] = feeds.count
      feeds.append(outline)
    }
  }
}

/// Escapes text for XML.
private enum XMLText {
  /// The controls that XML allows mean nothing in a list.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: true
    case 0..<0x20, 0x7F...0x9F, 0xFFFE, 0xFFFF: false
    default: true
    }
  }

  static func escaped(_ text: String) -> String {
    var output: [UInt8] = []
    for scalar in text.unicodeScalars where isAllowed(scalar) {
      switch scalar {
      case "&": output += "&amp;".utf8
      case "<": output += "&lt;".utf8
      case ">": output += "&gt;".utf8
      case "\"": output += "&quot;".utf8
      case "\n": output += "&#10;".utf8
      case "\t": output += "&#9;".utf8
      // A list is also looked at in a terminal.
      case _ where scalar.isUnsafeToShow: output += "&#\(scalar.value);".utf8
      default: output += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  static func attribute(_ name: String, _ value: String) -> String { " \(name)=\"\(escaped(value))\"" }
}
