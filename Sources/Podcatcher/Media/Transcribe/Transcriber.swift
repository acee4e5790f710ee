private import FeedKit
package import Playback
package import PodcastModel
package import PodcastStore
private import Synchronization
internal import System
private import Text

/// Makes transcripts of media files that are here whole, one after the other, by a program that the user names. What waits
/// is in the library, so that a kill costs one episode's work.
///
/// - `Transcriber`: the queue, and what becomes of each episode
/// - `WaveFile`: the sound that the program gets
/// - `TranscriberRun`: the program's process, its folder, and what it leaves there
package final class Transcriber: Sendable {
  private let store: PodcastStore
  private let config: [String: String]
  private let folder: String
  private let limit: @Sendable (_ length: Double) -> Int
  private let report: @Sendable (Report) -> Void
  private let state = Mutex<(run: TranscriberRun?, isStopped: Bool)>((nil, false))

  /// Progress and results, as they come.
  package enum Report: Sendable {
    /// For another podcli, which makes transcripts.
    case waiting
    /// The sound is written.
    case sound(EpisodeEntry, heard: Duration)
    /// The program works for so long.
    case running(EpisodeEntry, Duration)
    case ended(EpisodeEntry, Result<TranscribedEpisode, TranscribeError>)
  }

  /// `folder`: for the sound and the result. `limit`: for how many seconds the program may work on so many of sound.
  init(
    store: PodcastStore, config: [String: String], folder: String,
    limit: @escaping @Sendable (Double) -> Int = { 3600 + Int($0) * 20 }, report: @escaping @Sendable (Report) -> Void
  ) {
    self.store = store
    self.config = config
    self.folder = folder
    self.limit = limit
    self.report = report
  }

  /// Each ends with a report, unless one meets what all would. `again`: also those that have a transcript.
  package func transcribe(_ entries: [EpisodeEntry], again: Bool) async throws(StoreError) {
    try await store.setTranscriptions(.waiting, of: entries.map(\.episode.id))
    let turn = await turn(patience: Self.always)
    for entry in entries { guard await isDone(entry, again: again) else { break } }
    withExtendedLifetime(turn) {}
  }

  /// All that wait, also those that the program failed with.
  package func transcribeQueue() async throws(StoreError) {
    let turn = await turn(patience: Self.always)
    await work(withFailed: true, until: nil)
    withExtendedLifetime(turn) {}
  }

  /// Those of these episodes that the user wants transcribed by themselves, and all that wait. No new one is begun after
  /// the deadline.
  package func transcribeQueue(adding ids: [EpisodeID], until deadline: ContinuousClock.Instant? = nil) async {
    do throws(StoreError) {
      var wanted: [EpisodeID] = []
      for id in ids { if try await isWanted(id) { wanted.append(id) } }
      try await store.setTranscriptions(.waiting, of: wanted)
    } catch {
      return
    }
    // Another process that has its turn takes these, too.
    guard let turn = await turn(patience: .seconds(5)) else { return }
    await work(withFailed: false, until: deadline)
    withExtendedLifetime(turn) {}
  }

  /// Ends the program at once. What waits stays in the queue.
  package func stop() {
    let run = state.withLock { state in
      state.isStopped = true
      return state.run
    }
    run?.stop()
  }

  // MARK: The queue

  /// The program may work for days on a long queue, and a run without its turn would end it.
  private static let always = Duration.seconds(86_400 * 365)

  private func turn(patience: Duration) async -> FileLock? {
    guard Files.makeFolder(folder) else { return nil }
    let path = folder + "/lock"
    if let turn = FileLock(path: path) { return turn }
    report(.waiting)
    return await BlockingWork.run { FileLock(path: path, patience: patience, pause: 300_000) }
  }

  private func work(withFailed: Bool, until deadline: ContinuousClock.Instant?) async {
    var tried: Set<EpisodeID> = []
    while deadline.map({ $0 > .now }) ?? true,
      let id = try? await store.waitingTranscripts(withFailed: withFailed).first(where: { !tried.contains($0) })
    {
      tried.insert(id)
      guard let entry = try? await store.episode(id), await isDone(entry, again: false) else { return }
    }
  }

  private func isWanted(_ id: EpisodeID) async throws(StoreError) -> Bool {
    guard let details = try await store.details(of: id), details.transcripts.isEmpty,
      try await store.transcript(of: id).isEmpty
    else { return false }
    let podcast = try await store.settings(of: details.entry.podcast.id)
    return Settings(podcast: podcast, config: config)[SettingKeys.autoTranscribe]
  }

  /// False where every other one would meet the same.
  private func isDone(_ entry: EpisodeEntry, again: Bool) async -> Bool {
    do throws(TranscribeError) {
      report(.ended(entry, .success(try await transcript(of: entry, again: again))))
      return true
    } catch {
      guard !state.withLock(\.isStopped) else { return false }
      if let mark = error.mark { try? await store.setTranscriptions(mark, of: [entry.episode.id]) }
      report(.ended(entry, .failure(error)))
      return error.mark != nil
    }
  }

  // MARK: One of them

  private func transcript(of entry: EpisodeEntry, again: Bool) async throws(TranscribeError) -> TranscribedEpisode {
    let id = entry.episode.id
    if !again, let kept = try await kept(id) { return kept }
    let words = try program()
    guard let path = try await wholeFile(of: entry), let file = await FileFingerprint.ofFile(at: path) else {
      throw .notHere
    }
    let run = try TranscriberRun(in: folder)
    state.withLock { $0.run = run }
    defer { state.withLock { $0.run = nil } }
    let length = try await writeSound(of: path, to: run.sound, entry)
    let segments = try await segments(run, words, length, entry)
    // The bytes may have been replaced or evicted meanwhile.
    guard await FileFingerprint.ofFile(at: path) == file else { throw .changed }
    do throws(StoreError) { try await store.setTranscript(segments, of: id, isMadeHere: true) } catch {
      throw .store(error)
    }
    return TranscribedEpisode(segments, isNew: true)
  }

  private func kept(_ id: EpisodeID) async throws(TranscribeError) -> TranscribedEpisode? {
    do throws(StoreError) {
      let kept = try await store.transcript(of: id)
      guard !kept.isEmpty else { return nil }
      if try await !store.isTranscriptMadeHere(of: id) { try await store.setTranscriptions(.none, of: [id]) }
      return TranscribedEpisode(kept, isNew: false)
    } catch {
      throw .store(error)
    }
  }

  private func wholeFile(of entry: EpisodeEntry) async throws(TranscribeError) -> String? {
    do throws(StoreError) { return try await LocalFile.whole(of: entry, in: store) } catch {
      throw .store(error)
    }
  }

  /// The words of its command line. `~/` is the home directory, as no shell says so.
  private func program() throws(TranscribeError) -> [String] {
    let home = (Environment.process["HOME"] ?? "") + "/"
    let words = CommandLineWords.split(Settings(config: config)[SettingKeys.transcriber]).map { word in
      word.hasPrefix("~/") ? home + word.dropFirst(2) : word
    }
    guard let program = words.first else { throw .noTranscriber }
    guard TranscriberRun.isThere(program) else { throw .program(program, .notFound, said: "") }
    return words
  }

  /// Returns its length in seconds.
  private func writeSound(
    of media: String, to path: String, _ entry: EpisodeEntry
  ) async throws(TranscribeError) -> Double {
    let wave = try WaveFile(path)
    do throws(PlaybackError) {
      try await SoundDecoder.decode(file: media, sampleRate: WaveFile.sampleRate) { [self] piece in
        report(.sound(entry, heard: .seconds(piece.start)))
        return wave.add(piece) && !state.withLock(\.isStopped)
      }
    } catch {
      throw .playback(error)
    }
    return try wave.finish()
  }

  private func segments(
    _ run: TranscriberRun, _ words: [String], _ length: Double, _ entry: EpisodeEntry
  ) async throws(TranscribeError) -> [TranscriptSegment] {
    let seconds = limit(length)
    let (fault, said, result) = await BlockingWork.run { [report] in
      let (fault, said) = run.run(words, seconds: seconds) { report(.running(entry, $0)) }
      return (fault, said, fault == nil ? run.result() : nil)
    }
    if let fault { throw .program(words[0], fault, said: said) }
    let segments = result.map { Transcript.segments(in: $0) } ?? []
    // A text without times is more likely a message than a transcript.
    let timed = segments.filter { $0.start.map { (0...(length + 30)).contains($0) } ?? false }
    guard !timed.isEmpty else { throw .nothing(words[0], said: said) }
    return timed
  }
}

