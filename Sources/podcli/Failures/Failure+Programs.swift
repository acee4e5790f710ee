import PodcastModel
import Podcatcher
import Text

// MARK: - Programs of the user

extension Failure {
  private static func words(_ fault: ProgramFault) -> String {
    switch fault {
    case .notFound: "it was not found"
    case .notExecutable: "it cannot be run"
    case .timedOut: "it took too long and was killed"
    case .ended(let signal): "signal \(signal) ended it"
    case .exited(let status): "its exit status was \(status)"
    case .noTimeout: "the program timeout, which runs it, cannot be started"
    }
  }

  init(_ error: TranscribeError, about entry: EpisodeEntry) {
    let title = "\(entry.podcast.title): \(entry.episode.title)"
    let again = "podcli transcribe \(entry.episode.id.rawValue) tries again"
    switch error {
    case .noTranscriber:
      self.init(
        .failed, "no program is set that makes transcripts",
        hint: "podcli config set transcriber='whisper-cli -m MODEL -f {wav} -ovtt -of {out}', or another such program")
    case .notHere: self.init(MeasureError.notHere, about: entry)
    case .changed: self.init(.failed, "the file of \(title) changed while it was transcribed", hint: again)
    case .program(let program, let fault, let said):
      self.init(
        .failed, "\(title) was not transcribed: \(program) failed: \(Self.words(fault))" + Self.ending(said),
        hint: fault == .notFound ? "podcli config set transcriber=… names another program" : again)
    case .nothing(let program, let said):
      self.init(
        .failed, "\(title) was not transcribed: \(program) wrote no transcript with times" + Self.ending(said),
        hint: "it is to write WebVTT, SubRip or JSON to the path that {out} stands for, then \(again)")
    case .diskFull(let path):
      self.init(.diskFull, "disk full: \(path)", hint: "free some space, then podcli transcribe goes on")
    case .fileSystem(let path, let reason): self.init(.library, "\(path): \(reason)", hint: again)
    case .playback(let error): self.init(PlaybackFailure(error), about: title)
    case .store(let error): self.init(error)
    }
  }

  /// The last line of a program's messages.
  private static func ending(_ said: String) -> String {
    let line = said.split(whereSeparator: \.isNewline).last { $0.contains { !$0.isWhitespace } }
    return line.map { ": " + CleanText.line(String($0), limit: 200) } ?? ""
  }

  init(_ hook: HookFailure) {
    let reason = hook.reason == .timedOut ? "it was killed after 10 seconds" : Self.words(hook.reason)
    self.init(
      .failed, "the hook \(hook.program) failed at \(hook.event.rawValue): \(reason)",
      hint: "podcli help hooks says how it is run; podcli config unset hook ends it")
  }
}
