/// The D-Bus side of a desktop: media keys and media controls (MPRIS), the sleep of the machine, and what keeps it awake.
/// This file and `SoundServer` are all that the target offers, but for the values that go in and out.
///
/// A thread of its own serves the session's and the system's bus by sd-bus. Without the library or without a bus nothing
/// happens; a bus that dies is not looked for again. No call ever blocks.
package final class DesktopBus: Sendable {
  private let loop: BusLoop

  /// Owns its name on the session's bus from here to the end. `position` is called on the bus thread, and must not block;
  /// nor must `handle`.
  package init(
    _ identity: MediaIdentity, position: @escaping @Sendable () -> Duration,
    handle: @escaping @Sendable (DesktopEvent) -> Void
  ) {
    loop = BusLoop(identity, position: position, handle: handle)
  }

  deinit { loop.send(.close) }

  /// Publishes the state, and a position that does not follow from the one before: after a jump, after a stall, at the
  /// beginning.
  package func show(_ state: MediaState, jumpedTo position: Duration? = nil) { loop.send(.show(state, position)) }

  /// Publishes a jump.
  package func jumped(to position: Duration) { loop.send(.jumped(position)) }

  /// Best effort: a desktop may ignore it.
  package func keepAwake(_ wakefulness: Wakefulness) { loop.send(.keepAwake(wakefulness)) }

  /// After `prepareForSleep(true)`, when everything is saved: the machine need not wait any longer.
  package func allowSleep() { loop.send(.allowSleep) }
}
