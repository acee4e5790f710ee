import Glibc
internal import PodcastModel
internal import PodcastStore

/// The library: what people ask it, what a refresh writes into it, and how long a player waits meanwhile.
///
/// The two libraries are made when they are not there, which takes minutes, and kept for the next time.
enum StoreBench {
  static func run(_ arguments: [String]) async throws {
    let folder = arguments.first ?? "/tmp/podcli-bench-libraries"
    let parts = arguments.dropFirst()
    let small = try await library(folder + "/small", podcasts: 50)
    let large = try await library(folder + "/large", podcasts: 1000)
    func isWanted(_ part: String) -> Bool { parts.isEmpty || parts.contains(part) }
    if isWanted("questions") { try await QuestionBench(small: small, large: large).run() }
    if isWanted("listings") { try await QuestionBench(small: small, large: large).list() }
    if isWanted("merge") { try await MergeBench(library: large).run() }
    if isWanted("positions") { try await PositionBench(library: large).run() }
  }

  private static func library(_ home: String, podcasts: Int) async throws -> String {
    let path = home + "/library.db"
    guard access(path, F_OK) != 0 else { return home }
    mkdir(home.split(separator: "/").dropLast().reduce(into: "") { $0 += "/" + $1 }, 0o700)
    mkdir(home, 0o700)
    try await makeLibrary([path, String(podcasts), "1000"])
    return home
  }
}

/// Numbers of a table.
enum Figures {
  static func milliseconds(_ seconds: Double) -> String { fixed(seconds * 1000, digits: 2) }
  static func ratio(_ left: Double, _ right: Double) -> String { fixed(right > 0 ? left / right : 0, digits: 2) }

  static func fixed(_ value: Double, digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let rounded = Int((value * scale).rounded())
    let rest = String(rounded % Int(scale))
    return "\(rounded / Int(scale))." + String(repeating: "0", count: digits - rest.count) + rest
  }

  static func column(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  static func title(_ text: String) -> String { text + String(repeating: " ", count: max(0, 40 - text.count)) }

  static func median(_ values: [Double]) -> Double { values.isEmpty ? 0 : values.sorted()[values.count / 2] }
}

extension Duration {
  var inSecondsAsNumber: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}

/// Does what `podcli playlist -n 50` asks of the library, once: for counting instructions.
func listOnce(_ arguments: [String]) async throws {
  guard let path = arguments.first else { return }
  let store = try PodcastStore(path: path, access: .readOnly)
  for entry in try await store.playlist(limit: 50) { print(entry.episode.title) }
}
