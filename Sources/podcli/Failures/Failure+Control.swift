import CommandKit
import PodcastModel
import Podcatcher
import System
import Text

// MARK: - A player in another process

extension Failure {
  init(unknownEpisode id: Int64) {
    self.init(.notFound, "there is no episode \(id)", hint: "podcli playlist shows the ids")
  }

  init(_ error: ControlError) {
    let help = "podcli help remote explains what can be asked"
    switch error {
    case .notUTF8: self.init(.usage, "the line is not UTF-8", hint: help)
    case .notJSON: self.init(.usage, "the line is not JSON", hint: help)
    case .notARequest: self.init(.usage, "the line asks for nothing: `do` is missing", hint: help)
    case .tooLong: self.init(.usage, "the line is longer than 64 KiB", hint: help)
    case .unknownWord(let word):
      let near = nearest(to: word, among: PlayerCommandTable.words.map(\.word))
      self.init(
        .usage, "there is no control word '\(CleanText.line(word, limit: 80))'",
        hint: near.isEmpty ? help : "did you mean \(near.joined(separator: " or "))?")
    case .missingArgument(let word, let name, let expectation):
      self.init(.usage, "\(word) needs \(name): \(expectation)", hint: help)
    case .badArgument(let word, let name, let value, let expectation):
      self.init(
        .usage, "\(word): \(name) must be \(expectation), not '\(CleanText.line(value, limit: 80))'", hint: help)
    case .tooManyClients:
      self.init(.failed, "the player has as many clients as it takes", hint: "try again when one of them has gone")
    case .late:
      self.init(.failed, "the player has not done it within two seconds", hint: "podcli status shows what it does")
    case .nothingThere:
      self.init(.notFound, "there is no other episode to go to", hint: "line one up with: podcli queue add EPISODE")
    case .noSuchChapter:
      self.init(.notFound, "there is no such chapter", hint: "podcli chapters @current shows what there is")
    case .noLength:
      self.init(.usage, "the length of this episode is not known, so a percentage says nothing", hint: "give a time")
    case .beyondEnd(let end):
      self.init(.usage, "the episode is over at \(ClockText.short(end))", hint: "podcli next ends it and goes on")
    case .startBeyondEnd(let end):
      self.init(
        .usage, "the episode is over at \(ClockText.short(end)), so it plays from where it was left",
        hint: "podcli seek TIME goes elsewhere in it")
    case .unknownEpisode(let id): self.init(unknownEpisode: id)
    case .cannotPlay(let entry, let error): self.init(error, about: entry)
    case .notKept: self.init(.library, "the library did not take it", hint: "podcli doctor may know why")
    case .noPlayer: self.init(.notPlaying, "nothing is playing", hint: "go on where you stopped with: podcli resume")
    case .silent(let pid) where Self.isSuspended(pid): self.init(suspended: pid, .failed)
    case .silent(let pid):
      self.init(.failed, "the player (pid \(pid)) does not answer", hint: "end it with: kill \(pid)")
    case .refused(let code, let message, let hint):
      self.init(Code(rawValue: code) ?? .failed, message, hint: hint)
    }
  }

  /// No control word reaches it.
  init(suspended pid: Int32, _ code: Code) {
    self.init(
      code, "the player (pid \(pid)) is suspended", hint: "go on with it: fg in its terminal, or kill -CONT \(pid)")
  }

  /// By Ctrl-Z, for example: SIGTERM, too, waits for SIGCONT then.
  static func isSuspended(_ pid: Int32) -> Bool {
    let text = String(decoding: Files.read("/proc/\(pid)/stat", atMost: 4096) ?? [], as: UTF8.self)
    return text.split(separator: ")").last?.hasPrefix(" T") == true
  }
}
