/// A request, and how patient and how greedy it may be.
package struct HTTPRequest: Sendable {
  /// An http or https address.
  package var url: String
  package var method = Method.get
  /// Sent with any method but GET.
  package var body: [UInt8] = []
  /// Sent in addition to libcurl's own.
  package var headers: [Header] = []
  /// Absent: the whole document.
  package var range: ByteRange?
  /// For Basic authentication.
  package var credentials: Credentials?
  /// Off for media: a byte range of a compressed answer is worth nothing.
  package var acceptsCompression = true
  /// Off where headers carry a secret: libcurl takes credentials of its own off them, but sends the rest along. Any method
  /// but GET follows none, as its body would go to whatever host the server names.
  package var followsRedirects = true
  /// When to give up.
  package var limits = TransferLimits.feed
  /// Called before each connection is made for it, when the host's address is known.
  package var whenConnecting: (@Sendable () -> Void)?

  /// A plain GET within the limits of a feed.
  package init(url: String) { self.url = url }

  /// The methods that podcli uses.
  package enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
  }

  /// One header line.
  package struct Header: Hashable, Sendable {
    package var name: String
    package var value: String

    /// Dropped when name or value has control characters.
    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Sent to the origin of the address only; libcurl drops them when a redirect leaves it.
  package struct Credentials: Hashable, Sendable {
    package var user: String
    package var password: String

    /// A user and a password.
    package init(user: String, password: String) {
      self.user = user
      self.password = password
    }
  }
}

/// A stretch of a document: `last` absent means to its end.
package struct ByteRange: Hashable, Sendable {
  package var first: Int64
  package var last: Int64?

  /// A range from `first` to `last`, both included.
  package init(from first: Int64, through last: Int64? = nil) {
    self.first = first
    self.last = last
  }

  var headerValue: String { "\(first)-" + (last.map(String.init) ?? "") }
}

/// Healthy bytes may flow as long as they like, unless `total` says otherwise; a silent peer is left soon.
package struct TransferLimits: Hashable, Sendable {
  /// How long connecting may take.
  package var connect: Duration
  /// How long fewer than 100 bytes a second are put up with.
  package var stall: Duration
  /// How long everything may take.
  package var total: Duration?
  /// Counted after decompression, since libcurl's own limit is checked before it.
  package var bytes: Int64?

  /// Limits of its own for a special transfer.
  package init(connect: Duration, stall: Duration, total: Duration? = nil, bytes: Int64? = nil) {
    self.connect = connect
    self.stall = stall
    self.total = total
    self.bytes = bytes
  }

  /// For documents: at most ten minutes and 64 MB. Of a feed the parser says how much is read.
  package static let feed = TransferLimits(
    connect: .seconds(10), stall: .seconds(12), total: .seconds(600), bytes: 64 << 20)
  /// For the short documents of an API: at most a minute and 8 MB.
  package static let api = TransferLimits(
    connect: .seconds(10), stall: .seconds(60), total: .seconds(60), bytes: 8 << 20)
  /// For media files: no limit on time or size while bytes flow.
  package static let media = TransferLimits(connect: .seconds(10), stall: .seconds(15))
}
