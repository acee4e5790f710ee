// The small parts of a feed that Podcasting 2.0 and iTunes add, one struct each.

/// `podcast:person`: a host, guest or other contributor.
package struct Person: Hashable, Sendable {
  package var name: String
  package var role = "host"
  package var group = "cast"
  package var image: String?
  package var link: String?

  package init(name: String) { self.name = name }
}

/// `podcast:funding`: a page where listeners can donate.
package struct Funding: Hashable, Sendable {
  package var url: String
  package var text: String?

  package init(url: String, text: String? = nil) {
    self.url = url
    self.text = text
  }
}

/// `podcast:location`: the subject's location.
package struct Location: Hashable, Sendable {
  package var name: String?
  package var geo: String?
  package var osm: String?

  package init() {}
}

/// `podcast:license` or a license link.
package struct License: Hashable, Sendable {
  package var identifier: String?
  package var url: String?

  package init() {}
}

/// `podcast:trailer`: a trailer of the podcast.
package struct Trailer: Hashable, Sendable {
  package var url: String
  package var type: String?
  package var length: Int64?
  package var title: String?
  package var season: Double?
  package var publishedAt: Timestamp?

  package init(url: String) { self.url = url }
}

/// `podcast:remoteItem`: a recommended feed or episode.
package struct RemoteItem: Hashable, Sendable {
  package var feedGUID: String?
  package var feedURL: String?
  package var itemGUID: String?
  package var medium: String?
  package var title: String?

  package init() {}
}

/// `podcast:liveItem`: a live stream.
package struct LiveItem: Hashable, Sendable {
  package var status: String?
  package var start: Timestamp?
  package var end: Timestamp?
  package var title: String?
  package var guid: String?

  package init() {}
}

/// `podcast:value`: parsed and printed; podcli pays nothing.
package struct PaymentInfo: Hashable, Sendable {
  /// A receiver of a share of the payment.
  package struct Recipient: Hashable, Sendable {
    package var name: String?
    package var type: String?
    package var address: String?
    package var split: Double?

    package init() {}
  }

  package var type: String?
  package var method: String?
  package var recipients: [Recipient] = []

  package init() {}
}

/// `podcast:soundbite`: a highlight of the episode, in seconds.
package struct Soundbite: Hashable, Sendable {
  package var start: Double
  package var duration: Double
  package var title: String?

  package init(start: Double, duration: Double, title: String? = nil) {
    self.start = start
    self.duration = duration
    self.title = title
  }
}
