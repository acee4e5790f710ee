import Glibc

// Whoever interrupts the demo gets an orderly end of it: what plays stops, and nothing is left behind.

/// Before any thread starts: from then on these signals are waited for, and do not end the process by themselves.
/// A reader that left early (`make demo | head`) ends nothing: the demo goes on to its end, and cleans up.
func blockInterrupts() {
  var signals = interrupts()
  pthread_sigmask(SIG_BLOCK, &signals, nil)
  signal(SIGPIPE, SIG_IGN)
}

func nextInterrupt() -> Int32 {
  var signals = interrupts()
  var signal: Int32 = 0
  sigwait(&signals, &signal)
  return signal
}

private func interrupts() -> sigset_t {
  var set = sigset_t()
  sigemptyset(&set)
  for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, signal) }
  return set
}
