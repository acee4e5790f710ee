/// Two records side by side: each figure before and after, and the ratio.
struct RecordComparison {
  let old: Record
  let new: Record

  /// A smaller relative difference is noise.
  private static let noise = 0.1

  var lines: [String] {
    var lines = [
      Self.title("A", old), Self.title("B", new), "B beside A; ▲ takes more, ▼ takes less, by a tenth or more",
    ]
    for table in new.tables {
      let before = old.tables.first { $0.part == table.part && $0.title == table.title }
      lines.append("\(table.part): \(table.title)" + (before == nil ? " (only in B)" : ""))
      guard let before else { continue }
      lines += table.figures.indices.flatMap { index in
        let figure = table.figures[index]
        // Some tables have a row of the same name behind each of several others.
        let number = table.figures[..<index].count { $0.name == figure.name }
        return Self.lines(before.figures.filter { $0.name == figure.name }.dropFirst(number).first, figure)
      }
    }
    let missing = old.tables.filter { table in
      !new.tables.contains { $0.part == table.part && $0.title == table.title }
    }
    return lines + missing.map { "\($0.part): \($0.title) (only in A)" }
  }

  private static func title(_ name: String, _ record: Record) -> String {
    let machine = record.machine.map(\.text).joined(separator: ", ")
    let podcli = record.versions.first { $0.name == "podcli" }?.text ?? "unknown"
    return "\(name): \(record.date), podcli \(podcli), \(machine)"
  }

  private static func lines(_ old: Figure?, _ new: Figure) -> [String] {
    guard let old else { return ["  " + Amount.padded(new.name, to: 42) + "(only in B)"] }
    return Measure.allCases.compactMap { measure in
      guard let before = old.values[measure], let after = new.values[measure] else { return nil }
      return "  " + Amount.padded(new.name, to: 42)
        + "\(measure.text(before)) → \(measure.text(after)), \(Amount.ratio(after, before))\(mark(before, after))"
    }
  }

  private static func mark(_ before: Double, _ after: Double) -> String {
    if after > before * (1 + noise) { return " ▲" }
    return after < before * (1 - noise) ? " ▼" : ""
  }
}
