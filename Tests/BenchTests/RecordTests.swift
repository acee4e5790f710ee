import PodcastModel
import TestSupport
import Testing
import Text

@testable import podcli_bench

@Suite struct RecordTests {
  private func record(_ date: String, _ tables: [FigureTable]) -> Record {
    Record(
      date: date, machine: [Record.Entry(name: "cores", text: "2")],
      versions: [Record.Entry(name: "podcli", text: "1.0 (abc)"), Record.Entry(name: "curl", text: "7.88.1")],
      tables: tables)
  }

  private func table(_ title: String, _ figures: Figure..., date: String = "2026-01-02T03:04:05Z") -> FigureTable {
    FigureTable(part: "media", title: title, date: date, podcli: "1.0 (abc)", figures: figures)
  }

  private func figure(_ name: String, seconds: Double) -> Figure {
    var figure = Figure(
      name, [.time: seconds, .processor: 0.5, .memory: 12], runs: 5,
      beside: Figure.Peer(name: "curl", values: [.time: 2, .processor: 0.25]), goal: "1.1 ×")
    figure.isHeadline = true
    return figure
  }

  @Test func `a record is read as it was written`() throws {
    var failed = Figure("failed", [.half: 0.001, .longest: 0.004, .refused: 3])
    failed.status = 5
    let record = record("2026-01-02T03:04:05Z", [table("1 GB", figure("podcli download", seconds: 2.5), failed)])
    #expect(Record(try #require(JSON(parsing: record.json.pretty))) == record)
    #expect(record.hasFailures)
    #expect(Record(["tables": 7]) == nil)
  }

  @Test func `a program that failed is shown as failed, without ratios`() throws {
    let peer = Comparison.Command(name: "peer", program: "sh", arguments: ["-c", "exit 3"], home: "/")
    let own = Comparison.Command(name: "podcli", program: "true", arguments: [], home: "/")
    var beside = try Comparison.inTurns("peer fails", own, peer, rounds: 2)
    #expect(beside.status == 0 && beside.beside?.status == 3 && beside.ratios == nil)
    #expect(beside.line.hasSuffix("; peer failed, status 3"))
    #expect(Figure(beside.json) == beside)
    beside.isHeadline = true
    let row = try #require(ResultsTable(record: record("1", [table("t", beside)])).lines.last)
    #expect(row.hasSuffix(" | peer: failed |  |"))
    let own2 = try Comparison.inTurns("own fails", peer, own, rounds: 1)
    #expect(own2.status == 3 && own2.ratios == nil && own2.line.hasSuffix("; STATUS 3"))
    #expect(try Comparison.inTurns("both work", own, own, rounds: 1).ratios?.contains("×") == true)
  }

  @Test func `installed programs are found on the PATH`() {
    #expect(Measured.isInstalled("sh"))
    #expect(!Measured.isInstalled("no-such-program"))
  }

  @Test func `a figure as JSON`() {
    let expected =
      #"{"name":"podcli download","seconds":2.5,"cpuSeconds":0.5,"peakMegabytes":12,"runs":5,"#
      + #""beside":{"name":"curl","seconds":2,"cpuSeconds":0.25},"goal":"1.1 ×","headline":true}"#
    #expect(figure("podcli download", seconds: 2.5).json.compact == expected)
  }

  @Test func `merging a record keeps the figures that were not measured again`() {
    var record = record("1", [table("1 GB", figure("a", seconds: 1), figure("b", seconds: 1)), table("old")])
    record.merge(self.record("2", [table("1 GB", figure("b", seconds: 2), date: "2"), table("new")]))
    #expect(record.date == "2")
    #expect(record.tables.map(\.title) == ["1 GB", "old", "new"])
    #expect(record.tables[0].figures.map { $0.values[.time] } == [1, 2])
    #expect(record.tables[0].date == "2" && record.versions.count == 2)
  }

  @Test func `a record folder holds each run and the latest figures of all`() throws {
    let home = try TemporaryHome()
    let folder = try RecordFolder(path: home.path)
    try folder.keep(record("2026-01-01T00:00:00Z", [table("one")]))
    try folder.keep(record("2026-01-02T00:00:00Z", [table("two")]))
    #expect(try RecordFolder.read(home.path + "/2026-01-02T000000Z.json").tables.map(\.title) == ["two"])
    #expect(try RecordFolder.read(folder.latest).tables.map(\.title) == ["one", "two"])
    #expect(throws: RecordFolder.NoRecord.self) { try RecordFolder.read(home.path + "/none.json") }
  }

  @Test func `a comparison shows each figure of both records`() {
    let old = record("1", [table("1 GB", figure("podcli", seconds: 2)), table("gone")])
    let new = record("2", [table("1 GB", figure("podcli", seconds: 3), figure("more", seconds: 1)), table("new")])
    let lines = RecordComparison(old: old, new: new).lines
    #expect(
      lines.dropFirst(3) == [
        "media: 1 GB", "  podcli                                    2.00 s → 3.00 s, 1.50 × ▲",
        "  podcli                                    500.00 ms CPU → 500.00 ms CPU, 1.00 ×",
        "  podcli                                    12 MB → 12 MB, 1.00 ×",
        "  more                                      (only in B)", "media: new (only in B)", "media: gone (only in A)",
      ])
  }

  @Test func `rows of the same name are compared in their order`() {
    let old = record("1", [table("1 GB", figure("server", seconds: 1), figure("server", seconds: 10))])
    let new = record("2", [table("1 GB", figure("server", seconds: 1), figure("server", seconds: 10))])
    #expect(!RecordComparison(old: old, new: new).lines.dropFirst(3).contains { $0.contains("▲") || $0.contains("▼") })
  }

  @Test func `the table of results has the headlines, their date and the versions`() {
    var minor = figure("minor", seconds: 1)
    minor.isHeadline = false
    let lines = ResultsTable(record: record("1", [table("1 GB", figure("podcli download", seconds: 2.5), minor)])).lines
    #expect(lines[2].hasPrefix("Measured 2026-01-02 by `make bench`; cores 2; podcli 1.0 (abc), curl 7.88.1."))
    #expect(
      lines.dropFirst(9) == [
        "| 1 GB: podcli download | 2.50 s, 500.00 ms CPU, 12 MB | curl: 2.00 s, 250.00 ms CPU "
          + "| 1.25 × (CPU 2.00 ×); goal 1.1 × |"
      ])
  }

  @Test(arguments: [(0.0123, "12.30 ms"), (-0.5, "-500.00 ms"), (61.239, "61.24 s"), (.infinity, "– s")])
  func `seconds as text`(value: Double, text: String) {
    #expect(Amount.seconds(value) == text)
  }

  @Test(
    arguments: [
      ("3.40.1 2022-12-28 14:03", "3.40.1"), ("xmllint: using libxml version 20914\n", "20914"), ("none", nil),
    ] as [(String, String?)])
  func `a version is found among other words`(text: String, version: String?) {
    #expect(Machine.number(in: text) == version)
  }
}
