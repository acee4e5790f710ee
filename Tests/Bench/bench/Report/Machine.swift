private import Glibc
internal import TestSupport

/// The machine, and the versions of the programs that were measured.
enum Machine {
  static var description: [Record.Entry] {
    let pages = sysconf(Int32(_SC_PHYS_PAGES)), page = sysconf(Int32(_SC_PAGESIZE))
    return [
      Record.Entry(name: "processor", text: processor),
      Record.Entry(name: "cores", text: String(sysconf(Int32(_SC_NPROCESSORS_ONLN)))),
      Record.Entry(name: "memory", text: Amount.fixed(Double(pages) * Double(page) / 1e9, digits: 1) + " GB"),
      Record.Entry(name: "kernel", text: kernel),
    ]
  }

  private static var processor: String {
    let text = String(decoding: (try? contents(of: "/proc/cpuinfo")) ?? [], as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
    return line?.split(separator: ":").last.map { String($0.drop { $0 == " " }) } ?? "unknown"
  }

  private static var kernel: String {
    let text = String(decoding: (try? contents(of: "/proc/sys/kernel/osrelease")) ?? [], as: UTF8.self)
    return "Linux " + text.prefix { $0 != "-" && $0 != "\n" }
  }

  // MARK: Versions

  /// The command that prints each program's version. Programs that are not installed are left out of the record.
  private static let questions: [(name: String, program: String, arguments: [String])] = [
    ("sqlite3", "sqlite3", ["--version"]), ("curl", "curl", ["--version"]), ("mpv", "mpv", ["--version"]),
    ("xmllint", "xmllint", ["--version"]), ("newsboat", "newsboat", ["--version"]),
    ("gpo", "dpkg-query", ["--show", "--showformat=${Version}", "gpodder"]),
    python("lxml", "lxml.etree"), python("podcastparser", "podcastparser"), python("feedparser", "feedparser"),
  ]

  private static func python(_ name: String, _ module: String) -> (name: String, program: String, arguments: [String]) {
    (name, "python3", ["-c", "import \(module); print(\(module).__version__)"])
  }

  static func versions(podcli: String) async -> [Record.Entry] {
    var entries = [Record.Entry(name: "podcli", text: podcli)]
    for question in questions {
      guard let answer = await answer(question.program, question.arguments), let version = number(in: answer) else {
        continue
      }
      entries.append(Record.Entry(name: question.name, text: version))
    }
    return entries
  }

  /// The version of podcli and its commit. A release build names the commit itself; otherwise git tells that of the sources.
  static func podcli(_ program: String) async -> String {
    guard let answer = await answer(program, ["version"]), let version = number(in: answer) else { return "unknown" }
    if let parenthesis = answer.firstIndex(of: "(") {
      return "\(version) \(answer[parenthesis...].filter { $0 != "\n" })"
    }
    let commit = await Self.answer("git", ["describe", "--always", "--dirty", "--abbrev=10"])
    return commit.map { "\(version) (\($0.filter { $0 != "\n" }))" } ?? version
  }

  /// The first word that begins with a digit.
  static func number(in text: String) -> String? {
    text.split { $0 == " " || $0 == "\n" }.first { $0.first?.isNumber == true }.map(String.init)
  }

  private static func answer(_ program: String, _ arguments: [String]) async -> String? {
    let environment = ["PATH": Measured.searchPath, "LC_ALL": "C.UTF-8"]
    guard let outcome = try? await Program(program, arguments, environment: environment).run(),
      outcome.status == .exited(0)
    else { return nil }
    // xmllint prints its version on standard error.
    return outcome.transcript.output.isEmpty ? outcome.transcript.error : outcome.transcript.output
  }
}
