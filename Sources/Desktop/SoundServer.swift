/// Watches where a sound server plays this process's sound, by libpulse, which PipeWire answers, too. Without the library or
/// the server nothing happens.
package final class SoundServer: Sendable {
  private let loop: PulseLoop

  /// `handle` is called with `headphonesGone` only, on a thread of its own, and must not block.
  package init(handle: @escaping @Sendable (DesktopEvent) -> Void) { loop = PulseLoop { handle(.headphonesGone) } }

  deinit { loop.close() }

  /// Connects where there is no connection: at the beginning, and after the server has gone away. Never waits.
  package func watch() { loop.start() }
}
