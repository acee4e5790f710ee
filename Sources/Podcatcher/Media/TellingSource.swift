package import Playback
private import Synchronization

/// A byte source that can say how its reading went.
package protocol TellingSource: ByteSource {
  /// Why reading failed, when it did.
  var fault: MediaFault? { get }
  /// The last byte, as the server counts them, was handed on.
  var wasReadToItsEnd: Bool { get }
  /// It is not read any more.
  func close() async
}

extension TellingSource {
  package func close() async {}
}

enum ReadingProgress: Sendable {
  case movedElsewhere
  case reachedEnd
  case failed(MediaFault)
}

/// How the last reading went.
final class ReadingOutcome: Sendable {
  private let state = Mutex<(fault: MediaFault?, wasReadToItsEnd: Bool)>((nil, false))

  var fault: MediaFault? { state.withLock { $0.fault } }
  var wasReadToItsEnd: Bool { state.withLock { $0.wasReadToItsEnd } }

  func reset() { state.withLock { $0 = (nil, false) } }

  func note(_ progress: ReadingProgress) {
    state.withLock { state in
      switch progress {
      // Looking at the end is not reading to it: many formats keep an index there.
      case .movedElsewhere: state.wasReadToItsEnd = false
      case .reachedEnd: state.wasReadToItsEnd = true
      case .failed(let fault): state = (fault, false)
      }
    }
  }
}
