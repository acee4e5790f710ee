/// The levels of a media file's sound, by which the same sound is found in another encoding. The measuring pass makes it.
struct SoundPrint: Hashable, Sendable {
  /// Of each three hundredths of a second.
  var levels: [Level]

  /// Of a level, in seconds.
  static let step = 0.03

  /// `levels`: of each hundredth of a second.
  init(hundredths levels: [Level]) {
    self.levels = stride(from: 0, to: levels.count - 2, by: 3).map { index in
      let parts = levels[index..<index + 3].filter { $0 != SilenceMap.unknown }
      guard !parts.isEmpty else { return SilenceMap.unknown }
      return Level(parts.reduce(0) { $0 + Int($1) } / parts.count)
    }
  }

  var seconds: Double { Double(levels.count) * Self.step }

  // MARK: In the library

  private static let format: UInt8 = 1

  init?(data: [UInt8]) {
    guard data.first == Self.format else { return nil }
    levels = Array(data.dropFirst())
  }

  var data: [UInt8] { [Self.format] + levels }
}
