extension FillPolicy {
  /// A download wants the whole file as the server has it today. Its pauses are 250 ms, doubled up to 4 s: five tries in
  /// a row that bring nothing, then it fails and is left to the next run.
  static let download = FillPolicy(
    hasReader: false, startsOver: true, acceptsUnprovenEnd: true, needsLibrary: true, patience: .milliseconds(7750),
    mostCuts: 5, retriesStatuses: false, retriesBeforeFirstByte: false, saveInterval: .milliseconds(500),
    roomAhead: .max)
}
