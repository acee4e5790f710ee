/// Decodes a body as its `Content-Encoding` says.
///
/// libcurl could, but it decodes all that one read brought and keeps the bytes that its receiver cannot take: three
/// kilobytes of a bomb became 64 MB. Here no more is decoded than is taken.
struct ContentDecoder {
  static let accepted = "gzip, deflate"
  /// Some servers compress twice; more layers are an attack.
  private static let mostLayers = 3

  private static let labels: [String: Inflation.Label] = ["gzip": .gzip, "x-gzip": .gzip, "deflate": .deflate]

  private let layers: [Inflation]

  /// Nothing is packed.
  init() { layers = [] }

  init(_ header: String?) throws(TransferError) {
    let names = (header ?? "").split(separator: ",").map { $0.filter { !$0.isWhitespace }.lowercased() }
    var layers: [Inflation] = []
    // The last that was done to the body is the first to be undone.
    for name in names.reversed() where !["identity", "none", ""].contains(name) {
      guard let label = Self.labels[name], layers.count < Self.mostLayers else {
        throw TransferError(.badAnswer, "it is packed in a way that was not asked for: \(header ?? "")")
      }
      layers.append(Inflation(label))
    }
    self.layers = layers
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
