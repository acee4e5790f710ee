import PodcastModel
internal import Text

/// The members of a JSON Feed that are read.
enum JSONFeedMember: String {
  case title, description, icon, favicon, authors, author, language, expired
  case homePage = "home_page_url"
  case address = "feed_url"
  case nextPage = "next_url"
}

// The members of a JSON Feed and its items become the texts that elements of XML would have been.

extension FeedBuilder {
  func take(_ member: JSONFeedMember, _ value: JSON) {
    switch member {
    case .title: offer(line(value), to: .title)
    case .homePage: offer(resolved(text(value)), to: .link)
    case .address: offer(resolved(text(value)), to: .selfURL)
    case .description: offer(text(value).map(PlainText.escaped), to: .description)
    case .nextPage: offer(resolved(text(value)), to: .nextPageURL)
    case .icon: offer(resolved(text(value)), to: .logo)
    case .favicon: offer(resolved(text(value)), to: .icon)
    case .authors, .author: offer(names(value), to: .author)
    case .language: offer(line(value), to: .language)
    case .expired: if value.flag == true { offer("yes", to: .complete) }
    }
  }

  func addItem(_ item: JSON) {
    var frame = Frame(context: .item)
    openEpisode(&frame)
    guard failure == nil else { return }
    offer(text(item["id"]), to: .guid)
    offer(resolved(text(item["url"])), to: .link)
    offer(resolved(text(item["external_url"])), to: .atomLink)
    offer(line(item["title"]), to: .title)
    offer(text(item["content_html"]) ?? text(item["content_text"]).map(PlainText.escaped), to: .content)
    offer(text(item["summary"]).map(PlainText.escaped), to: .atomSummary)
    offer(resolved(text(item["image"])), to: .image)
    offer(resolved(text(item["banner_image"])), to: .thumbnail)
    offer(text(item["date_published"]), to: .published)
    offer(text(item["date_modified"]), to: .updated)
    offer(names(item["authors"]) ?? names(item["author"]), to: .author)
    addCategories((item["tags"]?.elements ?? []).compactMap(line))
    for attachment in item["attachments"]?.elements ?? [] { addAttachment(attachment) }
    closeEpisode()
  }

  private func addAttachment(_ attachment: JSON) {
    addEnclosure(text(attachment["url"]), text(attachment["mime_type"]), text(attachment["size_in_bytes"]))
    offer(text(attachment["duration_in_seconds"]), to: .mediaDuration)
  }

  /// The names of one author or of several.
  private func names(_ value: JSON?) -> String? {
    let authors = value?.elements ?? value.map { [$0] } ?? []
    let names = authors.compactMap { line($0["name"]) ?? line($0) }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }

  private func line(_ value: JSON?) -> String? {
    guard let text = text(value) else { return nil }
    let line = PlainText.collapsed(text)
    return line.isEmpty ? nil : line
  }

  /// A text, or a number where a text should be, without blanks around it and without the characters that XML forbids.
  private func text(_ value: JSON?) -> String? {
    guard var text = value?.text ?? value?.int.map({ String($0) }) ?? value?.double.map({ String($0) }) else {
      return nil
    }
    if text.unicodeScalars.contains(where: Self.isForbidden) {
      text.unicodeScalars.removeAll(where: Self.isForbidden)
    }
    return text.withUTF8 { bytes in
      var trimmed = Bytes.trimmed(bytes)
      if trimmed.count > limits.textBytes {
        warnings.add("text longer than \(FeedLimits.text(limits.textBytes)) was cut")
        trimmed = UnsafeBufferPointer(rebasing: trimmed[..<limits.textBytes])
        return String(decoding: trimmed, as: UTF8.self)
      }
      return trimmed.isEmpty ? nil : Bytes.string(trimmed)
    }
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 && scalar != "\n" && scalar != "\t" && scalar != "\r" || scalar.value & 0xFFFE == 0xFFFE
  }
}
