private import Text

/// Gathers the header lines that libcurl hands over one by one, redirects included.
///
/// A server that sends one line after the other never looks silent, so heads are timed and measured here.
struct HeadCollector {
  private(set) var status = 0
  private(set) var version = 1
  private(set) var headers: [HTTPRequest.Header] = []
  private(set) var redirects: [HTTPHead.Redirect] = []
  private let patience: Duration
  private var deadline = ContinuousClock.now
  private var bytes = 0

  /// How long one head may take from its first line.
  init(patience: Duration) { self.patience = patience }

  /// No answer has so many lines, or takes so long to say them.
  var isEndless: Bool { bytes > 256 << 10 || (ContinuousClock.now > deadline) }

  mutating func take(_ line: Substring) {
    bytes += line.utf8.count
    if line.hasPrefix("HTTP/") {
      startAnswer(line)
    } else if let colon = line.firstIndex(of: ":") {
      let value = line[line.index(after: colon)...].trimmingBlanks()
      headers.append(.init(line[..<colon].lowercased(), String(value)))
    }
  }

  private mutating func startAnswer(_ line: Substring) {
    if (300..<400).contains(status), let location = headers.last(where: { $0.name == "location" })?.value {
      redirects.append(.init(status: status, location: location))
    }
    headers = []
    bytes = 0
    deadline = .now + patience
    version = line.dropFirst("HTTP/".count).first?.wholeNumberValue ?? 1
    status = line.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap { Int($0) } ?? 0
  }
}
