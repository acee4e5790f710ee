private import Glibc
private import PodcastModel
private import System
internal import Text

/// The clients of a player's socket, on the server's thread: the connections, the answers that each waits for, and the
/// statuses that each is sent.
struct ClientRoom {
  static let mostClients = 32

  private let target: PlayerServer.Target
  private let options: PlayerServer.Options
  private let wakeup: Int32
  private let send: @Sendable (PlayerServer.Message) -> Void
  private let watched: @Sendable (Bool) -> Void
  private var clients: [Int: SocketClient] = [:]
  private var nextClient = 0
  private var nextRequest = 0
  /// No connection is taken before then: the process has no more descriptors.
  private var fullUntil: Duration?
  /// Since when the player is paused and without a client.
  private var idleSince: Duration?

  init(
    _ target: PlayerServer.Target, _ options: PlayerServer.Options, wakeup: Int32,
    send: @escaping @Sendable (PlayerServer.Message) -> Void, watched: @escaping @Sendable (Bool) -> Void
  ) {
    self.target = target
    self.options = options
    self.wakeup = wakeup
    self.send = send
    self.watched = watched
  }

  // MARK: Waiting

  /// Waits for a connection, bytes, room for bytes, a message or the next moment at which something is due; then does
  /// what came, but for messages.
  mutating func wait(listening: Int32) {
    noticeIdleness()
    let isFull = fullUntil.map { options.clock() < $0 } ?? false
    let numbers = clients.keys.sorted()
    var polled = [
      pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0),
      pollfd(fd: isFull ? -1 : listening, events: Int16(POLLIN), revents: 0),
    ]
    polled += numbers.map { clients[$0]!.polled }
    guard poll(&polled, nfds_t(polled.count), timeout) > 0 else { return beOnTime() }
    for (number, state) in zip(numbers, polled.dropFirst(2)) where state.revents != 0 { serve(number, state.revents) }
    if polled[1].revents != 0 { takeConnection(listening) }
    beOnTime()
  }

  private var timeout: Int32 {
    var moments = clients.values.compactMap(\.nextTick) + clients.values.compactMap { $0.running?.deadline }
    if let idleSince, let limit = options.idleLimit { moments.append(idleSince + limit) }
    if let fullUntil { moments.append(fullUntil) }
    guard let next = moments.min() else { return -1 }
    return Int32(clamping: max(0, (next - options.clock()).inMilliseconds + 1))
  }

  /// One at a time: those that have hung up by then make room for the next.
  private mutating func takeConnection(_ listening: Int32) {
    fullUntil = nil
    if let descriptor = LocalSocket.accept(on: listening) {
      admit(descriptor)
    } else if errno == EMFILE || errno == ENFILE {
      fullUntil = options.clock() + .seconds(1)
    }
  }

  private mutating func admit(_ descriptor: Int32) {
    var client = SocketClient(descriptor)
    guard clients.count < Self.mostClients else {
      client.say(target.words(.tooManyClients))
      return client.close()
    }
    client.say(["podcli": 1, "version": JSON(options.version), "pid": JSON(getpid())])
    nextClient += 1
    clients[nextClient] = client
  }

  private mutating func serve(_ number: Int, _ events: Int16) {
    if events & Int16(POLLOUT) != 0 { clients[number]?.flush() }
    let isHungUp = events & Int16(POLLHUP | POLLERR) != 0
    if isHungUp || events & Int16(POLLIN) != 0 { clients[number]?.read(isHungUp: isHungUp) }
    goOn(number)
  }

  // MARK: Requests

  /// A client's requests are carried out one after the other, in its order.
  private mutating func goOn(_ number: Int) {
    while clients[number]?.running == nil, let line = clients[number]?.nextLine() {
      switch line {
      case .tooLong: clients[number]?.say(target.words(.tooLong))
      case .bytes(let bytes): carryOut(PlayerRequest.read(bytes), number)
      }
    }
    closeIfOver(number)
  }

  private mutating func carryOut(_ line: PlayerRequest.Line, _ number: Int) {
    switch line.request {
    case .failure(let error): clients[number]?.say(target.words(error), id: line.id)
    case .success(.status): clients[number]?.say(["status": target.status()], id: line.id)
    case .success(.watch(let interval)):
      // Before the first status: a change after it is told.
      watched(true)
      let status = target.status()
      clients[number]?.watch(every: interval, at: options.clock(), knowing: Self.statusLine(status))
      clients[number]?.say(["status": status], id: line.id)
    case .success(.command(let command)):
      nextRequest += 1
      let request = nextRequest
      clients[number]?.running = .init(
        request: request, command: command, id: line.id, deadline: options.clock() + options.patience)
      Task { [target, send] in
        send(.answer(client: number, request: request, await target.carryOut(command)))
      }
    }
  }

  /// The answer to a command; one that comes too late is no longer waited for.
  mutating func answer(_ number: Int, _ request: Int, _ error: ControlError?) {
    guard let running = clients[number]?.running, running.request == request else { return }
    clients[number]?.running = nil
    clients[number]?.say(error.map(target.words) ?? ["status": target.status()], id: running.id)
    goOn(number)
  }

  // MARK: Telling

  mutating func tellChange(_ status: JSON) {
    let line = Self.statusLine(status)
    for number in clients.keys where clients[number]!.isWatching {
      clients[number]?.tell(line, isTick: false)
      closeIfOver(number)
    }
  }

  private mutating func beOnTime() {
    let now = options.clock()
    for (number, client) in clients {
      guard let running = client.running, running.deadline <= now else { continue }
      answer(number, running.request, .late)
    }
    guard clients.values.contains(where: { $0.nextTick.map { $0 <= now } ?? false }) else { return }
    let line = Self.statusLine(target.status())
    for number in clients.keys where clients[number]!.nextTick.map({ $0 <= now }) ?? false {
      clients[number]?.tell(line, isTick: true)
      clients[number]?.planTick(after: now)
      closeIfOver(number)
    }
  }

  private static func statusLine(_ status: JSON) -> [UInt8] {
    let line: JSON = ["status": status]
    return Array((line.compact + "\n").utf8)
  }

  // MARK: The end

  mutating func end(_ last: JSON) {
    let line = Self.statusLine(last)
    for number in clients.keys {
      if let running = clients[number]?.running {
        clients[number]?.say(
          running.command.changesEpisode ? target.words(.noPlayer) : ["status": last], id: running.id)
      } else if clients[number]!.isWatching {
        clients[number]?.tell(line, isTick: false)
      }
      clients[number]?.close()
    }
    clients = [:]
  }

  private mutating func closeIfOver(_ number: Int) {
    guard let client = clients[number], client.isOver else { return }
    client.close()
    clients[number] = nil
    if client.isWatching { watched(clients.values.contains(where: \.isWatching)) }
  }

  /// Stops a player in the background that has been paused and without a client for long.
  private mutating func noticeIdleness() {
    guard let limit = options.idleLimit else { return }
    guard clients.isEmpty, target.isPaused() else { return idleSince = nil }
    let now = options.clock()
    let since = idleSince ?? now
    idleSince = since
    guard now - since >= limit else { return }
    // Once; the end of playing ends this thread.
    idleSince = now
    Task { [target] in _ = await target.carryOut(.stop) }
  }
}
