import Glibc
import Playback
import PodcastModel
import PodcastStore
import Synchronization
import System
import TestSupport
import Testing

@testable import Podcatcher

/// Real files, real libmpv, a real library, and small scripts as the program that makes transcripts.
@Suite struct TranscriberTests {
  private let show: OneEpisode

  init() async throws { show = try await OneEpisode() }

  private static let words = """
    cat > "$2.vtt" <<'END'
    WEBVTT

    00:00.500 --> 00:02.000
    made of lighthouses

    99:00:00.000 --> 99:00:01.000
    beyond the end
    END
    """

  private func script(_ text: String) throws -> String {
    let path = try show.home.write("#!/bin/sh\n\(text)\n", to: "transcriber")
    chmod(path, 0o700)
    return path
  }

  private func transcriber(
    _ script: String, limit: Int = 60, _ report: @escaping @Sendable (Transcriber.Report) -> Void = { _ in }
  ) throws -> Transcriber {
    Transcriber(
      store: show.store, config: ["transcriber": "'\(try self.script(script))' {wav} {out}", "auto-transcribe": "on"],
      folder: show.home.path + "/transcribe", limit: { _ in limit }, report: report)
  }

  private func transcribed(
    _ script: String, limit: Int = 60, again: Bool = false
  ) async throws -> Result<TranscribedEpisode, TranscribeError>? {
    let ended = Mutex<Result<TranscribedEpisode, TranscribeError>?>(nil)
    let transcriber = try transcriber(script, limit: limit) { report in
      if case .ended(_, let result) = report { ended.withLock { $0 = result } }
    }
    try await transcriber.transcribe([try await show.entry()], again: again)
    return ended.withLock { $0 }
  }

  private func download() async throws {
    show.serve(Tone(seconds: 3, sampleRate: 44_100).wav)
    _ = try #require(try await show.download()).get()
  }

