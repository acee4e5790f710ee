/// The bytes to play. libmpv never opens an address of its own: it reads a file, or bytes handed to it.
package enum MediaSource: Sendable {
  /// An absolute path.
  case file(String)
  case bytes(any ByteSource)
}

/// Bytes that can be opened more than once.
package protocol ByteSource: Sendable {
  /// Nil when the bytes cannot be had at all; the source keeps the reason.
  func open() -> (any ByteStream)?
}

/// One reading of a media file's bytes. All calls but `cancel` come from one thread of libmpv, which may block.
package protocol ByteStream: AnyObject, Sendable {
  /// Absent while unknown.
  var size: Int64? { get }

  /// Waits until at least one byte is there. 0 means the end; nil means failed or cancelled.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int?

  /// False when the bytes from `offset` on cannot be read.
  func seek(to offset: Int64) -> Bool

  /// From any thread: makes a waiting `read` or `seek`, and every later one, give up at once.
  func cancel()

  /// Ends the reading; no call but `cancel` follows.
  func close()
}

/// How a media file is opened.
package struct LoadOptions: Hashable, Sendable {
  /// Nil starts at the beginning.
  package var start: Duration?
  /// Loaded, but silent until it goes on.
  package var isPaused: Bool
  /// Shown by the system's mixer.
  package var title: String?
  /// In this file the offset of a byte is proportional to its time, so that a seek reads nothing of what lies before.
  package var isScalable: Bool
  /// Holds as long as this file plays, or until `Player.correct`.
  package var correction = SoundCorrection()

  /// By default from the beginning, playing at once.
  package init(
    start: Duration? = nil, isPaused: Bool = false, title: String? = nil, isScalable: Bool = false
  ) {
    self.start = start
    self.isPaused = isPaused
    self.title = title
    self.isScalable = isScalable
  }
}
