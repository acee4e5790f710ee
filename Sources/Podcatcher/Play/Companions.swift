private import Synchronization

/// All that accompanies a player and is told of what it does: the desktop.
final class Companions: Sendable {
  private struct Parts {
    var desktop: DesktopLink?
  }

  private let parts = Mutex(Parts())

  func begin(_ desktop: DesktopLink) {
    parts.withLock { $0 = Parts(desktop: desktop) }
  }

  func take(_ status: PlayerStatus) {
    let parts = parts.withLock { $0 }
    parts.desktop?.take(status)
  }

  func take(_ report: Listener.Report) {
    let parts = parts.withLock { $0 }
    parts.desktop?.take(report)
  }

  /// The player has ended. Later calls do nothing.
  func end() {
    let parts = parts.withLock { parts in
      defer { parts = Parts() }
      return parts
    }
    parts.desktop?.close()
  }
}
