import PodcastModel
import PodcastStore
import Podcatcher
import ScreenKit
import Text

/// Syncs, machines and their files, in words and as JSON.
enum SyncText {
  // MARK: A sync

  /// Of a folder, of a server, or of both.
  static func show(
    _ report: SyncReport?, _ server: ServerResult?, _ store: PodcastStore, _ context: Context
  ) async throws {
    let titles = try await titles(of: report?.added ?? [], store)
    if context.console.isJSON {
      let folder = report.map { json($0, titles) } ?? [:]
      return context.printJSON(server.map { folder.adding(["server": $0.json]) } ?? folder)
    }
    if let report { show(report, titles, context) }
    server?.lines.forEach { context.console.say($0) }
  }

  private static func show(_ report: SyncReport, _ titles: [String], _ context: Context) {
    for title in titles { context.console.say("Followed elsewhere, and here now: \(CleanText.line(title))") }
    for file in report.problems { context.console.say("Left alone: " + problem(file)) }
    if report.hasNewDevice {
      context.console.say("This library was restored or copied: the other machines know it as a new one now")
    }
    context.console.say(
      report.merged + report.written == 0
        ? "Nothing new here or elsewhere"
        : "\(counted(report.merged, "change")) from elsewhere, \(counted(report.written, "change")) from here")
    if !titles.isEmpty { context.console.say("Their episodes come with: podcli refresh") }
  }

  private static func titles(of podcasts: [PodcastID], _ store: PodcastStore) async throws(StoreError) -> [String] {
    var titles: [String] = []
    for id in podcasts {
      if let entry = try await store.podcast(id) { titles.append(entry.title) }
    }
    return titles
  }

  private static func json(_ report: SyncReport, _ titles: [String]) -> JSON {
    [
      "in": JSON(report.merged), "out": JSON(report.written), "followed": JSON(titles),
      "newDevice": report.hasNewDevice ? true : nil,
      "problems": JSON(nonEmpty: report.problems.map(json)),
    ]
  }

  /// A file that was left alone, or some of its lines.
  static func problem(_ file: SyncFile) -> String {
    let name = CleanText.line(file.name)
    switch file.problem {
    case "tooLarge": return "\(name), which is larger than 64 MB"
    case "unknownVersion": return "\(name), which a newer podcli wrote"
    case "encrypted": return "\(name), which is encrypted"
    case "noHeader": return "\(name), which says not whose it is, or is not all there yet"
    case "deferred": return "\(name), which the next sync reads: the files before it have 256 MB"
    case .some: return "\(name), which cannot be read"
    case nil:
      let text = "\(counted(file.passedOver, "line")) of \(name), broken or not all there yet"
      // A conflict copy is not the machine's own file.
      guard file.name == file.device + ".jsonl" else { return text }
      return text + "; if that machine is gone, type: podcli sync forget \(CleanText.line(file.device))"
    }
  }

  private static func json(_ file: SyncFile) -> JSON {
    [
      "file": JSON(file.name), "problem": JSON(file.problem ?? "brokenLines"),
      "lines": file.passedOver > 0 ? JSON(file.passedOver) : nil,
    ]
  }

  // MARK: The status

  static func show(_ status: SyncStatus, _ server: ServerStatus?, _ context: Context) {
    if context.console.isJSON {
      return context.printJSON(server.map { json(status).adding(["server": $0.json]) } ?? json(status))
    }
    guard let folder = status.folder else {
      guard let server else { return context.console.say(notSet) }
      return show(server.lines, context)
    }
    var lines = [
      ("folder", CleanText.line(folder)),
      ("last sync", status.lastSync.map { DateText.relative($0, now: .now) } ?? "never"),
      ("by itself", status.isAutomatic ? "yes" : "no; podcli config set sync=auto"),
      ("machines", counted(status.devices.count, "machine")),
    ]
    if status.hasChanges { lines.append(("waiting", "changes of this machine")) }
    if status.parked > 0 {
      lines.append(("waiting", "\(counted(status.parked, "fact")) about episodes that are not here yet"))
    }
    if status.hidden > 0 { lines.append(("not shared", "\(counted(status.hidden, "private podcast"))")) }
    for file in status.problems { lines.append(("left alone", problem(file))) }
    if let error = status.error { lines.append(("problem", Failure(error).line)) }
    show(lines + (server?.lines ?? []), context)
  }

