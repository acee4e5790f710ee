import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing

@testable import Podcatcher

/// Ten long episodes of one podcast, with real encoders: `make prove-repeats`. It takes minutes, so `make test` leaves it
/// out.
@Suite(.enabled(if: getenv("PODCLI_PROVE_REPEATS") != nil)) struct RepeatProof {
  private static let minutes = getenv("MINUTES").flatMap { Double(String(cString: $0)) } ?? 60
  /// Of an edge, in seconds.
  private static let mostOff = 0.2
  private static let intro = Talk(seconds: 20, seed: 900).samples
  private static let jingle = Talk(seconds: 8, seed: 901).samples
  private static let outro = Talk(seconds: 30, seed: 902).samples
  private static let adverts = [15.0, 20, 30, 30, 45, 60, 90, 30].enumerated().map { number, seconds in
    Talk(seconds: seconds, seed: UInt64(800 + number)).samples
  }

  private struct Part {
    var name: String
    var range: Range<Double>
  }

  private struct Episode {
    var samples: [Int16] = []
    var parts: [Part] = []

    init(_ number: Int) {
      var generator = SeededGenerator(seed: UInt64(5000 + number))
      var talk = Talk(seconds: minutes * 60, seed: UInt64(100 + number)).samples[...]
      func say(_ share: ClosedRange<Double>) {
        let count = Int(Double.random(in: share, using: &generator) * minutes * 60 * Double(Talk.sampleRate))
        samples += talk.prefix(count)
        talk = talk.dropFirst(count)
      }
      func advertise() {
        let number = Int.random(in: adverts.indices, using: &generator)
        add("advert \(number)", adverts[number])
      }
      advertise()
      say(0.01...0.03)
      add("intro", intro)
      say(0.2...0.3)
      advertise()
      say(0.1...0.2)
      add("jingle", jingle)
      say(0.1...0.2)
      advertise()
      say(1...1)
      add("outro", outro)
      advertise()
    }

    private mutating func add(_ name: String, _ part: [Int16]) {
      let start = Double(samples.count) / Double(Talk.sampleRate)
      samples += part
      parts.append(Part(name: name, range: start..<Double(samples.count) / Double(Talk.sampleRate)))
    }
  }

  @Test func `what repeats is found, with its edges, and nothing else`() async throws {
    var (prints, parts) = ([SoundPrint](), [[Part]]())
    for number in 0..<10 {
      let (episode, encoding) = (Episode(number), AlignmentProof.encodings[number % 4])
      parts.append(episode.parts)
      prints.append(try await AlignmentProof.print(episode.samples, encoding.ending, encoding.options))
    }
    var (wanted, found, wrong, edges, took) = (0, 0, 0, [Double](), Duration.zero)
    for number in prints.indices {
      let others = prints.indices.filter { $0 != number }.sorted { abs($0 - number) < abs($1 - number) }.prefix(5)
      let start = ContinuousClock.now
      let repeats = RepeatFinder(in: prints[number], others: others.map { prints[$0] }).repeats.map { stretch in
        stretch.range.lowerBound.inSeconds..<stretch.range.upperBound.inSeconds
      }
      took += ContinuousClock.now - start
      for part in parts[number] where others.contains(where: { parts[$0].contains { $0.name == part.name } }) {
        wanted += 1
        guard let range = repeats.first(where: { $0.clamped(to: part.range).length > part.range.length / 2 }) else {
          Swift.print("missed:", number, part)
          continue
        }
        found += 1
        let off = [range.lowerBound - part.range.lowerBound, range.upperBound - part.range.upperBound]
        if off.contains(where: { abs($0) > Self.mostOff }) { Swift.print("edges off:", number, part, off) }
        edges += off.map(abs)
      }
      wrong += repeats.count { range in !parts[number].contains { $0.range.overlaps(range) } }
    }
    edges.sort()
    Swift.print(
      "repeats: found", found, "of", wanted, "wrong", wrong, "edges: median", edges[edges.count / 2], "95 %",
      edges[edges.count * 95 / 100], "worst", edges[edges.count - 1], "a pair took", took / (prints.count * 5))
    #expect(found * 100 >= wanted * 95 && wrong == 0 && edges[edges.count - 1] <= Self.mostOff)
  }
}

extension Range<Double> {
  fileprivate var length: Double { upperBound - lowerBound }
}