/// An episode that has a transcript now.
package struct TranscribedEpisode: Hashable, Sendable {
  package var segments: Int
  /// Where the last of them ends, or begins.
  package var end: Duration?
  /// It was made just now.
  package var isNew: Bool

  init(_ segments: [TranscriptSegment], isNew: Bool) {
    self.segments = segments.count
    end = segments.last.flatMap { $0.end ?? $0.start }.flatMap { Duration(validSeconds: $0) }
    self.isNew = isNew
  }
}

/// Why an episode was not transcribed.
package enum TranscribeError: Error, Hashable, Sendable {
  /// The setting `transcriber` names no program.
  case noTranscriber
  /// The media file is not on this machine, or not all of it.
  case notHere
  /// The media file was replaced or removed meanwhile.
  case changed
  /// The program failed. `said`: the end of its messages.
  case program(String, ProgramFault, said: String)
  /// The program wrote no transcript with times that can be read.
  case nothing(String, said: String)
  case diskFull(String)
  case fileSystem(String, String)
  case playback(PlaybackError)
  case store(StoreError)

  /// The next state of the episode; nil where it goes on waiting, as every other one would meet the same.
  var mark: Transcription? {
    switch self {
    case .noTranscriber, .diskFull, .fileSystem, .store: nil
    case .program(_, let fault, _): [.notFound, .notExecutable, .noTimeout].contains(fault) ? nil : .failed
    case .notHere: Transcription.none
    case .changed, .nothing, .playback: .failed
    }
  }
}
