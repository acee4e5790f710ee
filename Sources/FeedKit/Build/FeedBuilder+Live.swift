import PodcastModel

// Live items and payment information.

extension FeedBuilder {
  func openLiveItem(_ attributes: XMLAttributes, _ frame: inout Frame) {
    frame.context = .liveItem
    frame.outerScope = scope
    scope = .liveItem
    liveItemDraft.removeAll()
    var item = LiveItem()
    item.status = attributes["status"]?.folded
    item.start = attributes["start"].flatMap(DateText.timestamp)
    item.end = attributes["end"].flatMap(DateText.timestamp)
    parts.liveItem = item
  }

  func closeLiveItem() {
    guard var item = parts.liveItem else { return }
    item.title = liveItemDraft.slots[.title]
    item.guid = liveItemDraft.slots[.guid]
    keep(item, in: &feed.liveItems)
    parts.liveItem = nil
  }

  func openValue(_ attributes: XMLAttributes, _ frame: inout Frame) {
    frame.context = .value
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
    draft.value = draft.value ?? parts.value
    parts.value = nil
  }
}
