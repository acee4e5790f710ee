internal import PodcastModel

/// Titles, links and chapters of a clip, as ID3 2.4. Pure.
struct ClipTag {
  let clip: Clip
  /// As it is in the episode's file.
  var picture: [UInt8]?

  /// The tag at the front of the file.
  var bytes: [UInt8] {
    var frames = text("TIT2", clip.title) + text("TALB", clip.entry.podcast.title)
    if let date = clip.entry.episode.publishedAt { frames += text("TDRC", date.dateText) }
    if let link = StretchLink.address(of: clip.range, in: clip.entry) { frames += frame("WOAS", latin(link)) }
    frames += chapters
    if let picture { frames += frame("APIC", picture) }
    return Array("ID3".utf8) + [4, 0, 0] + sevenBits(frames.count) + frames
  }

  private var chapters: [UInt8] {
    let chapters = clip.shiftedChapters.prefix(255)
    guard !chapters.isEmpty else { return [] }
    let names = chapters.indices.map { "c\($0)" }
    let list = latin("toc") + [0, 3, UInt8(names.count)] + names.flatMap { latin($0) + [0] }
    return zip(names, chapters).reduce(frame("CTOC", list)) { $0 + chapter($1.1, named: $1.0) }
  }

  private func chapter(_ chapter: Chapter, named name: String) -> [UInt8] {
    let times = [chapter.start, chapter.end ?? chapter.start].flatMap { big(milliseconds($0)) }
    let noOffsets = [UInt8](repeating: 0xFF, count: 8)
    return frame("CHAP", latin(name) + [0] + times + noOffsets + text("TIT2", chapter.title))
  }

  private func milliseconds(_ seconds: Double) -> UInt32 {
    UInt32(max(0, min((seconds * 1000).rounded(), Double(UInt32.max))))
  }

  // MARK: Frames

  private func text(_ name: String, _ text: String) -> [UInt8] {
    // A null would begin another value.
    frame(name, [3] + text.utf8.filter { $0 != 0 }.prefix(Self.longest))
  }

  private static let longest = 64 << 10

  private func frame(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + sevenBits(content.count) + [0, 0] + content
  }

  private func latin(_ text: String) -> [UInt8] { text.utf8.filter { (33...126).contains($0) } }

  private func sevenBits(_ number: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(number >> $0 & 127) } }

  private func big(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}
