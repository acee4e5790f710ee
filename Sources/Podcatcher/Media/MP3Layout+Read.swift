private import Glibc
internal import Playback
internal import PodcastModel

extension MP3Layout {
  /// Of a whole file.
  static func isScalable(file path: String, _ episode: Episode) -> Bool {
    guard path.hasSuffix(".mp3"), let size = DownloadFiles.size(of: path) else { return false }
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    let layout = read(size: size) { count in
      [UInt8](unsafeUninitializedCapacity: Int(min(count, size))) { buffer, read in
        read = max(0, pread(file, buffer.baseAddress, buffer.count, 0))
      }
    }
    return layout.map { $0.isScalable(episode, size: size) } ?? false
  }

  /// `beginning` hands out so many bytes from the start, or as many as there are.
  fileprivate static func read(size: Int64?, _ beginning: (Int64) -> [UInt8]) -> MP3Layout? {
    var count: Int64 = 64 << 10
    while count < 32 << 20 {
      let bytes = beginning(count)
      switch read(bytes, size: size, isAll: bytes.count < count) {
      case .layout(let layout): return layout
      case .needs(let more): count = max(more, count + 1)
      case .notMP3: return nil
      }
    }
    return nil
  }

  fileprivate func isScalable(_ episode: Episode, size: Int64?) -> Bool {
    isConstant && !contradicts(seconds: episode.duration?.inSeconds, size: size)
  }
}

extension GrowingMedium {
  /// Looks at the first bytes, which the engine will want at once, too.
  func isScalable(_ episode: Episode) async -> Bool {
    startFilling()
    // It is not closed: then nobody would be left to fetch for until the engine opens its own.
    let stream = GrowingStream(self)
    defer { stream.cancel() }
    return await Disk.aside { [self] in
      guard let size = stream.size else { return false }
      let layout = MP3Layout.read(size: size) { count in
        beginning(count, of: stream)
      }
      let isScalable = layout?.isScalable(episode, size: size) ?? false
      state.change { $0.isUnindexed = !isScalable }
      return isScalable
    }
  }

  private func beginning(_ count: Int64, of stream: any ByteStream) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, done in
      _ = stream.seek(to: 0)
      while done < buffer.count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[done...])
        guard let got = stream.read(into: rest), got > 0 else { return }
        done += got
      }
    }
  }
}
