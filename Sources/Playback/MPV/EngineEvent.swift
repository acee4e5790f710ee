/// An event of libmpv's, copied into Swift before it crosses to anybody else.
enum EngineEvent: Hashable, Sendable {
  case started(entry: Int64)
  /// It is a medium; not much more is known of it.
  case opened(duration: Double?)
  /// Sound flows again, after loading or seeking, from here. Asked for on the spot: the observed position
  /// may still be the one from before.
  case restarted(at: Double?)
  case seeking
  case ended(entry: Int64, EndReason)
  case property(EngineProperty)
  case shutdown
}

/// What is observed of libmpv; nil means that it does not know.
enum EngineProperty: Hashable, Sendable {
  case position(Double?)
  case duration(Double?)
  case isPaused(Bool)
  case isBuffering(Bool)
  /// The silence detector has found a beginning or an end.
  case isSilent(Bool)
  case chapter(Int?)
  case chapters([MediaChapter])
}
