private import Glibc
internal import Playback
package import PodcastModel
private import Synchronization
internal import System

/// What a podcli that plays tells the others.
package struct PlayerState: Hashable, Sendable {
  package enum Mode: String, Sendable { case playing, paused, buffering }

  package struct Chapter: Hashable, Sendable {
    /// Counted from 1.
    package var index: Int
    package var title: String
  }

  package var mode: Mode
  package var episode: EpisodeID
  package var position: Duration?
  package var duration: Duration?
  package var speed: Double
  package var volume: Double
  package var chapter: Chapter?
  package var sleepAt: Timestamp?
}

extension PlayerState {
  init(_ now: NowPlaying, sleepAt: Timestamp?) {
    let snapshot = now.snapshot
    mode = snapshot.isPaused ? .paused : snapshot.position == nil || now.isWaiting ? .buffering : .playing
    episode = now.entry.episode.id
    position = snapshot.position ?? now.entry.status.lastListenTime
    duration = snapshot.duration ?? now.entry.episode.duration
    speed = snapshot.sound.speed
    volume = snapshot.sound.volume
    chapter = now.chapterIndex.map { Chapter(index: $0 + 1, title: now.chapters[$0].title) }
    self.sleepAt = sleepAt
  }

  /// A line for each value, the title last; what is unknown is an empty line.
  var text: String {
    let lines: [String?] = [
      mode.rawValue, String(episode.rawValue), position.map { String($0.inMilliseconds) },
      duration.map { String($0.inMilliseconds) }, String(speed), String(volume), sleepAt.map { String($0.seconds) },
      chapter.map { String($0.index) }, chapter?.title,
    ]
    return lines.map { line in line?.split(whereSeparator: \.isNewline).joined(separator: " ") ?? "" }
      .joined(separator: "\n") + "\n"
  }

  init?(text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count >= 9, let mode = Mode(rawValue: lines[0]), let episode = Int64(lines[1]),
      let speed = Double(lines[4]), let volume = Double(lines[5])
    else { return nil }
    self.mode = mode
    self.episode = EpisodeID(rawValue: episode)
    position = Int64(lines[2]).map { .milliseconds($0) }
    duration = Int64(lines[3]).map { .milliseconds($0) }
    self.speed = speed
    self.volume = volume
    sleepAt = Int64(lines[6]).map { Timestamp(seconds: $0) }
    chapter = Int(lines[7]).map { Chapter(index: $0, title: lines[8]) }
  }
}

/// The file in which a player says what it does. Each is the process's own, and replaced whole; one whose process does
/// not hold a library's player lock means nothing. What cannot be written is not: the sound matters more.
package final class PlayerStateFile: Sendable {
  private let path: String
  private let last = Mutex<PlayerState?>(nil)

  package init(in directory: String) {
    path = Self.path(of: getpid(), in: directory)
    if Files.makeFolder(directory) { Self.sweep(directory) }
  }

  package func publish(_ state: PlayerState) {
    let isNew = last.withLock { last in
      defer { last = state }
      return last != state
    }
    if isNew { _ = Files.replace(path, with: Array(state.text.utf8), isDurable: false) }
  }

  package func remove() { unlink(path) }

  package static func read(of pid: Int32, in directory: String) -> PlayerState? {
    Files.read(path(of: pid, in: directory), atMost: 4096, followsLinks: false)
      .flatMap { PlayerState(text: String(decoding: $0, as: UTF8.self)) }
  }

  private static let name = "player-"

  private static func path(of pid: Int32, in directory: String) -> String { "\(directory)/\(name)\(pid)" }

  /// Players that were killed leave theirs behind.
  private static func sweep(_ directory: String) {
    guard let stream = opendir(directory) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let file = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard file.hasPrefix(name), let pid = Int32(file.dropFirst(name.count).prefix { $0.isNumber }) else { continue }
      if kill(pid, 0) != 0, errno == ESRCH { unlink(directory + "/" + file) }
    }
  }
}
