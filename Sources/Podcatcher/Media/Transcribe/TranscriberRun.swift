private import Glibc
private import Synchronization
internal import System

/// One run of the program that makes transcripts: in a folder of its own, where its result is looked for, at niceness 19.
///
/// The program and its children hold the folder's lock. Where podcli was killed, they are ended by the next run.
final class TranscriberRun: Sendable {
  private let folder: String
  private let lock: FileLock
  private let process = Mutex<Int32?>(nil)

  /// A transcript of a day, with the time of each word, is smaller.
  private static let largest: Int64 = 16 << 20
  private static let endings = [".vtt", ".json", ".srt"]

  var sound: String { folder + "/audio.wav" }
  private var output: String { folder + "/transcript" }

  /// Makes the folder anew.
  init(in parent: String) throws(TranscribeError) {
    folder = parent + "/job"
    let path = parent + "/job.lock"
    if FileLock.isHeld(path) {
      // 0: the program has ended, and what it left behind on purpose holds the lock. Without a number the program may run.
      let group = FileLock.read(path).flatMap { Int32($0) }
      if let group, group > 1 { kill(-group, SIGKILL) } else if group == 0 { unlink(path) }
    }
    guard let lock = FileLock(path: path, patience: .seconds(5)) else {
      throw .fileSystem(path, "a program of an earlier podcli transcribe still runs")
    }
    self.lock = lock
    lock.write("")
    Files.removeFolder(folder)
    guard Files.makeFolder(folder) else { throw .fileSystem(folder, String(cString: strerror(errno))) }
  }

  deinit { Files.removeFolder(folder) }

  /// Whether there is such a program that can be run.
  static func isThere(_ program: String) -> Bool {
    if program.contains("/") { return access(program, X_OK) == 0 }
    let folders = Environment.process["PATH"]?.split(separator: ":") ?? ["/usr/bin", "/bin"]
    return folders.contains { access("\($0)/\(program)", X_OK) == 0 }
  }

  // MARK: The program

  /// Blocks until it has ended. `tick` is called now and then with the time since its start.
  func run(_ words: [String], seconds: Int, tick: (Duration) -> Void) -> (fault: ProgramFault?, said: String) {
    let words = words.map { $0.replacing("{wav}", with: sound).replacing("{out}", with: output) }
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(nothing) }
    guard nothing >= 0, let pipe = ChildProgram.pipe() else { return (.noTimeout, String(cString: strerror(errno))) }
    defer { close(pipe.read) }
    let started = UserProgram.start(
      words, seconds: seconds, before: ["nice", "-n", "19", "env", "-C", folder],
      streams: [0: nothing, 1: nothing, 2: pipe.write, lock.descriptor: lock.descriptor])
    close(pipe.write)
    guard let started else { return (.noTimeout, "") }
    process.withLock { $0 = started }
    lock.write(String(started))
    let (status, said) = wait(for: started, pipe.read, tick)
    process.withLock { $0 = nil }
    // It may have left children behind.
    kill(-started, SIGKILL)
    // The number may soon be that of other processes.
    lock.write("0")
    return (UserProgram.fault(status), said)
  }

  /// Ends the program and what it started, and removes the folder.
  func stop() {
    process.withLock { if let group = $0 { kill(-group, SIGKILL) } }
    Files.removeFolder(folder)
  }

  private func wait(for process: Int32, _ messages: Int32, _ tick: (Duration) -> Void) -> (status: Int32, said: String)
  {
    let start = ContinuousClock.now
    var status: Int32 = 0
    var said: [UInt8] = []
    var isOpen = true
    while true {
      let ended = waitpid(process, &status, WNOHANG)
      let hasEnded = ended == process || (ended < 0 && errno != EINTR)
      // All that the pipe holds at its end, but not all that a child may go on to write.
      for _ in 0..<(hasEnded ? 32 : 1) where isOpen {
        guard Self.read(messages, within: hasEnded ? 0 : 1000, &said, &isOpen) else { break }
      }
      if hasEnded { break }
      if !isOpen { poll(nil, 0, 100) }
      tick(ContinuousClock.now - start)
    }
    return (status, String(decoding: said, as: UTF8.self))
  }

  /// Keeps the last messages. False where there are none within that many milliseconds, or no more.
  private static func read(
    _ messages: Int32, within patience: Int32, _ said: inout [UInt8], _ isOpen: inout Bool
  ) -> Bool {
    var state = pollfd(fd: messages, events: Int16(POLLIN), revents: 0)
    guard poll(&state, 1, patience) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(messages, &buffer, buffer.count)
    isOpen = count > 0 || (count < 0 && errno == EINTR)
    said = Array((said + buffer[..<max(0, count)]).suffix(buffer.count))
    return isOpen
  }

  // MARK: The result

  /// A file of the folder that is none of podcli's: WebVTT first. Nil where there is none, or an enormous one.
  func result() -> [UInt8]? {
    let names = (Files.names(in: folder) ?? []).sorted()
    let name = Self.endings.lazy.compactMap { ending in names.first { $0.hasSuffix(ending) } }.first
    let path = name.map { folder + "/" + $0 } ?? output
    guard let size = RegularFile.size(of: path), size <= Self.largest else { return nil }
    return Files.read(path, atMost: Int(Self.largest), followsLinks: false)
  }
}
