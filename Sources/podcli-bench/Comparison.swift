/// Runs of several programs, told as medians beside one of them.
final class Comparison {
  private let goal: String
  private var order: [String] = []
  private var runs: [String: [Measured]] = [:]

  /// `goal` is the name of the one that the others are set beside.
  init(goal: String) { self.goal = goal }

  func add(_ name: String, _ run: Measured) {
    if runs[name] == nil { order.append(name) }
    runs[name, default: []].append(run)
  }

  func show() {
    let goals = median(goal)
    for name in order {
      let run = median(name)
      var line = "  \(name)" + String(repeating: " ", count: max(0, 40 - name.count))
      line += "\(Self.text(run.wall)) s, \(Self.text(run.processor)) s CPU, \(Int(run.peakMegabytes)) MB"
      if name != goal {
        line += ", \(Self.text(run.wall / goals.wall)) × (CPU \(Self.text(run.processor / goals.processor)) ×)"
      }
      if run.status != 0 { line += ", status \(run.status)" }
      print(line)
    }
  }

  private func median(_ name: String) -> Measured {
    let all = runs[name] ?? []
    func middle(_ value: (Measured) -> Double) -> Double {
      all.isEmpty ? 0 : all.map(value).sorted()[all.count / 2]
    }
    return Measured(
      wall: middle(\.wall), processor: middle(\.processor), peakMegabytes: all.map(\.peakMegabytes).max() ?? 0,
      status: all.map(\.status).max() ?? 0)
  }

  static func text(_ value: Double) -> String {
    guard value.isFinite else { return "–" }
    let hundredths = Int((value * 100).rounded())
    return "\(hundredths / 100)." + (hundredths % 100 < 10 ? "0" : "") + String(hundredths % 100)
  }
}
