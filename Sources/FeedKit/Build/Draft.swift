import PodcastModel

/// The values read so far of one feed, episode or live item: the texts of its elements, and the fields that feeds and
/// episodes share.
final class Draft {
  let slots = Slots()
  var categories: [String] = []
  var keywords: [String] = []
  var persons: [Person] = []
  var fundings: [Funding] = []
  var location: Location?
  var license: License?
  var value: PaymentInfo?

  func removeAll() {
    slots.removeAll()
    categories.removeAll()
    keywords.removeAll()
    persons.removeAll()
    fundings.removeAll()
    location = nil
    license = nil
    value = nil
  }
}
