private import Synchronization

/// All that accompanies a player and is told of what it does: the desktop, the user's program for events, and
/// other machines.
final class Companions: Sendable {
  private struct Parts {
    var desktop: DesktopLink?
    var hooks: PlayerHooks?
    var sync: PlayerSync?
  }

  private let parts = Mutex(Parts())

  func begin(_ desktop: DesktopLink, _ hooks: PlayerHooks?, _ sync: PlayerSync) {
    parts.withLock { $0 = Parts(desktop: desktop, hooks: hooks, sync: sync) }
  }

  func take(_ status: PlayerStatus) {
    let parts = parts.withLock { $0 }
    parts.desktop?.take(status)
    parts.hooks?.take(status)
    parts.sync?.take(status)
  }

  func take(_ report: Listener.Report) {
    let parts = parts.withLock { $0 }
    parts.desktop?.take(report)
    parts.hooks?.take(report)
    parts.sync?.take(report)
  }

  /// The player has ended at that position, which is saved. Later calls do nothing.
  func end(at position: Duration?) {
    let parts = parts.withLock { parts in
      defer { parts = Parts() }
      return parts
    }
    parts.hooks?.stopped(at: position)
    parts.desktop?.close()
  }
}
