internal import Playback
private import Synchronization

/// A medium whose bytes are asked for before there is an engine to read them.
final class OpenedAhead: ByteSource {
  private let source: any ByteSource
  private let first: Mutex<(any ByteStream)?>

  init(_ source: any ByteSource) {
    self.source = source
    let stream = source.open()
    (stream as? any EagerStream)?.begin()
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

/// A stream that can be asked for its bytes before they are read.
protocol EagerStream: ByteStream {
  /// Never waits.
  func begin()
}

extension Medium {
  func openedAhead() -> Medium {
    guard case .bytes(let bytes) = source else { return self }
    var medium = self
    medium.source = .bytes(OpenedAhead(bytes))
    return medium
  }
}
