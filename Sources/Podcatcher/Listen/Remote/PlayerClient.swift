private import Glibc
private import PodcastModel
private import PodcastStore
internal import System
package import Text

/// The other end of a player's socket, for a process that controls or shows it. Its calls wait, each for a moment only.
package final class PlayerClient: Sendable {
  private let descriptor: Int32
  private let pid: Int32
  private let received = WaitableState(
    (reader: LineReader(longest: LineReader.longestAnswer), lines: [LineReader.Line]()))

  /// How long a player may take to say anything, and to carry out a command.
  private static let greeting = Duration.seconds(1)
  private static let answer = Duration.milliseconds(2_500)

  /// Connects to the player of this library, and waits for its greeting. The player may be starting: it has the lock a
  /// moment before it has a socket.
  package init(_ paths: Paths) throws(ControlError) {
    let deadline = Monotonic.now() + Self.greeting
    var connection = LocalSocket.connect(to: paths.socket)
    var holder: PlayerLock.Holder?
    while connection == nil {
      holder = PlayerLock.holder(in: paths.libraryFolder)
      guard let holder else { throw .noPlayer }
      guard Monotonic.now() < deadline else {
        // It is still choosing what to play.
        throw holder.episode == nil ? .noPlayer : .silent(pid: holder.pid)
      }
      _ = poll(nil, 0, 10)
      connection = LocalSocket.connect(to: paths.socket)
    }
    descriptor = connection ?? -1
    pid = holder?.pid ?? PlayerLock.holder(in: paths.libraryFolder)?.pid ?? 0
    let hello = try line(by: deadline)
    if let refusal = Self.refusal(in: hello) { throw refusal }
    guard hello["podcli"] != nil else { throw .silent(pid: pid) }
  }

  /// Nil where no player runs, or where it has no socket that answers: its status is in a file all the same.
  package static func ifReachable(_ paths: Paths) -> PlayerClient? {
    LocalSocket.isThere(paths.socket) ? try? PlayerClient(paths) : nil
  }

  deinit { close(descriptor) }

  /// Sends a control word with its arguments, and returns the status after it.
  package func ask(_ words: [String]) throws(ControlError) -> JSON {
    send(words)
    return try Self.status(in: try line(by: Monotonic.now() + Self.answer)).get()
  }

  /// Sends a control word with its arguments. The answer comes with `next`.
  package func send(_ words: [String]) {
    guard let word = PlayerCommandTable.words.first(where: { $0.word == words.first }) else { return }
    let members = zip(word.arguments, words.dropFirst()).map { ($0.member, JSON($1)) }
    send(JSON(members: [("do", JSON(word.word))] + members))
  }

  /// Waits for the next answer: after `watch` also the status at each change, and that often. Nil when the player is
  /// gone.
  package func next() -> Result<JSON, ControlError>? {
    (try? line(by: nil)).map(Self.status)
  }

  /// The same without what the player refuses.
  package func nextStatus() -> JSON? {
    while let answer = next() {
      if case .success(let status) = answer { return status }
    }
    return nil
  }

  /// Lets `next` return nil. From any thread.
  package func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  // MARK: Lines

  private func send(_ request: JSON) {
    let bytes = Array((request.compact + "\n").utf8)
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress! + start, bytes.count - start, Int32(MSG_NOSIGNAL))
      }
      // The answer, or its absence, tells.
      guard count > 0 else { return }
      start += count
    }
  }

  private func line(by deadline: Duration?) throws(ControlError) -> JSON {
    while true {
      let line = received.withLock { $0.lines.isEmpty ? nil : $0.lines.removeFirst() }
      if case .bytes(let bytes)? = line, let document = JSON(parsing: bytes) { return document }
      if line == nil { try receive(by: deadline) }
    }
  }

  private func receive(by deadline: Duration?) throws(ControlError) {
    var readable = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let left = deadline.map { max(0, ($0 - Monotonic.now()).inMilliseconds) }
    let isReady = poll(&readable, 1, left.map { Int32(clamping: $0) } ?? -1)
    if isReady < 0, errno == EINTR { return }
    guard isReady > 0 else { throw .silent(pid: pid) }
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    let count = read(descriptor, &bytes, bytes.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0 else { throw .noPlayer }
    received.withLock { $0.lines += $0.reader.take(bytes[..<count]) }
  }

  private static func status(in answer: JSON) -> Result<JSON, ControlError> {
    if let refusal = refusal(in: answer) { return .failure(refusal) }
    return answer["status"].map { .success($0) } ?? .failure(.notARequest)
  }

  private static func refusal(in answer: JSON) -> ControlError? {
    guard let error = answer["error"] else { return nil }
    return .refused(
      code: error["code"]?.text ?? "", message: error["message"]?.text ?? "", hint: error["hint"]?.text)
  }
}

extension PlayerStatus {
  /// As the player tells it, which knows it before the library does. Nil without one that answers.
  package static func ofPlayer(_ paths: Paths) -> PlayerStatus? {
    (try? PlayerClient.ifReachable(paths)?.ask(["status"])).flatMap(PlayerStatus.init(document:))
  }
}
