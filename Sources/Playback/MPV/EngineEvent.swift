/// An event of libmpv's, copied out of its memory before it leaves the handle.
enum EngineEvent: Hashable, Sendable {
  case started(entry: Int64)
  /// The file is a media file; little more is known of it. `tagGain`: that of its own tags.
  case opened(duration: Double?, tagGain: TagGain? = nil)
  /// Sound flows again, after loading or seeking, from this position. It is read at this moment: the observed
  /// position may still be the one from before.
  case restarted(at: Double?)
  case seeking
  case ended(entry: Int64, EndReason)
  case property(EngineProperty)
  case shutdown
}

/// An observed property of libmpv; nil where libmpv does not know it.
enum EngineProperty: Hashable, Sendable {
  case position(Double?)
  case duration(Double?)
  case isPaused(Bool)
  case isBuffering(Bool)
  /// The silence detector has found a beginning or an end.
  case isSilent(Bool)
  case chapters([MediaChapter])
}
