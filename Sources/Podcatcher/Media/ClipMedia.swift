internal import Playback

/// An episode's media file as it is on this machine and on the server, opened for a clip.
struct ClipMedia: Sendable {
  let source: MediaSource
  private let bytes: (any ReportingSource)?
  private let present: (@Sendable () -> RangeMap)?

  /// A whole file.
  init(file path: String) {
    source = .file(path)
    (bytes, present) = (nil, nil)
  }

  /// `present`: the bytes that need no network.
  init(bytes: any ReportingSource, present: @escaping @Sendable () -> RangeMap) {
    source = .bytes(bytes)
    self.bytes = bytes
    self.present = present
  }

  var fault: MediaFault? { bytes?.fault }

  func isHere(upTo end: Int64) -> Bool { present?().covers(0..<end) ?? true }

  /// Ends reading, and saves what came.
  func close() async { await bytes?.close() }
}
