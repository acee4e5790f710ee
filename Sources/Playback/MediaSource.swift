/// What to play. The engine never opens an address of its own: it reads a file, or bytes that we hand it.
package enum MediaSource: Sendable {
  /// An absolute path.
  case file(String)
  case bytes(any ByteSource)
}

/// Bytes that can be opened again and again.
package protocol ByteSource: Sendable {
  /// Nil when the bytes cannot be had at all; the reason is the source's to keep.
  func open() -> (any ByteStream)?
}

/// One reading of a medium's bytes. All calls but `cancel` come from one thread of the engine, which may block.
package protocol ByteStream: AnyObject, Sendable {
  /// Absent while unknown.
  var size: Int64? { get }

  /// Waits until at least one byte is there. 0 means the end; nil means failed or cancelled.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int?

  /// False when this medium cannot be read from there.
  func seek(to offset: Int64) -> Bool

  /// From any thread: makes a waiting `read` or `seek`, and every later one, give up at once.
  func cancel()

  func close()
}
