private import Glibc
internal import Playback

/// Reads a media file at any offset, on a thread that may wait for the network.
final class ClipReader {
  /// `.max` where it is not known.
  let size: Int64
  private let file: Int32
  private let stream: (any ByteStream)?

  /// Nil where it cannot be opened.
  init?(_ source: MediaSource) {
    switch source {
    case .file(let path):
      guard let size = RegularFile.size(of: path) else { return nil }
      file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      (self.size, stream) = (size, nil)
    case .bytes(let source):
      guard let stream = source.open() else { return nil }
      (file, self.stream) = (-1, stream)
      size = stream.size ?? .max
    }
  }

  deinit {
    stream?.close()
    if file >= 0 { close(file) }
  }

  /// Fewer at the end, and where reading failed.
  func bytes(_ offset: Int64, _ count: Int) -> [UInt8] {
    guard offset >= 0, count > 0, offset < size else { return [] }
    let count = Int(min(Int64(count), size - offset))
    if let stream { return stream.bytes(count, from: offset) }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      done = 0
      while done < count {
        let got = pread(file, buffer.baseAddress! + done, count - done, off_t(offset) + off_t(done))
        if got < 0, errno == EINTR { continue }
        guard got > 0 else { return }
        done += got
      }
    }
  }
}
