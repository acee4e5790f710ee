import Glibc
import TestSupport
import Testing

@testable import Podcatcher

/// Clips of real AAC streams, decoded beside the whole file.
@Suite struct ADTSClipTests {
  private static let frame = 1024

  /// Without noise that the decoder makes up, which is another one each time.
  private static func stream(_ sampleRate: Int, _ home: TemporaryHome) async throws -> [UInt8] {
    var generator = SeededGenerator(seed: 7)
    let samples = (0..<6 * sampleRate).map { index -> Int16 in
      let tone = 9_000 * sin(Double(index) * 0.05)
      return Int16(tone) + Int16.random(in: -3_000...3_000, using: &generator)
    }
    let source = try home.write(WAV.file(samples, sampleRate: sampleRate), to: "source.wav")
    let made = try await home.program(
      "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", source, "-c:a", "aac", "-aac_pns", "0", "-b:a", "64k",
      home.path + "/episode.aac"
    ).run()
    try #require(made.status == .exited(0), "\(made)")
    return try contents(of: home.path + "/episode.aac")
  }

  private func cut(_ bytes: [UInt8], _ range: Range<Duration>) -> ADTSClip? {
    ADTSClip(range) { offset, count in
      offset < 0 || offset >= bytes.count ? [] : Array(bytes[Int(offset)..<min(bytes.count, Int(offset) + count)])
    }
  }

  private func samples(_ bytes: [UInt8], _ home: TemporaryHome) async throws -> [UInt8] {
    try home.write(bytes, to: "clip.aac")
    let made = try await home.program(
      "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", home.path + "/clip.aac", "-f", "f32le", home.path + "/clip.raw"
    ).run()
    try #require(made.status == .exited(0) && made.error.isEmpty, "\(made)")
    return try contents(of: home.path + "/clip.raw")
  }

  @Test(arguments: [44_100, 64_000, 22_050])
  func `behind its first frame a clip sounds as the episode does, to the sample`(sampleRate: Int) async throws {
    let home = try TemporaryHome()
    let bytes = try await Self.stream(sampleRate, home)
    let whole = try await samples(bytes, home)
    for (from, to) in [(2_123, 4_500), (0, 1_000), (5, 40), (5_000, 7_000)] {
      let range = Duration.milliseconds(from)..<(.milliseconds(to))
      let clip = try #require(cut(bytes, range))
      let first = Int((clip.heard.lowerBound / .seconds(1) * Double(sampleRate) / Double(Self.frame)).rounded())
      let heard = try await samples(clip.ranges.flatMap { bytes[Int($0.lowerBound)..<Int($0.upperBound)] }, home)
      let (skipped, size) = (Self.frame * 4, MemoryLayout<Float>.size)
      let start = first * Self.frame * size
      // Of a clip from the very beginning no frame is left out.
      let lead = first == 0 ? 0 : skipped
      let isSame = heard.dropFirst(lead).elementsEqual(whole[(start + lead)..<(start + heard.count)])
      #expect(isSame && heard.count >= skipped, "\(from) to \(to)")
      let frame = Duration.seconds(1) * Self.frame / sampleRate
      #expect(
        clip.heard.lowerBound <= range.lowerBound
          && clip.heard.upperBound + .milliseconds(1) >= min(range.upperBound, .seconds(6)))
      #expect(range.lowerBound - clip.heard.lowerBound < frame * 2 + .milliseconds(1))
      // The first frame sounds otherwise, and lies before the stretch.
      #expect(first == 0 || range.lowerBound - clip.heard.lowerBound >= frame - .milliseconds(1))
      #expect(clip.heard.upperBound - range.upperBound < frame + .milliseconds(1))
    }
  }

  @Test func `nothing is cut from behind the end, nor from what is no stream`() async throws {
    let home = try TemporaryHome()
    let bytes = try await Self.stream(44_100, home)
    let behind = try #require(cut(bytes, .seconds(7)..<(.seconds(9))))
    #expect(behind.ranges.isEmpty && (5.9...6.2).contains(behind.heard.upperBound / .seconds(1)))
    #expect(cut(Array("ID3 and some words".utf8), .zero..<(.seconds(1))) == nil)
    #expect(cut([], .zero..<(.seconds(1))) == nil)
  }

  @Test func `a tag, damage and a truncated last frame are left out`() async throws {
    let home = try TemporaryHome()
    let bytes = try await Self.stream(44_100, home)
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 0] + [UInt8](repeating: 0xFF, count: 128)
    let plain = try #require(cut(bytes, .seconds(1)..<(.seconds(2))))
    let tagged = try #require(cut(tag + bytes, .seconds(1)..<(.seconds(2))))
    #expect(tagged.heard == plain.heard)
    #expect(tagged.ranges == plain.ranges.map { $0.lowerBound + 138..<$0.upperBound + 138 })
    // The junk lies amid the stretch.
    let middle = try #require(cut(bytes, .seconds(1)..<(.milliseconds(1_500)))?.ranges.last?.upperBound)
    let damaged = bytes[..<Int(middle)] + [UInt8](repeating: 0xFF, count: 999) + bytes[Int(middle)...]
    let mended = try #require(cut(Array(damaged), .seconds(1)..<(.seconds(2))))
    #expect(mended.ranges.count == 2 && mended.heard == plain.heard)
    let short = try #require(cut(Array(bytes.prefix(bytes.count - 5)), .seconds(5)..<(.seconds(7))))
    let all = try #require(cut(bytes, .seconds(5)..<(.seconds(7))))
    #expect(short.heard.upperBound < all.heard.upperBound)
    #expect(try #require(short.ranges.last).upperBound < bytes.count - 5)
  }

  @Test func `hostile streams are cut or refused, and nothing breaks`() async throws {
    let home = try TemporaryHome()
    let bytes = try await Self.stream(22_050, home)
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<60 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...400, using: &generator) {
        damaged[Int.random(in: 0..<damaged.count, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      damaged.removeSubrange(..<Int.random(in: 0...3_000, using: &generator))
      guard let clip = cut(damaged, .seconds(1)..<(.seconds(3))) else { continue }
      #expect(clip.ranges.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= damaged.count })
    }
  }
}
