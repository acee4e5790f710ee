extension FillPolicy {
  /// A download wants the whole file as the server has it today. A broken connection is tried again after a pause, five
  /// times in a row (`RetrySchedule`: 250 ms, doubled); then it fails and is left to the next run. After an error of the
  /// server, and after a failure before the first byte, it fails at once.
  static let download = FillPolicy(
    hasReader: false, startsOver: true, acceptsUnprovenEnd: true, needsLibrary: true, patience: .milliseconds(7750),
    mostCuts: 5, retriesStatuses: false, retriesBeforeFirstByte: false, saveInterval: .milliseconds(500),
    roomAhead: .max)
}
