/// Runs of several programs, reported as medians beside those of one of them.
final class Comparison {
  private let goal: String
  private let isHeadline: Bool
  private var order: [String] = []
  private var runs: [String: [Measured]] = [:]
  private var missing: Set<String> = []

  /// `goal` is the name of the program that the others are compared with.
  init(goal: String, isHeadline: Bool = false) {
    self.goal = goal
    self.isHeadline = isHeadline
  }

  /// Adds a run. A program that cannot be started (it may not be installed) is left out, with a message.
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

  /// Runs two programs in turns, so that other load on the machine affects both; the first turn is not counted. The
  /// figure is the first program's, beside the second's unless that cannot be started.
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
