private import Glibc

/// The session's bus: media controls, and what keeps the desktop from suspending.
final class SessionBus {
  let connection: BusConnection
  private let player: MediaPlayerObject
  private let wakeLocks: [Inhibitor]

  init?(
    _ identity: MediaIdentity, position: @escaping @Sendable () -> Duration,
    handle: @escaping @Sendable (DesktopEvent) -> Void
  ) {
    guard let connection = BusConnection(.user) else { return nil }
    self.connection = connection
    player = MediaPlayerObject(connection, identity, position: position, handle: handle)
    let why = "an episode is playing"
    wakeLocks = [.portal(connection, why: why), .powerManagement(connection, why: why)]
    player.appear(process: getpid())
  }

  func show(_ state: MediaState, jumpedTo position: Duration?) { player.show(state, jumpedTo: position) }

  func jumped(to position: Duration) { player.jumped(to: position) }

  func keepAwake(_ wakefulness: Wakefulness) { wakeLocks.forEach { $0.want(wakefulness != .none) } }
}

/// The system's bus: the sleep of the machine.
final class SystemBus {
  let connection: BusConnection
  private let sleepLock: Inhibitor
  private let idleLock: Inhibitor
  /// Between the announcement of a sleep and its end.
  private var isSleepComing = false

  /// Delays each sleep until `allowSleep`.
  init?(handle: @escaping @Sendable (DesktopEvent) -> Void) {
    guard let connection = BusConnection(.system) else { return nil }
    self.connection = connection
    sleepLock = .login(connection, "sleep", "delay", why: "the position is saved first")
    idleLock = .login(connection, "idle", "block", why: "an episode is playing")
    connection.listen(to: Inhibitor.login, "PrepareForSleep") { [unowned self] message in
      guard let isComing = message.readBool() else { return }
      isSleepComing = isComing
      // The next sleep is to wait, too.
      if !isComing { sleepLock.want(true) }
      handle(.prepareForSleep(isComing))
    }
    sleepLock.want(true)
  }

  /// Ignored when the machine is awake again by now.
  func allowSleep() { if isSleepComing { sleepLock.want(false) } }

  func keepAwake(_ wakefulness: Wakefulness) { idleLock.want(wakefulness == .session) }
}
