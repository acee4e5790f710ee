/// The rules that differ on purpose between a stream (below) and a download (`DownloadPolicy.swift`).
struct FillPolicy: Hashable, Sendable {
  /// A reader waits for the bytes. Without one, written bytes leave the page cache, and the record says `downloading`.
  var hasReader: Bool
  /// The server's present file replaces another rendition that is here in part. Otherwise what is here stays, and a
  /// missing byte of it is a fault.
  var startsOver: Bool
  /// The end of an answer without a length counts as the end of the file.
  var acceptsUnprovenEnd: Bool
  /// A record that the library does not take ends the fill.
  var needsLibrary: Bool
  /// The sum of all pauses before tries that brought nothing, and, where a reader waits, of the tries.
  var patience: Duration
  /// After more broken connections at the same byte than these no other try is made: a server that is there and breaks off again
  /// and again will not do better in a while.
  var mostCuts: Int
  /// 408, 429 and 5xx are tried again, too.
  var retriesStatuses: Bool
  /// A failure is tried again once the server has answered in this run; otherwise only where a byte is on disk.
  var retriesBeforeFirstByte: Bool
  /// How often the record is saved while bytes arrive.
  var saveInterval: Duration
  /// So much of what is missing must find room on the disk before it is fetched.
  var roomAhead: Int64

  /// `patience`: how long the network may stay away.
  static func stream(patience: Duration) -> FillPolicy {
    FillPolicy(
      hasReader: true, startsOver: false, acceptsUnprovenEnd: false, needsLibrary: false, patience: patience,
      mostCuts: 5, retriesStatuses: true, retriesBeforeFirstByte: true, saveInterval: .seconds(1),
      roomAhead: FillPlan.longest)
  }
}

/// How much of the disk a file may take.
struct FillLimits: Hashable, Sendable {
  /// Of one file: an endless stream is no episode.
  var largest: Int64 = 2 << 30
  /// A server that tells a larger size tells none, and nothing is sought behind it: sums with it do not overflow.
  static let believable: Int64 = 1 << 44
  /// Room that is left to the library and to other programs.
  var reserve: Int64 = 100_000_000
}
