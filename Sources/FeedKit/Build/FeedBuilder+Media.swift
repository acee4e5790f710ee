import PodcastModel
internal import Text

// Enclosures, pictures, chapters, transcripts, alternate enclosures and soundbites.

extension FeedBuilder {
  /// Each new enclosure is compared with those before it, so their number is limited.
  private static let mostEnclosures = 100

  func addEnclosure(_ address: String?, _ type: String?, _ length: String?, origin: EnclosureChoice.Origin = .enclosure)
  {
    guard scope == .episode, parts.enclosures.count < Self.mostEnclosures, let address = resolved(address) else {
      return
    }
    // Media RSS mostly repeats the enclosure.
    if origin != .enclosure, parts.enclosures.contains(where: { $0.url == address }) { return }
    let enclosure = Enclosure(
      url: address, type: MediaType.normalized(type), length: length.flatMap(Number.bytes))
    if enclosure.type?.utf8.starts(with: "image/".utf8) == true { offer(address, to: .enclosedPicture) }
    parts.sizeOfEnclosures += enclosure.ownSize
    spend(enclosure.ownSize)
    parts.enclosures.append(enclosure)
    parts.enclosureOrigins.append(origin)
  }

  /// `resource` is the attribute of RDF's module for enclosures.
  func openEnclosure(_ attributes: XMLAttributes) {
    let address = attributes["url"] ?? attributes["href"] ?? attributes["resource"]
    addEnclosure(address, attributes["type"], attributes["length"])
  }

  func openMediaContent(_ attributes: XMLAttributes, _ frame: inout Frame) {
    // Its children (title, thumbnail …) describe the episode as much as the media file.
    frame.context = scope == .episode ? .item : .feed
    let medium = attributes["medium"]?.folded
    let type = MediaType.normalized(attributes["type"])
    let isPicture = medium == "image" || (scope == .feed && type?.hasPrefix("image/") == true)
    if isPicture { return offer(resolved(attributes["url"]), to: .thumbnail) }
    guard scope == .episode else { return }
    let origin = EnclosureChoice.Origin.mediaRSS(isPlayable: medium == "audio" || medium == "video")
    addEnclosure(attributes["url"], type, attributes["fileSize"], origin: origin)
    offer(attributes["duration"], to: .mediaDuration)
  }

  func openAtomContent(_ attributes: XMLAttributes) {
    let type = MediaType.normalized(attributes["type"])
    if let source = attributes["src"], let type, type.hasPrefix("audio/") || type.hasPrefix("video/") {
      addEnclosure(source, type, nil)
    }
    gather()
  }

  func openPicture(_ attributes: XMLAttributes, _ slot: Slot) {
    guard let address = attributes["href"] ?? attributes["url"] else { return gather() }
    offer(resolved(address), to: slot)
  }

  func addChapters(_ url: String?, type: String?) {
    guard scope == .episode, rareFields.chapters == nil, let url else { return }
    rareFields.chapters = ChaptersLink(url: url, type: MediaType.normalized(type))
  }

  func openChapter(_ attributes: XMLAttributes) {
    guard scope == .episode, let start = attributes["start"].flatMap(DurationText.seconds) else { return }
    let chapter = Chapter(
      start: start, title: PlainText.collapsed(attributes["title"] ?? ""), link: resolved(attributes["href"]),
      image: resolved(attributes["image"]))
    keep(chapter, in: &rareFields.inlineChapters)
  }

  func openTranscript(_ attributes: XMLAttributes) {
    guard scope == .episode, let url = resolved(attributes["url"]) else { return }
    var transcript = TranscriptLink(url: url)
    transcript.type = MediaType.normalized(attributes["type"])
    transcript.language = attributes["language"].map(LanguageTag.normalized)
    transcript.relation = attributes["rel"]?.folded
    keep(transcript, in: &rareFields.transcripts)
  }

  func openAlternate(_ attributes: XMLAttributes, _ frame: inout Frame) {
    frame.context = .alternateEnclosure
    var alternate = AlternateEnclosure()
    alternate.type = MediaType.normalized(attributes["type"])
    alternate.length = attributes["length"].flatMap(Number.bytes)
    alternate.bitrate = attributes["bitrate"].flatMap(Number.nonNegative)
    alternate.height = attributes["height"].flatMap(Number.bytes).map { Int($0) }
    alternate.language = attributes["lang"].map(LanguageTag.normalized)
    alternate.title = attributes["title"]
    alternate.relation = attributes["rel"]
    alternate.codecs = attributes["codecs"]
    alternate.isDefault = attributes["default"].flatMap(Flag.value)
    parts.alternate = alternate
  }

  func openAlternateSource(_ attributes: XMLAttributes) {
    guard let uri = resolved(attributes["uri"]) else { return }
    let type = MediaType.normalized(attributes["contentType"])
    spend(MemoryLayout<AlternateEnclosure.Source>.stride)
    parts.alternate?.sources.append(.init(uri: uri, contentType: type))
  }

  func closeAlternate() {
    if scope == .episode, let alternate = parts.alternate { keep(alternate, in: &rareFields.alternateEnclosures) }
    parts.alternate = nil
  }

  func closeSoundbite(_ title: String?) {
    guard scope == .episode, var soundbite = parts.soundbite else { return }
    soundbite.title = title
    keep(soundbite, in: &rareFields.soundbites)
  }

  /// The old form of several images: `href 600w, href 300w`. The first one counts.
  func openImages(_ attributes: XMLAttributes) {
    let first = attributes["srcset"]?.split(separator: ",").first?.split(separator: " ").first
    offer(resolved(first.map { String($0) }), to: .podcastImage)
  }
}

extension Soundbite {
  init?(_ attributes: XMLAttributes) {
    guard let start = attributes["startTime"].flatMap(Number.nonNegative),
      let duration = attributes["duration"].flatMap(Number.nonNegative)
    else { return nil }
    self.init(start: start, duration: duration)
  }
}
