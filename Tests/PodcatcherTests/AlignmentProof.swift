import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Playback
@testable import Podcatcher

/// Renditions of a long show, with real encoders: `make prove-alignment`. It takes minutes, so `make test` leaves it out.
@Suite(.enabled(if: getenv("PODCLI_PROVE_ALIGNMENT") != nil)) struct AlignmentProof {
  private static let rate = Talk.sampleRate
  private static let minutes = getenv("MINUTES").flatMap { Int(String(cString: $0)) } ?? 20

  /// A show with adverts at these times of the show; the seeds of the adverts say how long they are.
  private struct Rendition {
    var adverts: [(at: Int, seed: UInt64)]

    private static func seconds(_ seed: UInt64) -> Int { 15 + Int(seed * 37 % 76) }

    func samples(_ show: [Int16]) -> [Int16] {
      var (samples, done) = ([Int16](), 0)
      for advert in adverts {
        samples += show[done * AlignmentProof.rate..<advert.at * AlignmentProof.rate]
        samples += Talk(seconds: Double(Self.seconds(advert.seed)), seed: advert.seed).samples
        done = advert.at
      }
      return samples + show[(done * AlignmentProof.rate)...]
    }

    /// Of a moment of the show.
    func moment(_ time: Double) -> Double {
      time + Double(adverts.reduce(0) { $0 + (Double($1.at) <= time ? Self.seconds($1.seed) : 0) })
    }
  }

  private static func renditions(_ seconds: Int) -> (Rendition, Rendition) {
    let (third, half, last) = (seconds / 3, seconds / 2, seconds * 4 / 5)
    return (
      Rendition(adverts: [(0, 101), (third, 102), (third, 103), (half, 104), (seconds, 105)]),
      Rendition(adverts: [(0, 106), (third, 107), (last, 108), (last, 102), (seconds, 109)])
    )
  }

  static let encodings: [(name: String, ending: String, options: [String])] = [
    ("MP3 128", "mp3", ["-b:a", "128k"]), ("MP3 48 mono", "mp3", ["-b:a", "48k", "-ar", "24000"]),
    ("Opus 16", "opus", ["-b:a", "16k"]), ("AAC 64, 14 dB quieter", "m4a", ["-b:a", "64k", "-af", "volume=-14dB"]),
    ("Vorbis, variable rate", "ogg", ["-q:a", "2"]),
    ("MP3 96, compressed 6:1", "mp3", ["-b:a", "96k", "-af", "acompressor=ratio=6:threshold=0.05"]),
  ]

  static func print(_ samples: [Int16], _ ending: String, _ options: [String]) async throws -> SoundPrint {
    let home = try TemporaryHome()
    let path = try home.write(try await Talk.encoded(samples, as: ending, options), to: "rendition." + ending)
    let draft = Mutex(SoundingDraft())
    try await SoundDecoder.decode(file: path) { piece in
      draft.withLock { $0.add(piece) }
      return true
    }
    return SoundPrint(hundredths: draft.withLock { $0.levels })
  }

  @Test func `five encodings: 99 % of moments within 0.1 s, none off by more than 0.3 s`() async throws {
    let seconds = Self.minutes * 60
    let show = Talk(seconds: Double(seconds), seed: 1).samples
    let (first, second) = Self.renditions(seconds)
    let old = try await Self.print(first.samples(show), "mp3", ["-b:a", "128k"])
    let samples = second.samples(show)
    for encoding in Self.encodings {
      let new = try await Self.print(samples, encoding.ending, encoding.options)
      let clock = ContinuousClock.now
      let map = SoundAlignment.map(from: old, to: new)
      let took = ContinuousClock.now - clock
      var generator = SeededGenerator(seed: 3)
      var errors = (0..<4700).map { _ in
        let time = Double.random(in: 0..<Double(seconds) - 0.1, using: &generator)
        return map.position(of: first.moment(time)).map { abs($0 - second.moment(time)) } ?? 1000
      }
      errors.sort()
      let worse = errors.count { $0 > 0.3 }
      Swift.print(
        encoding.name, "median", errors[2350], "99 %", errors[4653], "worst", errors[4699], "over 0.3 s:", worse,
        "share",
        map.share, "took", took)
      for piece in map.pieces { Swift.print("   ", piece.old, "→", piece.new) }
      guard !encoding.name.contains("compressed") else { continue }
      #expect(map.ofOneShow != nil, "\(encoding.name)")
      #expect(errors[4653] < 0.1 && worse == 0, "\(encoding.name)")
    }
  }

  @Test func `a hundred pairs of unrelated shows: no match`() async throws {
    var prints: [SoundPrint] = []
    for seed in 200..<215 as Range<UInt64> {
      prints.append(try await Self.print(Talk(seconds: 300, seed: seed).samples, "mp3", ["-b:a", "64k"]))
    }
    var (pairs, matches) = (0, 0)
    for one in prints.indices {
      for other in prints.indices where other > one && pairs < 100 {
        pairs += 1
        if SoundAlignment.map(from: prints[one], to: prints[other]).ofOneShow != nil { matches += 1 }
      }
    }
    Swift.print("unrelated:", matches, "of", pairs)
    #expect(pairs == 100 && matches == 0)
  }
}
