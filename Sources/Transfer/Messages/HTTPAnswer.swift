/// The head of the final answer, and the way that led to it.
package struct HTTPHead: Sendable {
  package var status: Int
  /// In the order sent; names in lower case.
  package var headers: [HTTPRequest.Header]
  /// Where the answer came from, after redirects.
  package var url: String
  /// The redirects that were followed, in order.
  package var redirects: [Redirect]
  /// The major version of HTTP. From 2 on the end of every body is marked.
  package var version = 1

  /// One redirect.
  package struct Redirect: Hashable, Sendable {
    package var status: Int
    package var location: String
  }

  /// The last header of this name, in lower case.
  package subscript(name: String) -> String? {
    headers.last { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
  }

  /// A status of 2xx.
  package var isSuccess: Bool { (200..<300).contains(status) }
}

/// A small answer, fetched whole.
package struct HTTPAnswer: Sendable {
  /// Status and headers.
  package var head: HTTPHead
  /// The decoded body.
  package var body: [UInt8]
}
