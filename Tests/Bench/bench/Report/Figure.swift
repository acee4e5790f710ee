internal import PodcastModel
internal import Text

/// The figures of one program or operation: medians, and peak memory.
struct Figure: Hashable {
  /// Another program, or another way, that does the same work.
  struct Peer: Hashable {
    var name: String
    var values: [Measure: Double]
    /// The exit status of a program that failed; its values are left out, since they would be meaningless.
    var status: Int32 = 0

    init(name: String, values: [Measure: Double], status: Int32 = 0) {
      self.name = name
      self.values = values
      self.status = status
    }

    init(name: String, of runs: [Measured]) {
      let status = Figure.status(of: runs)
      self.init(name: name, values: status == 0 ? Figure.values(of: runs) : [:], status: status)
    }

    var text: String { name + (status == 0 ? " " + Figure.text(values) : " failed, status \(status)") }
  }

  var name: String
  var values: [Measure: Double]
  var runs = 1
  var beside: Peer?
  var goal: String?
  /// The exit status of a program that failed; the values mean little then.
  var status: Int32 = 0
  /// Whether it is in the table of results.
  var isHeadline = false

  init(_ name: String, _ values: [Measure: Double], runs: Int = 1, beside: Peer? = nil, goal: String? = nil) {
    self.name = name
    self.values = values
    self.runs = runs
    self.beside = beside
    self.goal = goal
  }

  init(_ name: String, of runs: [Measured], goal: String? = nil) {
    self.init(name, Self.values(of: runs), runs: runs.count, goal: goal)
    status = Self.status(of: runs)
  }

  /// The figure of a program that could not be started.
  static func missing(_ name: String) -> Figure {
    var figure = Figure(name, [:], runs: 0)
    figure.status = 127
    return figure
  }

  static func status(of runs: [Measured]) -> Int32 { runs.first { $0.status != 0 }?.status ?? 0 }

  static func values(of runs: [Measured]) -> [Measure: Double] {
    let memory = runs.map(\.peakMegabytes).max() ?? 0
    return [
      .time: Amount.median(runs.map(\.wall)), .processor: Amount.median(runs.map(\.processor)),
      // Nil if it was not a process of its own.
      .memory: memory > 0 ? memory : nil,
    ].compactMapValues { $0 }
  }
}

// MARK: - As text

extension Figure {
  var line: String {
    var line = "  " + Amount.padded(name, to: 42) + Self.text(values)
    if let beside { line += "; \(beside.text)" + (ratios.map { ": " + $0 } ?? "") }
    if let goal { line += "; goal \(goal)" }
    return line + (status == 0 ? "" : "; STATUS \(status)")
  }

  /// The ratio of the times, and of the processor times if both are known, or of the bytes. Nil without a peer, or if
  /// either failed.
  var ratios: String? {
    guard let beside, status == 0, beside.status == 0 else { return nil }
    let shared = [Measure.time, .processor, .bytes].compactMap { ratio(of: $0) }
    return shared.count == 2 ? "\(shared[0]) (CPU \(shared[1]))" : shared.first ?? "–"
  }

  private func ratio(of measure: Measure) -> String? {
    guard let own = values[measure], let other = beside?.values[measure] else { return nil }
    return Amount.ratio(own, other)
  }

  static func text(_ values: [Measure: Double]) -> String {
    Measure.allCases.compactMap { measure in values[measure].map(measure.text) }.joined(separator: ", ")
  }
}

// MARK: - As JSON

extension Figure {
  var json: JSON {
    let peer = beside.map { peer in
      JSON(members: [("name", JSON(peer.name))] + Self.members(peer.values) + [Self.member(peer.status)])
    }
    return JSON(
      members: [("name", JSON(name))] + Self.members(values) + [
        ("runs", JSON(runs)), ("beside", peer), ("goal", JSON(goal)), Self.member(status),
        ("headline", isHeadline ? true : nil),
      ])
  }

  init?(_ json: JSON) {
    guard let name = json["name"]?.text else { return nil }
    self.init(
      name, Self.values(in: json), runs: json["runs"]?.int.map { Int($0) } ?? 1,
      beside: json["beside"].flatMap { peer in
        peer["name"]?.text.map { Peer(name: $0, values: Self.values(in: peer), status: Self.status(in: peer)) }
      }, goal: json["goal"]?.text)
    status = Self.status(in: json)
    isHeadline = json["headline"]?.flag ?? false
  }

  private static func members(_ values: [Measure: Double]) -> [(String, JSON?)] {
    Measure.allCases.map { ($0.rawValue, JSON(values[$0])) }
  }

  private static func member(_ status: Int32) -> (String, JSON?) { ("status", status == 0 ? nil : JSON(status)) }

  private static func status(in json: JSON) -> Int32 { json["status"]?.int.map { Int32(clamping: $0) } ?? 0 }

  private static func values(in json: JSON) -> [Measure: Double] {
    Measure.allCases.reduce(into: [:]) { values, measure in values[measure] = json[measure.rawValue]?.double }
  }
}
