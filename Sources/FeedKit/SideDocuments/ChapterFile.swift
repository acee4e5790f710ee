package import PodcastModel
internal import Text

/// Reads a chapter file: JSON chapters, or Podlove simple chapters.
package enum ChapterFile {
  /// The chapters in the order of their times, unlisted ones included. Nil for any other document.
  package static func chapters(in bytes: [UInt8], baseURL: String? = nil) -> [Chapter]? {
    if let document = JSON(parsing: Array(EncodingDecoder.text(bytes).utf8)) {
      return (document["chapters"]?.elements ?? document.elements).map {
        sorted($0.compactMap { chapter($0, baseURL) })
      }
    }
    return simpleChapters(bytes, baseURL)
  }

  private static func sorted(_ chapters: [Chapter]) -> [Chapter] {
    // Ordered by index where times are equal: `sort` is not stable by contract.
    chapters.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
  }

  private static func chapter(_ value: JSON, _ baseURL: String?) -> Chapter? {
    guard let start = time(value["startTime"] ?? value["start"]) else { return nil }
    var chapter = Chapter(
      start: start, title: PlainText.collapsed(value["title"]?.text ?? ""), end: time(value["endTime"] ?? value["end"]),
      link: address(value["url"] ?? value["href"], baseURL), image: address(value["img"] ?? value["image"], baseURL))
    chapter.isListed = value["toc"]?.flag ?? true
    return chapter
  }

  private static func address(_ value: JSON?, _ baseURL: String?) -> String? {
    guard let text = value?.text, !text.isEmpty else { return nil }
    return WebURL.resolve(text, against: baseURL)
  }

  /// Reads a number of seconds, or a text such as `1:02:03.5`.
  static func time(_ value: JSON?) -> Double? {
    if let text = value?.text { return DurationText.seconds(text) }
    guard let seconds = value?.double, seconds >= 0, seconds < 1e8 else { return nil }
    return seconds
  }

  private static func simpleChapters(_ bytes: [UInt8], _ baseURL: String?) -> [Chapter]? {
    let handler = SimpleChaptersHandler(baseURL: baseURL)
    let warnings = Warnings(limit: 0)
    do throws(FeedError) {
      let reader = try DocumentReader(
        handler: handler, kinds: .chapters, charset: nil, limits: .standard, warnings: warnings)
      bytes.withUnsafeBytes { reader.take($0) }
      reader.finish()
    } catch {
      return nil
    }
    return handler.isChapters ? sorted(handler.chapters) : nil
  }
}

private final class SimpleChaptersHandler: XMLHandler {
  private(set) var chapters: [Chapter] = []
  private(set) var isChapters = false
  private let baseURL: String?

  init(baseURL: String?) { self.baseURL = baseURL }

  override func startElement(_ name: XMLName, _ attributes: XMLAttributes) {
    let local = String(cString: name.local).lowercased().split(separator: ":").last
    if local == "chapters" { isChapters = true }
    guard local == "chapter", let start = attributes["start"].flatMap(DurationText.seconds) else { return }
    chapters.append(
      Chapter(
        start: start, title: PlainText.collapsed(attributes["title"] ?? ""),
        link: attributes["href"].map { WebURL.resolve($0, against: baseURL) },
        image: attributes["image"].map { WebURL.resolve($0, against: baseURL) }))
  }
}
