private import FeedKit
private import Glibc
package import PodcastModel
private import Text

/// Documents on this machine: a file, or `-` for standard input.
package enum FeedFile {
  /// The `file` URL of a path, in which only percent signs are encoded.
  static func address(of path: String) -> String { "file://" + path.replacing("%", with: "%25") }

  /// The path in a `file` URL. A library of before has paths with percent signs as they are.
  static func path(in address: String) -> String {
    let path = String(address.dropFirst("file://".count))
    return access(path, F_OK) == 0 ? path : PercentCoding.decoded(path[...])
  }

  /// Parses a feed. `takeEpisodes` takes the episodes as they are read; the feed is then without them.
  package static func feed(
    _ path: String, baseURL: String?, takeEpisodes: (([FeedEpisode]) -> Void)? = nil
  ) throws(FollowError) -> Feed {
    do {
      let parser = try FeedParser(baseURL: baseURL)
      try forEachChunk(of: path) { chunk in
        try parser.parse(chunk)
        takeEpisodes?(parser.takeEpisodes())
      }
      return try parser.finish()
    } catch let error as FeedError {
      throw .feed(FeedFailure(error))
    } catch let error as FollowError {
      throw error
    } catch {
      throw .file(path, "cannot be read")
    }
  }

  /// The whole document, up to a size that no list of subscriptions needs.
  package static func bytes(_ path: String) throws(FollowError) -> [UInt8] {
    var bytes: [UInt8] = []
    do {
      try forEachChunk(of: path) { chunk in
        bytes += chunk
        if bytes.count > longest { throw FollowError.file(path, "larger than \(longest >> 20) MB") }
      }
    } catch let error as FollowError {
      throw error
    } catch {
      throw .file(path, "cannot be read")
    }
    return bytes
  }

  private static let longest = 64 << 20

  private static func forEachChunk(of path: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let descriptor = path == "-" ? dup(0) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FollowError.file(path, String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FollowError.file(path, String(cString: strerror(errno))) }
      if count == 0 { return }
      try buffer.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }
}
