import PodcastModel

// Live items and payments.

extension FeedBuilder {
  func openLiveItem(_ attributes: XMLAttributes, _ frame: inout Frame) {
    frame.place = .liveItem
    frame.outerScope = scope
    scope = .liveItem
    liveItemSlots.removeAll()
    var item = LiveItem()
    item.status = attributes["status"]?.folded
    item.start = attributes["start"].flatMap(DateText.timestamp)
    item.end = attributes["end"].flatMap(DateText.timestamp)
    parts.liveItem = item
  }

  func closeLiveItem() {
    guard var item = parts.liveItem else { return }
    item.title = liveItemSlots[.title]
    item.guid = liveItemSlots[.guid]
    keep(item, in: &feed.liveItems)
    parts.liveItem = nil
  }

  func openValue(_ attributes: XMLAttributes, _ frame: inout Frame) {
    frame.place = .value
    var value = PaymentInfo()
    value.type = attributes["type"]
    value.method = attributes["method"]
    parts.value = value
  }

  func openRecipient(_ attributes: XMLAttributes) {
    var recipient = PaymentInfo.Recipient()
    recipient.name = attributes["name"]
    recipient.type = attributes["type"]
    recipient.address = attributes["address"]
    recipient.split = attributes["split"].flatMap(Number.nonNegative)
    spend(MemoryLayout<PaymentInfo.Recipient>.stride)
    parts.value?.recipients.append(recipient)
  }

  func closeValue() {
    switch scope {
    case .feed: feed.value = feed.value ?? parts.value
    case .episode: rareFields.value = rareFields.value ?? parts.value
    case .liveItem: break
    }
    parts.value = nil
  }
}
