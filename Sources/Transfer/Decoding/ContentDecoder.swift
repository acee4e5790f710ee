/// Decodes a body as its `Content-Encoding` says.
///
/// libcurl could, but it decodes all that one read brought and keeps the bytes that its receiver cannot take: three
/// kilobytes of a bomb became 64 MB. Here no more is decoded than is taken.
struct ContentDecoder {
  static let accepted = "gzip, deflate"
  /// Some servers compress twice; more layers are an attack.
  private static let mostLayers = 3

  private static let labels: [String: Inflation.Label] = ["gzip": .gzip, "x-gzip": .gzip, "deflate": .deflate]

  /// Words that servers send with a body as it is. `aws-chunked` stays on objects after their upload.
  private static let unpacked: Set<String> = [
    "identity", "none", "", "binary", "7bit", "8bit", "utf-8", "utf8", "aws-chunked",
  ]

  private let layers: [Inflation]

  /// Nothing is packed.
  init() { layers = [] }

  init(_ header: String?) throws(TransferError) {
    var layers: [Inflation] = []
    // The last that was done to the body is the first to be undone.
    for name in Self.names(in: header).reversed() {
      guard let label = Self.labels[name], layers.count < Self.mostLayers else {
        throw TransferError(.badEncoding, "it is packed in a way that was not asked for: \(header ?? "")")
      }
      layers.append(Inflation(label))
    }
    self.layers = layers
  }

  /// The codings of a body, in the order in which they were applied; empty for a body as it is.
  static func names(in header: String?) -> [String] {
    (header ?? "").split(separator: ",").map { $0.filter { !$0.isWhitespace }.lowercased() }
      .filter { !unpacked.contains($0) }
  }

  /// The body may end here.
  var isAtEnd: Bool { layers.allSatisfy(\.isAtEnd) }

  typealias Sink = (UnsafeRawBufferPointer) throws(TransferError) -> Bool

  /// Hands on what is in `bytes`, piece by piece. False when `sink` could not take a piece: then the same bytes
  /// are to come again, in whatever portions, and it goes on where it stopped.
  func take(_ bytes: UnsafeRawBufferPointer, _ sink: Sink) throws(TransferError) -> Bool {
    try layers.isEmpty ? sink(bytes) : take(bytes, through: layers[...], sink)
  }

  private func take(
    _ bytes: UnsafeRawBufferPointer, through layers: ArraySlice<Inflation>, _ sink: Sink
  ) throws(TransferError) -> Bool {
    guard let layer = layers.first else { return try sink(bytes) }
    return try layer.take(bytes) { piece throws(TransferError) in
      try take(piece, through: layers.dropFirst(), sink)
    }
  }
}

extension HTTPHead {
  /// Packed without having been asked to: its length and its validators are not those of the file.
  package var isEncoded: Bool { !ContentDecoder.names(in: self["content-encoding"]).isEmpty }
}
