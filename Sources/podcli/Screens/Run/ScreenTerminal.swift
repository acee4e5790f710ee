import Dispatch
import Glibc
import Podcatcher
import ScreenKit

/// An occurrence for the screen: news of the journeys, bytes from the terminal, a moment that was waited for.
enum ScreenHappening: Sendable {
  case event(ScreenEvent)
  case bytes([UInt8])
  /// Nothing has followed these bytes for a while: the number of reads until then.
  case silence(Int)
  /// A frame may be drawn again.
  case frame
  case writable
  case signal(Int32)
  case opened(ScreenLibraryOpening)
  /// Nothing that was asked for is under way any more, or it takes too long.
  case finished(isWhole: Bool)
}

/// The terminal of the screen: input, signals and output, each of which comes as a happening; nothing here waits.
final class ScreenTerminal {
  private let send: @Sendable (ScreenHappening) -> Void
  private let queue = DispatchQueue(label: "podcli.screen")
  private var output = TerminalOutput()
  private var writer: FrameWriter
  private let mouse: Bool
  private var decoder = InputDecoder()
  private var reads = 0
  private var keys: (any DispatchSourceRead)?
  private var room: (any DispatchSourceWrite)?
  /// The moment that leaves a frame interval for each frame drawn so far.
  private var paidUntil: ContinuousClock.Instant?
  private var isFramePlanned = false
  /// The answer to a query is still to come.
  private var isAnswerOpen = false
  /// Shown, and in the foreground.
  private(set) var isActive = false

  /// Frames are so far apart on average. One may come early: the rows for a letter follow the letter itself at once.
  private static let frameInterval = Duration.milliseconds(16)
  /// A terminal sends a sequence in one go; after this, Escape was a key.
  private static let escapeTime = Duration.milliseconds(25)
  /// An answer that pauses for so long has no end.
  private static let longestAnswer = Duration.seconds(1)

  init(usesColor: Bool, mouse: Bool, send: @escaping @Sendable (ScreenHappening) -> Void) {
    self.send = send
    self.mouse = mouse
    writer = FrameWriter(usesColor: usesColor)
  }

  // MARK: Begin and end

  /// False without a terminal. The start sequence goes out with the first frame.
  func begin(with cells: Cells) -> Bool {
    guard ScreenSession.begin() else { return false }
    isActive = true
    writer.forget()
    output.send(Array(ScreenSession.startSequence(mouse: mouse).utf8) + writer.frame(for: cells))
    noteFrame(at: .now)
    if output.isBehind { waitForRoom() }
    return true
  }

  /// Takes keys from here on.
  func listen() {
    let source = DispatchSource.makeReadSource(fileDescriptor: 0, queue: queue)
    source.setEventHandler { [send] in Self.read(send) }
    source.resume()
    keys = source
  }

  func end() {
    guard isActive else { return }
    isActive = false
    keys?.cancel()
    keys = nil
    room?.cancel()
    room = nil
    ScreenSession.startOutput()
    output.sendLast(ScreenSession.endSequence)
    if isAnswerOpen { swallowAnswer() }
    ScreenSession.end()
  }

  /// The shell must not read the answer as keys.
  private func swallowAnswer() {
    isAnswerOpen = false
    var keyboard = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
    var bytes = [UInt8](repeating: 0, count: 4096)
    while poll(&keyboard, 1, 1000) > 0, keyboard.revents & Int16(POLLIN) != 0 {
      let count = Glibc.read(0, &bytes, bytes.count)
      guard count > 0, !bytes[..<count].contains(UInt8(ascii: "c")) else { return }
    }
  }

  // MARK: Input

  private static func read(_ send: @Sendable (ScreenHappening) -> Void) {
    guard SharedTerminal.isInForeground(0) else { return }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(0, &bytes, bytes.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    // The terminal is gone.
    guard count > 0 else { return send(.signal(SIGHUP)) }
    send(.bytes(Array(bytes[..<count])))
  }

  func inputs(in bytes: [UInt8]) -> [Input] {
    reads += 1
    let inputs = decoder.take(bytes)
    if inputs.contains(where: { if case .attributes = $0 { true } else { false } }) { isAnswerOpen = false }
    if decoder.isWaiting || decoder.isInString {
      let time = decoder.isWaiting ? Self.escapeTime : Self.longestAnswer
      MainThread.executor.call(after: time) { [send, reads] in send(.silence(reads)) }
    }
    return inputs
  }

  /// The Escape key, if nothing has been read since.
  func inputs(afterSilence number: Int) -> [Input] {
    guard number == reads else { return [] }
    if !decoder.isWaiting { decoder.leaveString() }
    return decoder.flush()
  }

  // MARK: Output

  /// Draws now, or as soon as a frame may follow the last one and the terminal takes it.
  func draw(_ cells: () -> Cells) {
    guard isActive, !isFramePlanned, room == nil else { return }
    let now = ContinuousClock.now
    if let paidUntil, case let wait = paidUntil - Self.frameInterval - now, wait > .zero {
      isFramePlanned = true
      MainThread.executor.call(after: wait) { [send] in send(.frame) }
      return
    }
    let frame = writer.frame(for: cells())
    guard !frame.isEmpty else { return }
    noteFrame(at: now)
    if !output.send(frame) { waitForRoom() }
  }

  private func noteFrame(at now: ContinuousClock.Instant) {
    paidUntil = max(now, paidUntil ?? now) + Self.frameInterval
  }

  func frameIsDue() { isFramePlanned = false }

  /// The next frame writes every row.
  func forget() { writer.forget() }

  /// A sequence that is no part of a frame.
  func send(_ text: String) {
    if !output.send(Array(text.utf8)) { waitForRoom() }
  }

  /// Asks for the device attributes. The answer is an input like any other.
  func askAttributes() {
    isAnswerOpen = true
    send("\u{1B}[c")
  }

  func flush() {
    if output.flush() {
      room?.cancel()
      room = nil
    }
  }

  private func waitForRoom() {
    guard room == nil else { return }
    let source = DispatchSource.makeWriteSource(fileDescriptor: output.descriptor, queue: queue)
    source.setEventHandler { [send] in send(.writable) }
    source.resume()
    room = source
  }

  /// Sends the happening after a while.
  func wait(_ delay: Duration, then happening: ScreenHappening) {
    MainThread.executor.call(after: min(delay, .seconds(3600))) { [send] in send(happening) }
  }

  // MARK: Signals

  /// Those that end podcli, and those about the terminal; all are blocked before any thread starts.
  static let signals = Signals.ending + [SIGWINCH, SIGTSTP, SIGCONT]

  func watchSignals() {
    Signals.watchAlways(Self.signals, on: queue) { [send] number in send(.signal(number)) }
  }
}