  @Test func `what the program writes is kept, found and marked as made here; its sound is 16 kHz mono`() async throws {
    try await download()
    let copy = show.home.path + "/copy.wav"
    let made = try #require(try await transcribed("cp \"$1\" '\(copy)'; nice > '\(copy).nice'; \(Self.words)")).get()
    #expect(made == TranscribedEpisode([TranscriptSegment(start: 0.5, end: 2, text: "")], isNew: true))
    #expect(try await show.store.transcript(of: show.id).map(\.text) == ["made of lighthouses"])
    #expect(try await show.store.search("lighthouses").first?.field == .transcript)
    #expect(try await show.store.details(of: show.id)?.isTranscriptMadeHere == true)
    #expect(try await show.store.waitingTranscripts(withFailed: true) == [])
    let sound = try contents(of: copy)
    #expect(abs(sound.count - 44 - 3 * 32_000) <= 4 && Array(sound[8..<16]) == Array("WAVEfmt ".utf8))
    #expect(Array(sound[22..<28]) == [1, 0, 0x80, 0x3E, 0, 0])
    // A tone of 440 Hz crosses zero 880 times a second.
    let samples = stride(from: 44, to: sound.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(sound[$0]) | UInt16(sound[$0 + 1]) << 8)
    }
    #expect(abs(zip(samples, samples.dropFirst()).count { ($0 < 0) != ($1 < 0) } - 2640) < 20)
    #expect(try contents(of: copy + ".nice") == Array("19\n".utf8))
    let folder = show.home.path + "/transcribe"
    try await eventually("the end of the job's folder", watching: folder) {
      names(in: folder).sorted() == ["job.lock", "lock"]
    }
  }

  @Test func `where there is one, it is made again only when that is asked for`() async throws {
    try await download()
    _ = try #require(try await transcribed(Self.words)).get()
    #expect(try #require(try await transcribed("exit 3")).get().isNew == false)
    guard case .failure(.program(_, .exited(3), _))? = try await transcribed("exit 3", again: true) else {
      Issue.record("it was not run again")
      return
    }
    #expect(try await show.store.isTranscriptMadeHere(of: show.id))
    let other = Self.words.replacing("lighthouses", with: "ships")
    #expect(try #require(try await transcribed(other, again: true)).get().isNew)
    #expect(try await show.store.transcript(of: show.id).map(\.text) == ["made of ships"])
  }

  @Test(arguments: [
    "exit 3", "echo 'no model' >&2; exit 1", "kill -9 $$", "true", "echo rubbish > \"$2\"", "mkfifo \"$2.vtt\"",
    "ln -s /etc/passwd \"$2.vtt\"", "printf 'WEBVTT\\n\\n' > \"$2.vtt\"", "printf '{\"segments\":[' > \"$2.json\"",
    "printf 'WEBVTT\\n\\n00:99:99 --> x\\n\\377\\376\\033[2J\\n' > \"$2.vtt\"",
    "head -c 20000000 /dev/zero > \"$2.vtt\"",
    "mkdir \"$2.vtt\"", "printf 'WEBVTT\\n\\n50:00:00.000 --> 50:00:01.000\\nlate\\n' > \"$2.vtt\"",
    "yes message | head -c 3000000 >&2; exit 4", "head -c 5000 /dev/urandom > \"$2\"", "rm \"$1\"; exit 0",
  ])
  func `a program that fails, or writes what is no transcript, changes nothing but that it failed`(
    script: String
  ) async throws {
    try await download()
    guard case .failure(let error)? = try await transcribed(script) else {
      Issue.record("it was taken for a transcript")
      return
    }
    #expect(error.mark == .failed, "\(error)")
    #expect(try await show.store.transcript(of: show.id) == [])
    #expect(try await show.store.waitingTranscripts() == [])
    #expect(try await show.store.waitingTranscripts(withFailed: true) == [show.id])
    #expect(try #require(try await transcribed(Self.words)).get().isNew)
  }

  @Test func `of a failed program the last message is told, whatever came before it`() async throws {
    try await download()
    let script = "yes message | head -c 60000 >&2; echo 'the real reason' >&2; exit 2"
    for _ in 1...3 {
      guard case .failure(.program(_, .exited(2), let said))? = try await transcribed(script) else {
        Issue.record("it was taken for a transcript")
        return
      }
      #expect(said.hasSuffix("the real reason\n"))
    }
  }

  @Test func `a program that a transcriber leaves behind in a session of its own holds nothing up`() async throws {
    try await download()
    let marker = show.home.path + "/left"
    let started = "setsid sh -c 'echo $$ > \"\(marker)\"; exec sleep 100' & while [ ! -s '\(marker)' ]; do :; done; "
    _ = try #require(try await transcribed(started + Self.words)).get()
    let left = try #require(Int32(String(decoding: try contents(of: marker), as: UTF8.self).dropLast()))
    #expect(try #require(try await transcribed(Self.words, again: true)).get().isNew)
    #expect(kill(left, SIGKILL) == 0)
  }

  @Test func `a program that hangs is killed with its children`() async throws {
    try await download()
    let held = show.home.path + "/held"
    let result = try await transcribed("exec 9> '\(held)'; flock 9; sleep 1000 & wait", limit: 1)
    guard case .failure(.program(_, .timedOut, _))? = result else {
      Issue.record("\(result.map { "\($0)" } ?? "nothing")")
      return
    }
    #expect(FileLock(path: held, patience: .seconds(60)) != nil)
  }

  @Test func `words and escapes of a hostile transcript are read as text`() async throws {
    try await download()
    let hostile = "printf 'WEBVTT\\n\\n00:01.000 --> 00:02.000\\n<v \\033]0;x\\007>a\\033[2Jb\\000c\\n' > \"$2.vtt\""
    _ = try #require(try await transcribed(hostile)).get()
    #expect(try await show.store.transcript(of: show.id).count == 1)
  }

  @Test func `without the program every episode goes on waiting`() async throws {
    try await download()
    let ended = Mutex<[TranscribeError]>([])
    let transcriber = Transcriber(
      store: show.store, config: ["transcriber": "no-such-program {wav}"], folder: show.home.path + "/transcribe"
    ) { report in
      if case .ended(_, .failure(let error)) = report { ended.withLock { $0.append(error) } }
    }
    let entry = try await show.entry()
    try await transcriber.transcribe([entry, entry], again: false)
    #expect(ended.withLock { $0 } == [.program("no-such-program", .notFound, said: "")])
    #expect(try await show.store.waitingTranscripts() == [show.id])
  }

  @Test func `what is not here whole is not transcribed, and does not wait for it`() async throws {
    guard case .failure(.notHere)? = try await transcribed(Self.words) else {
      Issue.record("transcribed without a file")
      return
    }
    #expect(try await show.store.waitingTranscripts(withFailed: true) == [])
  }

  @Test func `the queue takes what the user wants transcribed by itself, and goes on with what waits`() async throws {
    try await download()
    try await transcriber("exit 1").transcribeQueue(adding: [show.id])
    #expect(try await show.store.waitingTranscripts(withFailed: true) == [show.id])
    try await transcriber(Self.words).transcribeQueue(adding: [])
    #expect(try await show.store.transcript(of: show.id) == [])
    try await transcriber(Self.words).transcribeQueue()
    #expect(try await show.store.transcript(of: show.id).count == 1)
    try await transcriber("exit 1").transcribeQueue(adding: [show.id])
    #expect(try await show.store.waitingTranscripts(withFailed: true) == [])
  }

  @Test func `a program that an earlier podcli left behind is ended first`() async throws {
    try await download()
    let folder = show.home.path + "/transcribe"
    mkdir(folder, 0o700)
    let left = try Self.leaveBehind(lock: folder + "/job.lock", isNoted: true)
    #expect(try #require(try await transcribed(Self.words)).get().isNew)
    var status: Int32 = 0
    #expect(waitpid(left, &status, 0) == left && status & 0x7F == SIGKILL)
  }

  @Test func `beside a program that may run yet, as its number was not noted, none is started`() async throws {
    try await download()
    let folder = show.home.path + "/transcribe"
    mkdir(folder, 0o700)
    let left = try Self.leaveBehind(lock: folder + "/job.lock", isNoted: false)
    guard case .failure(.fileSystem)? = try await transcribed(Self.words) else {
      Issue.record("transcribed beside another program")
      return
    }
    #expect(kill(left, SIGKILL) == 0 && waitpid(left, nil, 0) == left)
    #expect(try #require(try await transcribed(Self.words)).get().isNew)
  }

  /// Starts a program that alone holds the lock, and returns its process.
  private static func leaveBehind(lock path: String, isNoted: Bool) throws -> Int32 {
    let lock = try #require(FileLock(path: path))
    let process = try #require(
      ChildProgram.start("sleep", ["100"], streams: [lock.descriptor: lock.descriptor], inOwnGroup: true))
    if isNoted { lock.write(String(process)) }
    return process
  }

  @Test func `the publisher's transcript takes the place of one that was made here`() async throws {
    try await download()
    _ = try #require(try await transcribed(Self.words)).get()
    try await show.store.tieTranscript(of: show.id, at: TranscriptAnchor(said: .seconds(1), heard: .seconds(2)))
    try await show.store.setTranscript([TranscriptSegment(start: 1, text: "published")], of: show.id)
    #expect(try await show.store.details(of: show.id)?.isTranscriptMadeHere == false)
    #expect(try await show.store.anchors(of: show.id) == [])
  }
}
