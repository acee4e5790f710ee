private import Glibc
internal import Playback
internal import System
internal import Text
internal import Transfer

/// Pictures of podcasts: from the cache, else from the address in the feed, and then scaled down and cached.
/// Errors are ignored: a page is shown without its picture then.
package struct Artwork: Sendable {
  private let folder: String
  private let client: @Sendable () throws(TransferError) -> HTTPClient

  /// The longest side in pixels, enough for a terminal.
  private static let side = 256
  /// A page waits four seconds at most for its picture.
  private static let limits = TransferLimits(
    connect: .seconds(2), stall: .seconds(2), total: .seconds(4), bytes: 16 << 20)
  /// In seconds. A publisher may replace the picture under the same address.
  private static let freshness = 30 * 86_400
  /// In seconds, before a failed fetch is tried again.
  private static let patience = 600

  init(folder: String, client: @escaping @Sendable () throws(TransferError) -> HTTPClient) {
    self.folder = folder
    self.client = client
  }

  /// The path of the picture at an address, in a file that desktops can draw; nil when there is none.
  func path(of url: String) async -> String? { await picture(at: url) == nil ? nil : file(of: url).path }

  /// The picture at an address; nil when there is none.
  package func picture(at url: String) async -> Picture? {
    let file = file(of: url)
    let (kept, isFresh) = self.kept(at: url)
    if isFresh { return kept }
    // Offline, an outdated picture is returned.
    guard let client = try? client(), Files.makeFolder(folder) else { return kept }
    let fetched = await fetched(url, client)
    file.write(fetched ?? kept)
    trim()
    return fetched ?? kept
  }

  /// The picture in the cache, and whether a fetch can be spared.
  package func kept(at url: String) -> (picture: Picture?, isFresh: Bool) {
    let file = file(of: url)
    let kept = file.picture
    guard let age = file.age else { return (kept, false) }
    return (kept, age < (kept == nil ? Self.patience : Self.freshness))
  }

  /// Removes the oldest ones once there are many.
  private func trim() {
    guard let names = Files.names(in: folder), names.count > Self.mostKept else { return }
    let files = names.filter { $0.hasSuffix(".ppm") }.map { folder + "/" + $0 }
      .map { (path: $0, writtenAt: Files.writtenAt($0) ?? 0) }.sorted { $0.writtenAt < $1.writtenAt }
    for file in files.dropLast(Self.mostKept * 3 / 4) { unlink(file.path) }
  }

  /// About 50 MB.
  private static let mostKept = 256

  private func file(of url: String) -> CachedPicture {
    CachedPicture(path: folder + "/" + SHA1.hex(url) + ".ppm")
  }

  private func fetched(_ url: String, _ client: HTTPClient) async -> Picture? {
    var request = HTTPRequest(url: url)
    request.limits = Self.limits
    guard let answer = try? await client.fetch(request), answer.head.isSuccess else { return nil }
    guard let drawn = await PictureDecoder.decode(answer.body, fitting: Self.side) else { return nil }
    return Picture(width: drawn.width, height: drawn.height, pixels: drawn.pixels)
  }
}

/// A picture in the cache, as a portable pixmap; an empty file stands for a failed fetch.
private struct CachedPicture {
  let path: String
  private static let largest = 1 << 20

  /// In seconds; nil when there is no file.
  var age: Int? {
    var information = stat()
    guard stat(path, &information) == 0 else { return nil }
    return max(0, time(nil) - information.st_mtim.tv_sec)
  }

  var picture: Picture? {
    Files.read(path, atMost: Self.largest, followsLinks: false).flatMap { Self.parsed($0[...]) }
  }

  private static func parsed(_ bytes: ArraySlice<UInt8>) -> Picture? {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false)
    guard lines.count == 4, lines[0].elementsEqual("P6".utf8), lines[2].elementsEqual("255".utf8) else { return nil }
    let size = lines[1].split(separator: UInt8(ascii: " ")).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    guard size.count == 2 else { return nil }
    return Picture(width: size[0], height: size[1], pixels: Array(lines[3]))
  }

  func write(_ picture: Picture?) {
    let head = picture.map { Array("P6\n\($0.width) \($0.height)\n255\n".utf8) } ?? []
    _ = Files.replace(path, with: head + (picture?.pixels ?? []), isDurable: false)
  }
}
