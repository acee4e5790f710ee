import Glibc
import PodcastModel
import PodcastStore
import Synchronization
import TestSupport
import Testing

@testable import Playback
@testable import Podcatcher

/// Renditions of one show in other encodings.
@Suite struct SoundAlignmentTests {
  /// Levels of talk, in hundredths of a second: syllables and pauses.
  private static func talk(_ seconds: Int, seed: UInt64) -> [Double] {
    var generator = SeededGenerator(seed: seed)
    var levels: [Double] = []
    while levels.count < seconds * 100 {
      let isPause = Double.random(in: 0...1, using: &generator) < 0.15
      let length = Int.random(in: isPause ? 10...70 : 6...25, using: &generator)
      let peak = isPause ? -62 : Double.random(in: -40 ... -12, using: &generator)
      for index in 0..<length {
        let share = Double(index) / Double(length)
        let envelope = isPause ? 0 : -25 * abs(share - 0.4) * abs(share - 0.4) * 4
        levels.append(peak + envelope + Double.random(in: -2...2, using: &generator))
      }
    }
    return Array(levels.prefix(seconds * 100))
  }

  /// Encoded: quieter, shifted by part of a level, and not quite the same.
  private static func print(_ levels: [Double], gain: Double = 0, seed: UInt64 = 5) -> SoundPrint {
    var generator = SeededGenerator(seed: seed)
    return SoundPrint(
      hundredths: levels.map { Level(decibels: $0 + gain + Double.random(in: -1.5...1.5, using: &generator)) })
  }

  private static let show = talk(900, seed: 1)
  private static let (first, second, third) = (talk(20, seed: 2), talk(45, seed: 3), talk(90, seed: 4))

  @Test func `each moment is found in another encoding, within a tenth of a second`() {
    // The second advert is of 45.01 s, so that levels fall between levels.
    let new = Self.show.inserting(Self.second + [-30], at: 30_000)
    let map = SoundAlignment.map(from: Self.print(Self.first + Self.show), to: Self.print(new, gain: -14, seed: 6))
    #expect(map.ofOneShow != nil)
    var errors: [Double] = []
    for moment in stride(from: 0.5, to: 899, by: 0.7) {
      let wanted = moment + (moment < 300 ? 0 : 45.01)
      errors.append(map.position(of: moment + 20).map { abs($0 - wanted) } ?? 1000)
    }
    errors.sort()
    #expect(errors[errors.count * 99 / 100] < 0.1, "\(errors.suffix(20))")
    #expect(errors.count { $0 > 0.3 } <= 1, "\(errors.suffix(20))")
  }

  @Test(arguments: [(-1.0, 0.5), (-0.6, -0.2), (0.2, 0.6), (-0.3, 0.3)])
  func `two pieces meet where an advert was inserted, on whichever side of it both edges lie`(
    first: Double, second: Double
  ) {
    let (show, advert) = (Self.show.prefix(12_000), Self.second.prefix(3_001))
    let new = Array(show).inserting(Array(advert), at: 6_000)
    let overlay = LevelOverlay(Self.print(Array(show)).levels, Self.print(new, gain: -14, seed: 6).levels)
    var pieces = [
      RenditionMap.Piece(old: 10..<60 + first, new: 10),
      RenditionMap.Piece(old: 60 + second..<110, new: 90.01 + second),
    ]
    overlay.meet(&pieces, 0)
    #expect(pieces[0].old.upperBound == pieces[1].old.lowerBound && abs(pieces[0].old.upperBound - 60) < 0.1)
    #expect(abs(pieces[1].new - 30.01 - pieces[1].old.lowerBound) < 0.001, "\(pieces)")
  }

  @Test func `an advert leads to where the show goes on`() throws {
    let (old, new) = (Self.show.inserting(Self.third, at: 40_000), Self.show.inserting(Self.second, at: 40_000))
    let map = SoundAlignment.map(from: Self.print(old), to: Self.print(new, gain: 3, seed: 7))
    #expect(abs(try #require(map.position(of: 440)) - 445) < 0.5)
  }

  @Test func `unrelated talk and silence have nothing in common`() {
    let one = Self.print(Self.show)
    for seed in 50..<55 as Range<UInt64> {
      #expect(SoundAlignment.map(from: one, to: Self.print(Self.talk(600, seed: seed))).ofOneShow == nil)
    }
    let silence = SoundPrint(hundredths: [Level](repeating: 0, count: 60_000))
    #expect(SoundAlignment.map(from: silence, to: silence).pieces.isEmpty)
    #expect(SoundAlignment.map(from: one, to: silence).pieces.isEmpty)
    #expect(SoundAlignment.map(from: SoundPrint(hundredths: []), to: one).pieces.isEmpty)
  }

  // MARK: The whole way

