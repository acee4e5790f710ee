internal import PodcastModel
internal import Text

/// Figures that were measured together, under one title.
struct FigureTable: Hashable {
  var part: String
  var title: String
  var date: String
  /// The version and commit of podcli.
  var podcli: String
  var figures: [Figure] = []

  /// Replaces figures of the same name by the newer ones, and keeps the others.
  mutating func merge(_ newer: FigureTable) {
    var figures = figures.filter { figure in !newer.figures.contains { $0.name == figure.name } }
    figures += newer.figures
    self = newer
    self.figures = figures
  }
}

/// The figures of a run, its date, the machine and the versions of the programs.
struct Record: Hashable {
  struct Entry: Hashable {
    var name: String
    var text: String
  }

  var date: String
  var machine: [Entry]
  var versions: [Entry]
  var tables: [FigureTable] = []

  /// Adds a newer record. Tables that it does not contain stay, since parts may be measured one by one.
  mutating func merge(_ newer: Record) {
    date = newer.date
    machine = newer.machine
    versions = versions.filter { known in !newer.versions.contains { $0.name == known.name } } + newer.versions
    for table in newer.tables {
      if let index = tables.firstIndex(where: { $0.part == table.part && $0.title == table.title }) {
        tables[index].merge(table)
      } else {
        tables.append(table)
      }
    }
  }

  var hasFailures: Bool { tables.contains { $0.figures.contains { $0.status != 0 } } }
}

// MARK: - As JSON

extension Record {
  var json: JSON {
    [
      "date": JSON(date), "machine": Self.json(machine), "versions": Self.json(versions),
      "tables": .array(tables.map(\.json)),
    ]
  }

  init?(_ json: JSON) {
    guard let date = json["date"]?.text, let tables = json["tables"]?.elements else { return nil }
    self.init(
      date: date, machine: Self.entries(json["machine"]), versions: Self.entries(json["versions"]),
      tables: tables.compactMap { FigureTable($0) })
  }

  private static func json(_ entries: [Entry]) -> JSON {
    JSON(members: entries.map { ($0.name, JSON($0.text)) })
  }

  private static func entries(_ json: JSON?) -> [Entry] {
    guard case .object(let members)? = json else { return [] }
    return members.compactMap { member in member.value.text.map { Entry(name: member.name, text: $0) } }
  }
}

extension FigureTable {
  var json: JSON {
    [
      "part": JSON(part), "title": JSON(title), "date": JSON(date), "podcli": JSON(podcli),
      "figures": .array(figures.map(\.json)),
    ]
  }

  init?(_ json: JSON) {
    guard let part = json["part"]?.text, let title = json["title"]?.text, let figures = json["figures"]?.elements else {
      return nil
    }
    self.init(
      part: part, title: title, date: json["date"]?.text ?? "", podcli: json["podcli"]?.text ?? "",
      figures: figures.compactMap { Figure($0) })
  }
}
