private import CPulse
private import Synchronization
internal import System

/// The one thread that owns a connection to the sound server: it opens libpulse, makes every call and waits for every event.
final class PulseLoop: Sendable {
  /// libpulse's main loop, to be woken from any thread. `@unchecked Sendable`: it is used under the lock only, from its
  /// making to just before it is freed.
  private struct Wakeable: @unchecked Sendable {
    let pulse: podcli_pulse
    let loop: OpaquePointer
  }

  private struct State {
    var isRunning = false
    var isClosed = false
    var wakeable: Wakeable?
  }

  private let state = Mutex(State())
  private let gone: @Sendable () -> Void

  init(gone: @escaping @Sendable () -> Void) { self.gone = gone }

  /// Runs the thread, where it does not run.
  func start() {
    let isNew = state.withLock { state in
      defer { state.isRunning = true }
      return !state.isRunning && !state.isClosed
    }
    guard isNew else { return }
    onThread { [self] in
      run()
      state.withLock { $0.isRunning = false }
    }
  }

  func close() {
    state.withLock { state in
      state.isClosed = true
      if let wakeable = state.wakeable { wakeable.pulse.pa_mainloop_wakeup(wakeable.loop) }
    }
  }

  private func run() {
    var pulse = podcli_pulse()
    guard podcli_pulse_load(&pulse) == nil, let loop = pulse.pa_mainloop_new() else { return }
    state.withLock { $0.wakeable = Wakeable(pulse: pulse, loop: loop) }
    let client = PulseClient(pulse, loop, gone: gone)
    while client.isAlive, !state.withLock(\.isClosed), pulse.pa_mainloop_iterate(loop, 1, nil) >= 0 {}
    client.close()
    state.withLock { $0.wakeable = nil }
    pulse.pa_mainloop_free(loop)
  }
}
