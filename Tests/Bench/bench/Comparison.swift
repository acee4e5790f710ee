/// Runs of several programs, told as medians beside one of them.
final class Comparison {
  private let goal: String
  private let isHeadline: Bool
  private var order: [String] = []
  private var runs: [String: [Measured]] = [:]
  private var missing: Set<String> = []

  /// `goal` is the name of the one that the others are set beside.
  init(goal: String, isHeadline: Bool = false) {
    self.goal = goal
    self.isHeadline = isHeadline
  }

  /// Not everything is installed everywhere: what cannot be started is left out, and said.
  func add(_ name: String, _ run: @autoclosure () throws -> Measured) {
    do {
      let measured = try run()
      if runs[name] == nil { order.append(name) }
      runs[name, default: []].append(measured)
    } catch {
      if !missing.contains(name) { print("  \(name): \(error)") }
      missing.insert(name)
    }
  }

  func show() {
    for name in order {
      var figure = Figure(name, of: runs[name] ?? [])
      if name != goal, let goals = runs[goal] {
        figure.beside = Figure.Peer(name: goal, of: goals)
      }
      figure.isHeadline = isHeadline && name != goal
      Report.tell(figure)
    }
    for name in missing where name.hasPrefix("podcli") { Report.tell(Figure.missing(name)) }
  }

  /// Two programs in turns, so that what else happens on the machine happens to all of them. One turn before is not
  /// counted. The first is set beside the second, unless that cannot be started.
  static func inTurns(_ name: String, _ own: Command, _ peer: Command, rounds: Int) throws -> Figure {
    var (ours, theirs): ([Measured], [Measured]) = ([], [])
    for round in 0...rounds {
      let pair = (try own.run(), try? peer.run())
      guard round > 0 else { continue }
      ours.append(pair.0)
      if let other = pair.1 { theirs.append(other) }
    }
    var figure = Figure(name, of: ours)
    if !theirs.isEmpty { figure.beside = Figure.Peer(name: peer.name, of: theirs) }
    return figure
  }

  struct Command {
    var name: String
    var program: String
    var arguments: [String]
    var home: String

    func run() throws -> Measured { try Measured.run(program, arguments, home: home) }
  }
}
