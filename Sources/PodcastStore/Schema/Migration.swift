/// One step from a schema to the next. Steps are never changed after a release, only added.
struct Migration: Sendable {
  var name: String
  var script: String

  /// In order: a library of version N has had the first N.
  static let all: [Migration] = [
    Migration(name: "a library", script: library)
  ]

  /// `podc`, which tells a podcli library from any other database, and from an emptied file.
  static let applicationID: Int64 = 0x706f_6463

  static var currentVersion: Int { all.count }
}
