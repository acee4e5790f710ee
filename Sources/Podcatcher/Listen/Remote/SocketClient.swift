internal import Glibc
private import PodcastModel
internal import Text

/// One connection to a player's socket, on the server's thread.
struct SocketClient {
  /// The command that is being carried out.
  struct Running {
    var request: Int
    var command: PlayerCommand
    var id: JSON?
    var deadline: Duration
  }

  let descriptor: Int32
  var running: Running?
  /// When it is told the status next, whatever happens until then.
  private(set) var nextTick: Duration?
  private(set) var isWatching = false
  private var interval = Duration.zero
  private var reader = LineReader()
  private var lines: [LineReader.Line] = []
  private var outbox = Outbox()
  /// The last status that it was told.
  private var told: [UInt8] = []
  /// It sends nothing more, but may still read.
  private var isSilent = false
  /// It reads nothing more. What it asked for before is carried out all the same.
  private var isGone = false
  /// It left too much unread.
  private var isBroken = false

  /// Requests beyond this stay in the socket.
  private static let mostLines = 64

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    // A slow reader is not to find minutes of ticks in the kernel's buffer.
    var size: Int32 = 32 << 10
    setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
  }

  /// The events that it waits for. A connection that is closed at both ends would wake the loop again and again.
  var polled: pollfd {
    let reading = isSilent || lines.count >= Self.mostLines ? 0 : POLLIN
    let events = Int16(reading | (outbox.isEmpty ? 0 : POLLOUT))
    return pollfd(fd: isSilent && isGone ? -1 : descriptor, events: events, revents: 0)
  }

  /// It has all that it asked for.
  var isOver: Bool {
    isBroken
      || (isSilent && (isGone || !isWatching) && running == nil && lines.isEmpty && outbox.isEmpty)
  }

  func close() { Glibc.close(descriptor) }

  // MARK: Reading

  mutating func read(isHungUp: Bool) {
    if isHungUp { leave() }
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    while !isSilent, isGone || lines.count < Self.mostLines {
      let count = Glibc.read(descriptor, &bytes, bytes.count)
      if count < 0 {
        if errno == EINTR { continue }
        if errno != EAGAIN { (isSilent, isGone) = (true, true) }
        return
      }
      isSilent = count == 0
      lines += isSilent ? reader.end() : reader.take(bytes[..<count])
    }
  }

  mutating func nextLine() -> LineReader.Line? { lines.isEmpty ? nil : lines.removeFirst() }

  // MARK: Telling

  mutating func watch(every interval: Duration, at now: Duration, knowing line: [UInt8]) {
    (isWatching, told) = (true, line)
    self.interval = interval
    planTick(after: now)
  }

  /// At whole multiples, so that all clients of one interval are told the same line.
  mutating func planTick(after now: Duration) {
    let step = interval.inMilliseconds
    nextTick = step > 0 ? .milliseconds((now.inMilliseconds / step + 1) * step) : nil
  }

  mutating func say(_ answer: JSON, id: JSON? = nil) {
    var answer = answer
    if let id, case .object(let members) = answer {
      answer = JSON(members: [("id", id)] + members.map { ($0.name, $0.value) })
    }
    if !outbox.add(Array((answer.compact + "\n").utf8)) { isBroken = true }
    flush()
  }

  /// A status that it knows is left out.
  mutating func tell(_ line: [UInt8], isTick: Bool) {
    guard line != told else { return }
    told = line
    if isTick { outbox.addTick(line) } else if !outbox.add(line) { isBroken = true }
    flush()
  }

  mutating func flush() {
    guard !isGone else { return outbox = Outbox() }
    let isReading = outbox.drain { bytes in
      let count = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      if count >= 0 { return count }
      return errno == EAGAIN || errno == EINTR ? 0 : nil
    }
    if !isReading { leave() }
  }

  private mutating func leave() {
    isGone = true
    outbox = Outbox()
  }
}