  @Test func `marks follow from an MP3 to an Opus file once both are measured`() async throws {
    let show = try await OneEpisode()
    let (talk, advert) = (Talk(seconds: 150, seed: 1).samples, Talk(seconds: 20, seed: 2).samples)
    show.serve(try await Talk.encoded(advert + talk, as: "mp3", ["-b:a", "64k"]))
    _ = try await show.download()?.get()
    try await measure(show)
    try await show.store.savePosition(.seconds(100), of: show.id, urgency: .flush)
    try await show.store.addBookmark(at: .seconds(40), in: show.id)
    _ = try await DownloadFiles(store: show.store, media: show.folder).remove(show.id)
    let other = talk.inserting(advert, at: 50 * Talk.sampleRate)
    show.serve(
      try await Talk.encoded(other, as: "opus", ["-b:a", "24k", "-af", "volume=-14dB"]), etag: "\"two\"")
    // Not yet: its frames are others, and it was not measured.
    #expect(try await show.download()?.get().moved == nil)
    #expect(try await show.store.formerRenditions(of: show.id).count == 1)
    try await measure(show)
    let position = try #require(try await show.store.episode(show.id)?.status.lastListenTime).inSeconds
    let bookmark = try #require(try await show.store.bookmarks(of: show.id).first).position.inSeconds
    #expect(abs(position - 100) < 0.1 && abs(bookmark - 20) < 0.1, "\(position) \(bookmark)")
    #expect(try await show.store.formerRenditions(of: show.id).isEmpty)
  }

  @Test(arguments: [("opus", ["-b:a", "24k"]), ("mp3", ["-q:a", "5"])])
  func `playing before the new file is measured goes on at the same moment`(
    format: String, options: [String]
  ) async throws {
    let show = try await OneEpisode()
    let (talk, advert) = (Talk(seconds: 250, seed: 1).samples, Talk(seconds: 30, seed: 2).samples)
    show.serve(try await Talk.encoded(advert + talk, as: "mp3", ["-b:a", "64k"]))
    _ = try await show.download()?.get()
    try await measure(show)
    try await show.store.savePosition(.seconds(230), of: show.id, urgency: .flush)
    try await show.store.addBookmark(at: .seconds(130), in: show.id)
    _ = try await DownloadFiles(store: show.store, media: show.folder).remove(show.id)
    show.serve(try await Talk.encoded(talk.inserting(advert + advert, at: 150 * Talk.sampleRate), as: format, options))
    _ = try await show.download()?.get()
    let notes = Mutex<[MediaNote?]>([])
    let media = try await show.media { note in notes.withLock { $0.append(note) } }
    #expect(notes.withLock { $0 } == [.aligning, nil])
    let moved = try #require(media.moved)
    let position = try #require(moved.to)
    #expect(moved.from == .seconds(230) && abs(position.inSeconds - 260) < 0.1, "\(moved)")
    #expect(media.position == position)
    // The bookmark follows once the file is measured, and the position stays.
    try await measure(show)
    let bookmark = try #require(try await show.store.bookmarks(of: show.id).first).position.inSeconds
    #expect(try await show.store.episode(show.id)?.status.lastListenTime == position)
    #expect(abs(bookmark - 100) < 0.1)
    #expect(try await show.store.bookmarks(of: show.id).count == 1)
  }

  @Test func `a moment far from its old time is found by decoding more, and in another show none is`() async throws {
    let home = try TemporaryHome()
    let (talk, advert) = (Talk(seconds: 250, seed: 1).samples, Talk(seconds: 150, seed: 2).samples)
    let options = ["-b:a", "64k"]
    let old = try await AlignmentProof.print(talk, "mp3", options)
    let new = try home.write(try await Talk.encoded(advert + talk, as: "opus", ["-b:a", "24k"]), to: "new.opus")
    let other = try home.write(
      try await Talk.encoded(Talk(seconds: 250, seed: 9).samples, as: "opus", ["-b:a", "24k"]), to: "other.opus")
    let found = try #require(await SoundSearch(old, in: .file(new), patience: .seconds(300)).find(200))
    #expect(abs(found - 350) < 0.1)
    #expect(await SoundSearch(old, in: .file(other), patience: .seconds(300)).find(200) == nil)
    // A moment in an advert that is gone leads to where the show goes on.
    let gone = Array(old.levels.prefix(1000).reversed())
    let levels = Array(old.levels.prefix(4000)) + gone + Array(old.levels.dropFirst(4000))
    let former = try #require(SoundPrint(data: [old.data[0]] + levels))
    let next = try #require(await SoundSearch(former, in: .file(new), patience: .seconds(300)).find(130))
    #expect(abs(next - 270) < 0.5)
    #expect(await SoundSearch(old, in: .file(home.path + "/none")).find(200) == nil)
    // It ends early where the listener would wait too long, or waits no longer.
    #expect(await SoundSearch(old, in: .file(new), patience: .zero).find(200) == nil)
    let cancelled = Task { await SoundSearch(old, in: .file(new)).find(200) }
    cancelled.cancel()
    #expect(await cancelled.value == nil)
  }

  private func measure(_ show: OneEpisode) async throws {
    let former = FormerRenditions(store: show.store)
    let ended = Mutex<Result<Sounding, MeasureError>?>(nil)
    await Measurer(store: show.store, isMeasured: { _ = await former.settle($0, file: $1) }) { report in
      if case .ended(_, let result) = report { ended.withLock { $0 = result } }
    }.measure([try await show.entry()])
    _ = try #require(ended.withLock { $0 }).get()
  }
}

extension Array {
  fileprivate func inserting(_ elements: [Element], at index: Int) -> [Element] {
    var longer = self
    longer.insert(contentsOf: elements, at: index)
    return longer
  }
}
