import Glibc
import Playback
import TestSupport
import Testing

@testable import Podcatcher

/// Clips of real MP3s, decoded beside the whole file.
@Suite struct MP3ClipTests {
  private static let seconds = 12.0

  /// Noise that swells, so that the bit reservoir fills and empties.
  private static func samples(_ sampleRate: Int) -> [Int16] {
    var generator = SeededGenerator(seed: 7)
    return (0..<Int(seconds) * sampleRate).map { index in
      let time = Double(index) / Double(sampleRate)
      let loudness = abs(sin(time * 2.3)) * (index / sampleRate % 3 == 2 ? 0.02 : 1)
      let noise = Double(Int16.random(in: -9_000...9_000, using: &generator))
      return Int16(loudness * (noise * 0.3 + 12_000 * sin(time * time * 900)))
    }
  }

  private static func mp3(_ sampleRate: Int, _ options: [String], _ home: TemporaryHome) async throws -> [UInt8] {
    let source = try home.write(WAV.file(samples(sampleRate), sampleRate: sampleRate), to: "source.wav")
    let arguments = ["-nostdin", "-v", "error", "-y", "-i", source] + options + [home.path + "/episode.mp3"]
    let made = try await home.program("ffmpeg", arguments).run()
    try #require(made.status == .exited(0), "\(made)")
    return try contents(of: home.path + "/episode.mp3")
  }

  private static let kinds: [(Int, [String])] = [
    (44_100, ["-b:a", "128k", "-ac", "2"]), (44_100, ["-q:a", "4"]), (44_100, ["-b:a", "32k"]),
    (48_000, ["-b:a", "320k", "-ac", "2"]), (22_050, ["-b:a", "32k"]), (8_000, ["-b:a", "8k"]),
    (44_100, ["-b:a", "128k", "-write_xing", "0"]),
  ]

  @Test(arguments: kinds)
  func `no sample differs inside a clip, and none is missing or too many, in ffmpeg and libmpv`(
    sampleRate: Int, options: [String]
  ) async throws {
    let home = try TemporaryHome()
    let bytes = try await Self.mp3(sampleRate, options, home)
    let width = MemoryLayout<Float>.size * (options.contains("2") ? 2 : 1)
    let whole = [try await decoded("episode.mp3", home), try await played("episode.mp3", home)]
    for (from, to) in [(4_123, 9_500), (0, 1_000), (3, 900), (2_000, 2_150), (11_000, 12_000)] {
      let clip = try #require(cut(bytes, .milliseconds(from)..<(.milliseconds(to))))
      try home.write(clip, to: "clip.mp3")
      let edges = [from, to].map { (Double($0) / 1000 * Double(sampleRate)).rounded() }.map { Int($0) * width }
      for (decoded, whole) in zip([try await decoded("clip.mp3", home), try await played("clip.mp3", home)], whole) {
        let wanted = Array(whole[min(edges[0], whole.count)..<min(edges[1], whole.count)])
        #expect(decoded.count == wanted.count, "\(options), \(from) to \(to)")
        // A comparison inside of `#expect` would spell out the samples.
        let isSame = decoded == wanted
        #expect(isSame, "\(options), \(from) to \(to)")
      }
    }
  }

  @Test func `where the bytes between are not here, a constant rate leads to the same clip`() async throws {
    let home = try TemporaryHome()
    for options in [["-b:a", "128k"], ["-b:a", "64k", "-write_xing", "0"]] {
      let bytes = try await Self.mp3(44_100, options, home)
      let range = Duration.seconds(8)..<(.seconds(10))
      let clip = try #require(cut(bytes, range))
      #expect(cut(bytes, range, jumpingBehind: 8 << 10) == clip)
    }
  }

  @Test func `a truncated file is cut up to its last whole frame, and nothing is cut from behind it`() async throws {
    let home = try TemporaryHome()
    let bytes = Array(try await Self.mp3(44_100, ["-b:a", "128k"], home).prefix(100_000))
    let clip = try #require(cut(bytes, .seconds(4)..<(.seconds(9))))
    let seconds = Double(clip.count) / 16_000
    #expect((2.1...2.4).contains(seconds))
    #expect(cut(bytes, .seconds(7)..<(.seconds(9))) == nil)
  }

  @Test func `damaged files are cut or refused, and nothing breaks`() async throws {
    let home = try TemporaryHome()
    let bytes = try await Self.mp3(44_100, ["-q:a", "4"], home)
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<60 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...400, using: &generator) {
        damaged[Int.random(in: 0..<damaged.count, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      damaged.removeSubrange(..<Int.random(in: 0...3_000, using: &generator))
      let clip = cut(damaged, .seconds(3)..<(.seconds(6)))
      #expect(clip.map { $0.count < 100_000 } ?? true)
    }
  }

  // MARK: Parts

  /// As `Clipper` makes it, without titles. `limit`: bytes from there on to shortly before the clip are not read.
  private func cut(_ bytes: [UInt8], _ range: Range<Duration>, jumpingBehind limit: Int64? = nil) -> [UInt8]? {
    let size = Int64(bytes.count)
    let present: PresentBytes = { offset, count in
      offset < 0 || offset >= size ? [] : Array(bytes[Int(offset)..<min(bytes.count, Int(offset) + count)])
    }
    guard let layout = MP3Layout.read(size: size, { Array(bytes.prefix(Int($0))) }) else { return nil }
    let ticks = layout.ticks(of: range)
    guard let start = layout.start(for: ticks.lowerBound, isJump: limit != nil, in: present) else { return nil }
    if let limit { guard start.byte > limit else { return nil } }
    let stretch = MP3Stretch(from: ticks.lowerBound, upTo: ticks.upperBound, startingAt: start, size: size, in: present)
    guard let clip = MP3Clip(ticks, of: stretch, layout, in: present) else { return nil }
    return clip.head + clip.ranges.flatMap { bytes[Int($0.lowerBound)..<Int($0.upperBound)] }
  }

  private func decoded(_ name: String, _ home: TemporaryHome) async throws -> [UInt8] {
    let target = home.path + "/decoded.raw"
    let made = try await home.program(
      "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", home.path + "/" + name, "-f", "f32le", target
    ).run()
    try #require(made.status == .exited(0), "\(made)")
    return try contents(of: target)
  }

  private func played(_ name: String, _ home: TemporaryHome) async throws -> [UInt8] {
    let target = home.path + "/played.raw"
    let player = Player(audioOutput: "pcm:ao-pcm-file=\(target),ao-pcm-waveheader=no,audio-format=float")
    let events = player.events()
    let id = try player.load(.file(home.path + "/" + name), LoadOptions())
    for await event in events {
      if case .ended(id, _) = event { player.close() }
    }
    return try contents(of: target)
  }
}
