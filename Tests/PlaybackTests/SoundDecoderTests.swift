import Synchronization
import TestSupport
import Testing

@testable import Playback

/// Real libmpv decodes generated sound.
@Suite struct SoundDecoderTests {
  private func decoded(_ tone: [UInt8], from start: Duration = .zero, atMost: Int = .max) async throws -> [DecodedSound]
  {
    let home = try TemporaryHome()
    let path = try home.write(tone, to: "tone.wav")
    let pieces = Mutex<[DecodedSound]>([])
    try await SoundDecoder.decode(file: path, from: start) { piece in
      pieces.withLock { pieces in
        pieces.append(piece)
        return pieces.count < atMost
      }
    }
    return pieces.withLock { $0 }
  }

  @Test func `a file is decoded tenth by tenth, with its loudness, its peak and its samples`() async throws {
    let tone = Tone(seconds: 3, frequency: 997, sampleRate: 48_000).then(seconds: 2, frequency: nil)
    let pieces = try await decoded(tone.wav)
    #expect(pieces.count == 50)
    #expect(pieces.enumerated().allSatisfy { abs($1.start - Double($0) / 10) < 0.001 })
    // 12,000 of 32,768, on two loudspeakers.
    #expect(abs(pieces[20].momentary - -8.73) < 0.1, "\(pieces[20].momentary)")
    #expect(abs(pieces[20].peak - 0.366) < 0.01)
    #expect(pieces[49].momentary < -70)
    #expect(pieces.allSatisfy { abs($0.samples.count - 1102) <= 2 })
    #expect(pieces[20].samples.contains { abs(Int($0)) > 11_000 })
    #expect(pieces[40].samples.allSatisfy { abs(Int($0)) < 10 })
  }

  @Test func `decoding begins where it is told, in a compressed file too`() async throws {
    let tone = Tone(seconds: 20, frequency: nil, sampleRate: 44_100).then(seconds: 2, frequency: 440)
    let pieces = try await decoded(tone.encoded(as: "mp3"), from: .seconds(15))
    #expect(abs(try #require(pieces.first).start - 15) < 0.06)
    let loud = try #require(pieces.first { $0.samples.contains { abs(Int($0)) > 8_000 } })
    let offset = try #require(loud.samples.firstIndex { abs(Int($0)) > 4_000 })
    // An encoder delays the sound a little, and says by how much.
    #expect(abs(loud.start + Double(offset) / Double(DecodedSound.sampleRate) - 20) < 0.03)
  }

  @Test(arguments: [("mp3", 44_100), ("m4a", 8_000), ("opus", 48_000)])
  func `a pass that goes on has the samples of the whole file at the same places`(_ kind: String, rate: Int)
    async throws
  {
    let tone = try await Talk.encoded(Talk(seconds: 9, seed: 4).samples, as: kind, ["-ar", "\(rate)"])
    let whole = try await decoded(tone)
    let samples = whole.flatMap(\.samples)
    for second in 1...5 {
      let pieces = try await decoded(tone, from: .seconds(second))
      let first = try #require(pieces.first { $0.start > Double(second) + 0.95 })
      let index = try #require(whole.firstIndex { abs($0.start - first.start) < 0.01 })
      #expect(first.samples.count == whole[index].samples.count)
      let place = whole[..<index].reduce(0) { $0 + $1.samples.count }
      let shift = (-400...400).min {
        Self.difference(first, samples, place + $0) < Self.difference(first, samples, place + $1)
      }
      #expect(abs(try #require(shift)) <= 1)
    }
  }

  private static func difference(_ piece: DecodedSound, _ samples: [Int16], _ place: Int) -> Int {
    piece.samples.indices.reduce(0) { $0 + abs(Int(piece.samples[$1]) - Int(samples[place + $1])) }
  }

  @Test func `it ends early when no more is wanted`() async throws {
    #expect(try await decoded(Tone(seconds: 600, sampleRate: 8_000).wav, atMost: 5).count == 5)
  }

  @Test func `a file that is no sound, or not there, is an error`() async throws {
    await #expect(throws: PlaybackError.self) { _ = try await decoded(Array("no sound".utf8)) }
    await #expect(throws: PlaybackError.self) { try await SoundDecoder.decode(file: "/nowhere") { _ in true } }
  }

  @Test(arguments: [1, 7, 4096]) func `pieces do not depend on how the pipes were read`(size: Int) {
    let samples = (0..<3_000).map { Int16(truncatingIfNeeded: $0) }
    // The channels of the second tenth differ, and those of the first by no more than rounding.
    let bytes = samples.enumerated().flatMap { index, sample in
      [sample, index < 1_200 ? 2 : -300].flatMap {
        [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
      }
    }
    let text = (0..<3).map { index in
      let stamp = "frame:\(index) pts:\(index) pts_time:\(Double(index) / 10 + 4.97)\n"
      return stamp + "lavfi.r128.M=-2\(index).5\n" + stamp + "lavfi.r128.sample_peak=0.\(index)\n"
    }.joined()
    var pieces = SoundPieces(from: 5)
    var found: [DecodedSound] = []
    for chunk in Array(text.utf8).chunks(of: size) { pieces.add(figures: chunk) }
    for chunk in bytes.chunks(of: size) {
      pieces.add(samples: chunk)
      while let piece = pieces.next() { found.append(piece) }
    }
    while let piece = pieces.last() { found.append(piece) }
    #expect(found.map(\.momentary) == [-20.5, -21.5, -22.5] && found.map(\.peak) == [0, 0.1, 0.2])
    // The first figure began 30 ms before the first sample.
    #expect(found.map(\.samples.count) == [1103, 1102, 795])
    #expect(found[1].samples.first == 1103)
    #expect(found.map { ($0.start * 100).rounded() } == [500, 510, 520])
    #expect(found.map(\.hasEqualChannels) == [true, false, false])
  }

  @Test(arguments: [
    (channels: 1, pan: "mono|c0=c0", areEqual: true), (2, "stereo|c0=c0|c1=c0", true),
    (2, "stereo|c0=c0|c1=0.5*c0", false),
  ]) func `channels are counted and compared`(channels: Int, pan: String, areEqual: Bool) async throws {
    let home = try TemporaryHome()
    let tone = Tone(seconds: 2, frequency: 300, sampleRate: 44_100)
    let path = try home.write(try await tone.encoded(as: "mp3", options: ["-af", "pan=\(pan)"]), to: "tone.mp3")
    let found = Mutex<Bool?>(nil)
    let counted = try await SoundDecoder.decode(file: path) { piece in
      found.withLock { $0 = piece.hasEqualChannels }
      return true
    }
    #expect(counted == channels)
    #expect(found.withLock { $0 } == areEqual)
  }
}

extension Array {
  fileprivate func chunks(of size: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
  }
}
