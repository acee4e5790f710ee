internal import Playback
private import Synchronization

/// A source whose bytes are requested before libmpv is there to read them.
final class OpenedAhead: ByteSource {
  private let source: any ByteSource
  private let first: Mutex<(any ByteStream)?>

  init(_ source: any ByteSource) {
    self.source = source
    let stream = source.open()
    first = Mutex(stream)
  }

  deinit { first.withLock { $0 }?.close() }

  func open() -> (any ByteStream)? {
    let ahead = first.withLock { first in
      defer { first = nil }
      return first
    }
    return ahead ?? source.open()
  }
}

extension OpenedMedia {
  func openedAhead() -> OpenedMedia {
    guard case .bytes(let bytes) = source else { return self }
    var medium = self
    medium.source = .bytes(OpenedAhead(bytes))
    return medium
  }
}