  private static func show(_ lines: [(String, String)], _ context: Context) {
    context.console.write(lines.map { "\(DisplayWidth.column($0.0, 11)) \($0.1)\n" }.joined())
  }

  static let notSet = "Nothing is set. Share this library with: podcli sync folder PATH, or podcli sync login URL"

  private static func json(_ status: SyncStatus) -> JSON {
    [
      "folder": JSON(status.folder), "device": JSON(status.device), "automatic": JSON(status.isAutomatic),
      "lastSyncAt": JSON(status.lastSync), "hasChanges": JSON(status.hasChanges),
      "private": JSON(status.hidden), "waiting": JSON(status.parked),
      "devices": .array(status.devices.map(json)), "problems": JSON(nonEmpty: status.problems.map(json)),
      "error": JSON(status.error.map { Failure($0).message }),
    ]
  }

  static func showFolder(_ status: SyncStatus, _ context: Context) throws(Failure) {
    guard let folder = status.folder else { throw Failure(SyncError.notSet) }
    if context.console.isJSON { return context.printJSON(["folder": JSON(folder)]) }
    context.console.write(CleanText.line(folder) + "\n")
  }

  // MARK: Machines

  static var devices: Listing<SyncDevice> {
    Listing(
      columns: [
        Column { $0.label ?? "-" },
        Column(limit: 16) { $0.id },
        Column(limit: 10) { $0.seen ?? "" },
        Column(limit: 12, full: { $0.isThisOne ? "this" : "" }) { $0.isThisOne ? "this one" : "" },
      ], json: json, emptyText: notSet)
  }

  static func json(_ device: SyncDevice) -> JSON {
    [
      "id": JSON(device.id), "name": JSON(device.label), "lastSeen": JSON(device.seen),
      "isThis": JSON(device.isThisOne),
    ]
  }

  // MARK: The log

  struct Event {
    var at: Timestamp
    var backend: String
    var text: String

    init(_ row: (at: Timestamp, backend: String, event: String)) {
      (at, backend) = (row.at, row.backend)
      text =
        row.backend == "server"
        ? ServerError(text: row.event).map { Failure($0, at: "the server").message } ?? row.event
        : SyncError(text: row.event).map { Failure($0).message } ?? row.event
    }
  }

  static var log: Listing<Event> {
    Listing(
      columns: [
        Column(limit: 16, full: { $0.at.description }) { DateText.relative($0.at, now: .now) },
        Column(limit: 8) { $0.backend },
        Column { $0.text },
      ],
      json: { ["at": JSON($0.at), "by": JSON($0.backend), "event": JSON($0.text)] },
      emptyText: "No sync has done anything yet")
  }

  // MARK: An episode that was heard elsewhere

  /// Said before an episode goes on: nil where it was last heard here.
  static func lines(_ heard: HeardElsewhere, from position: Duration?, now: Timestamp = .now) -> [String] {
    var lines: [String] = []
    if let at = heard.at, let position {
      let machine = CleanText.line(heard.label ?? "another machine")
      lines.append("Going on at \(ClockText.short(position)), heard on \(machine) \(DateText.relative(at, now: now))")
    }
    if let further = heard.further {
      let machine = CleanText.line(heard.furtherLabel ?? "This machine")
      lines.append("\(machine) was at \(ClockText.short(further)); for that: --start \(ClockText.short(further))")
    }
    return lines
  }
}
