internal import Playback
internal import PodcastModel
private import Synchronization

/// A byte source that reports how its reading went: a streamed media file, and the same with MP3 times as addresses.
protocol ReportingSource: ByteSource {
  /// Why reading failed, when it did.
  var fault: MediaFault? { get }
  /// The last byte, as the server counts them, was handed on, or the last one of the sound before an index.
  var wasReadToItsEnd: Bool { get }
  /// The number of bytes that came where only the end of the connection said that there are no more.
  var unprovenSize: Int64? { get }
  /// No length could be told when the engine asked for it: if it finds none in the file, it takes what it has read for all
  /// of it, also once the file is whole.
  var isSizeUntold: Bool { get }
  /// How much of the file is on the disk by now. Nil where none of it is to stay there.
  var download: Download? { get }
  /// Ends reading, and saves what is here.
  func close() async
}

enum ReadingEvent: Sendable {
  case movedElsewhere
  case reachedEnd
  case failed(MediaFault)
  /// The engine asked for the size in vain.
  case sizeUntold
}

/// How the last reading went.
final class ReadingOutcome: Sendable {
  private struct State {
    var fault: MediaFault?
    var wasReadToItsEnd = false
    var isSizeUntold = false
  }

  private let state = Mutex(State())

  var fault: MediaFault? { state.withLock { $0.fault } }
  var wasReadToItsEnd: Bool { state.withLock { $0.wasReadToItsEnd } }

  var isSizeUntold: Bool { state.withLock { $0.isSizeUntold } }

  func reset() { state.withLock { $0 = State() } }

  func note(_ event: ReadingEvent) {
    state.withLock { state in
      switch event {
      // Looking at the end is not reading to it: many formats keep an index there.
      case .movedElsewhere: state.wasReadToItsEnd = false
      case .reachedEnd: state.wasReadToItsEnd = true
      case .failed(let fault): (state.fault, state.wasReadToItsEnd) = (fault, false)
      case .sizeUntold: state.isSizeUntold = true
      }
    }
  }
}
