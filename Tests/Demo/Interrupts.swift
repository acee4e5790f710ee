import Glibc
import TestSupport

private let interrupts = [SIGINT, SIGTERM, SIGHUP]

private func interruptSet() -> sigset_t {
  var set = sigset_t()
  sigemptyset(&set)
  for signal in interrupts { sigaddset(&set, signal) }
  return set
}

/// Before any thread starts: from then on these signals are waited for, and do not end the process by themselves.
func blockInterrupts() {
  var set = interruptSet()
  pthread_sigmask(SIG_BLOCK, &set, nil)
}

/// Whoever interrupts the demo gets an orderly end of it: what plays stops, and nothing is left behind.
func endOnInterrupt(_ stage: Stage) {
  Task {
    let signal = await offPool {
      var set = interruptSet()
      var signal: Int32 = 0
      sigwait(&set, &signal)
      return signal
    }
    await stage.tidy()
    exit(128 + signal)
  }
}
