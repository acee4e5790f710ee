import Glibc

// An interrupt ends the demo in order: playback stops, and the temporary files are removed.

/// Blocks the signals before any thread starts, so that they are waited for and do not end the process. A closed pipe
/// (`make demo | head`) does not end the demo either: it goes on to its end and cleans up.
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
