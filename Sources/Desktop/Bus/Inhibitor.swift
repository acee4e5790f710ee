private import Glibc

/// A request to another program to keep the machine from something, held as long as it is wanted. Its failure is ignored.
final class Inhibitor {
  /// Given by the other program for a request, and given back to end it.
  enum Token {
    case descriptor(Int32)
    case cookie(UInt32)
    case path(String)
  }

  private enum State {
    case idle, asked
    case held(Token)
  }

  private let connection: BusConnection
  private let peer: BusConnection.Peer
  private let arguments: [BusValue]
  private let read: (BusMessage) -> Token?
  private var state = State.idle
  private var isWanted = false

  private init(
    _ connection: BusConnection, _ peer: BusConnection.Peer, _ arguments: [BusValue],
    read: @escaping (BusMessage) -> Token?
  ) {
    self.connection = connection
    self.peer = peer
    self.arguments = arguments
    self.read = read
  }

  /// The bus is gone, or the thread that it is served by: only a lock that is a descriptor outlives it.
  deinit { if case .held(.descriptor(let descriptor)) = state { close(descriptor) } }

  func want(_ isWanted: Bool) {
    self.isWanted = isWanted
    switch (state, isWanted) {
    case (.idle, true): ask()
    case (.held(let token), false): end(token)
    default: break
    }
  }

  private func ask() {
    state = .asked
    connection.call(peer, "Inhibit", arguments) { [unowned self] answer in
      state = answer.flatMap(read).map { .held($0) } ?? .idle
      if !isWanted { want(false) }
    }
  }

  private func end(_ token: Token) {
    state = .idle
    switch token {
    case .descriptor(let descriptor): close(descriptor)
    case .cookie(let cookie): connection.call(peer, "UnInhibit", [.uint32(cookie)])
    case .path(let path):
      let request = BusConnection.Peer(name: peer.name, path: path, interface: "org.freedesktop.portal.Request")
      connection.call(request, "Close", [])
    }
  }
}

extension Inhibitor {
  static let login = BusConnection.Peer(
    name: "org.freedesktop.login1", path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager")

  /// logind's locks, on the system's bus: `sleep` and `delay`, or `idle` and `block`.
  static func login(_ connection: BusConnection, _ what: String, _ mode: String, why: String) -> Inhibitor {
    Inhibitor(connection, login, [.string(what), .string("podcli"), .string(why), .string(mode)]) {
      $0.readDescriptor().map { .descriptor($0) }
    }
  }

  /// The desktop portal's, on the session's bus: against suspending, not against a dark screen.
  static func portal(_ connection: BusConnection, why: String) -> Inhibitor {
    let peer = BusConnection.Peer(
      name: "org.freedesktop.portal.Desktop", path: "/org/freedesktop/portal/desktop",
      interface: "org.freedesktop.portal.Inhibit")
    let reason = BusValue.dictionary([BusProperty("reason", .string(why))])
    return Inhibitor(connection, peer, [.string(""), .uint32(4), reason]) { $0.readPath().map { .path($0) } }
  }

  /// The older service of several desktops, on the session's bus.
  static func powerManagement(_ connection: BusConnection, why: String) -> Inhibitor {
    let peer = BusConnection.Peer(
      name: "org.freedesktop.PowerManagement", path: "/org/freedesktop/PowerManagement/Inhibit",
      interface: "org.freedesktop.PowerManagement.Inhibit")
    return Inhibitor(connection, peer, [.string("podcli"), .string(why)]) {
      $0.readUInt32().map { .cookie($0) }
    }
  }
}
