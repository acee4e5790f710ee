import TestSupport
import Testing

@testable import CommandKit

struct LineParserTests {
  /// A parsed line as one comparable text: the command and its values.
  private func reading(_ line: String) -> String {
    do throws(UsageError) {
      switch try Sample.program.parse(line.split(separator: " ").map(String.init)) {
      case .run(let invocation): return describe(invocation)
      case .show(let page): return "\(page)"
      case .start(let invocation): return "start" + describe(invocation)
      case .candidates(let kind, let prefix, let line):
        return "candidates \(kind) \(prefix)" + (line[Sample.library].map { " in \($0)" } ?? "")
      }
    } catch {
      return "error: \(error)"
    }
  }

  private func describe(_ invocation: Invocation) -> String {
    var parts = [invocation.name]
    let flags = [Sample.json, Sample.quiet, Sample.verbose, Sample.resume, Sample.watch]
    parts += flags.filter { invocation[$0] }.map(\.declaration.name)
    if let start = invocation[Sample.start] { parts.append("start=\(start)") }
    if let speed = invocation[Sample.speed] { parts.append("speed=\(speed)") }
    if let trim = invocation[Sample.trim] { parts.append("trim=\(trim)") }
    if let limit = invocation[Sample.limit] { parts.append("limit=\(limit)") }
    if let color = invocation[Sample.color] { parts.append("color=\(color)") }
    if let library = invocation[Sample.library] { parts.append("library=\(library)") }
    if let user = invocation[Sample.user] { parts.append("user=\(user)") }
    if let to = invocation[Sample.to] { parts.append("to=\(to)") }
    if let via = invocation[Sample.via] { parts.append("via=\(via.joined(separator: "+"))") }
    parts += invocation[Sample.tags].map { "tag=\($0)" }
    parts += [invocation[Sample.file], invocation[Sample.note]].compactMap(\.self)
    if let time = invocation[Sample.time] { parts.append("time=\(time)") }
    parts += invocation[Sample.urls] + invocation[Sample.filters] + invocation[Sample.query]
    if ["play", "bookmark"].contains(invocation.name) { parts.append("episode=\(invocation[Sample.episode])") }
    if invocation.name == "queue move" { parts.append("position=\(invocation[Sample.position])") }
    if invocation.name.hasPrefix("queue") { parts += invocation[Sample.episodes] }
    return parts.joined(separator: " ")
  }

  @Test(
    arguments: [
      ("play daily", "play episode=daily"),
      ("play daily --resume", "play resume episode=daily"),
      ("play --resume daily", "play resume episode=daily"),
      ("play --start 90 daily", "play start=90 episode=daily"),
      ("play --start=90 daily", "play start=90 episode=daily"),
      ("play daily --start -1m", "play start=-60 episode=daily"),
      ("play daily --start=-1m", "play start=-60 episode=daily"),
      ("play daily --start +30", "play start=30 episode=daily"),
      ("play daily --start 1 --start 2", "play start=2 episode=daily"),
      ("play daily -s1.5", "play speed=1.5 episode=daily"),
      ("play daily -s 1.5", "play speed=1.5 episode=daily"),
      ("play daily -s=1.5", "play speed=1.5 episode=daily"),
      ("play daily -qvs2", "play quiet verbose speed=2.0 episode=daily"),
      ("play daily -qv", "play quiet verbose episode=daily"),
      ("play daily --trim mild", "play trim=mild episode=daily"),
      ("play -", "play episode=-"),
      ("play -- -x", "play episode=-x"),
      ("-- play daily", "play episode=daily"),
      ("--json play daily", "play json episode=daily"),
      ("--library /tmp/x --color never play daily", "play color=never library=/tmp/x episode=daily"),
      ("play daily --library=/tmp/x=y", "play library=/tmp/x=y episode=daily"),
      ("play daily --library=", "play library= episode=daily"),
      ("subscribe --user - a", "subscribe user=- a"),
      ("subscribe a b --tag news --tag=daily", "subscribe tag=news tag=daily a b"),
      ("sub a", "subscribe a"),
      ("pl -n5", "playlist limit=5"),
      ("playlist -n 5 unplayed new", "playlist limit=5 unplayed new"),
      ("find a --via fyyd,itunes", "find via=fyyd+itunes a"),
      ("import -", "import -"),
      ("import", "import"),
    ])
  func `a line is parsed to its command and values`(line: String, meaning: String) {
    #expect(reading(line) == meaning)
  }

  @Test(
    arguments: [
      ("bookmark 3", "bookmark episode=3"),
      ("bookmark 3 90", "bookmark time=90 episode=3"),
      ("bookmark 3 -1m", "bookmark time=-60 episode=3"),
      ("bookmark 3 -5 good", "bookmark good time=-5 episode=3"),
      ("bookmark 3 good", "bookmark good episode=3"),
      ("bookmark 3 never", "bookmark never episode=3"),
    ])
  func `an optional argument leaves a word that it cannot read to the next`(line: String, meaning: String) {
    #expect(reading(line) == meaning)
  }

  @Test(
    arguments: [
      ("queue", "queue list"),
      ("queue --watch", "queue list watch"),
      ("queue --json list new", "queue list json new"),
      ("queue add 1 2 --to -3", "queue add to=-3 1 2"),
      ("queue move 1 2 -1", "queue move position=-1 1 2"),
      ("queue move 1 2", "queue move position=2 1"),
    ])
  func `a group without a subcommand runs its default`(line: String, meaning: String) {
    #expect(reading(line) == meaning)
  }

  @Test(
    arguments: [
      ("", "start"),
      ("--library x -q", "start quiet library=x"),
      ("-h", "help(path: [], CommandKit.Page.Length.short)"),
      ("--help play", "help(path: [\"play\"], CommandKit.Page.Length.long)"),
      ("play -h", "help(path: [\"play\"], CommandKit.Page.Length.short)"),
      ("play --help", "help(path: [\"play\"], CommandKit.Page.Length.long)"),
      ("play --bogus --help", "help(path: [\"play\"], CommandKit.Page.Length.long)"),
      ("pl -qh", "help(path: [\"playlist\"], CommandKit.Page.Length.short)"),
      ("queue -h", "help(path: [\"queue\"], CommandKit.Page.Length.short)"),
      ("help", "help(path: [], CommandKit.Page.Length.long)"),
      ("help queue add", "help(path: [\"queue\", \"add\"], CommandKit.Page.Length.long)"),
      ("help sub", "help(path: [\"subscribe\"], CommandKit.Page.Length.long)"),
      ("help filters", "section(\"filters\")"),
      ("help --man", "manual"),
      ("completions zsh", "completions(CommandKit.Shell.zsh)"),
      ("version", "version"),
      ("--version", "version"),
      ("__complete episode la", "candidates episode la"),
      ("__complete episode -x", "candidates episode -x"),
      ("__complete podcast", "candidates podcast "),
      ("__complete podcast la --library /tmp play la", "candidates podcast la in /tmp"),
      ("__complete podcast la play --nonsense --library=/tmp la", "candidates podcast la in /tmp"),
      ("__complete podcast la play -- --library /tmp", "candidates podcast la"),
    ])
  func `the kit answers its own commands`(line: String, page: String) {
    #expect(reading(line) == page)
  }

  @Test(
    arguments: [
      ("ply daily", "there is no command 'ply'; did you mean play?"),
      ("ply -h", "there is no command 'ply'; did you mean play?"),
      ("--help playl", "there is no command 'playl'; did you mean play?"),
      ("queue ad --help", "queue has no command 'ad'; did you mean add?"),
      ("listen daily", "there is no command 'listen'; did you mean play?"),
      ("playl", "there is no command 'playl'; did you mean play?"),
      ("xyzzy", "there is no command 'xyzzy'; podcli -h lists the commands"),
      ("debog", "there is no command 'debog'; podcli -h lists the commands"),
      ("clear", "there is no command 'clear'; did you mean queue clear?"),
      ("--play", "podcli has no option --play; did you mean play?"),
      ("queue ad 3", "queue has no command 'ad'; did you mean add?"),
      ("help plai", "there is no command 'plai'; did you mean play?"),
      ("help filter", "there is no command 'filter'; did you mean filters?"),
      ("play d --resum", "play has no option --resum; did you mean --resume?"),
      ("play d --res", "play has no option --res; did you mean --resume or --restart?"),
      ("play d -resume", "play has no option -resume; did you mean --resume?"),
      ("play d --secre", "play has no option --secre; podcli play -h shows how it is used"),
      ("playlist --resume", "playlist has no option --resume; it belongs to play"),
      ("--resume", "podcli has no option --resume; it belongs to play"),
      ("queue --watch add 3", "queue add has no option --watch; it belongs to queue and playlist"),
      ("play d -x", "play has no option -x; podcli play -h shows how it is used"),
      ("play -5", "play has no option -5; did you mean -- -5?"),
      ("play d --start", "--start needs a value, TIME; write --start TIME"),
      (
        "play d --start --resume",
        "--start needs a value, TIME; a value that begins with a dash is written --start=--resume"
      ),
      ("play d --resume=yes", "--resume takes no value, but got 'yes'; write --resume alone"),
      (
        "play d --start soon",
        "--start must be a time such as 90 or -1m, not 'soon'; podcli play -h shows how it is used"
      ),
      ("play d --start never", "--start: there is no such time; podcli play -h shows how it is used"),
      ("play d --speed 9", "--speed must be a number from 0.25 to 4, not '9'; podcli play -h shows how it is used"),
      (
        "play d --speed nan",
        "--speed must be a number from 0.25 to 4, not 'nan'; podcli play -h shows how it is used"
      ),
      ("play d --trim mid", "--trim must be off, mild or max, not 'mid'; did you mean mild?"),
      ("play d --color allways", "--color must be auto, always or never, not 'allways'; did you mean always?"),
      ("pl -nx", "-n must be a whole number from 1 to 1000, not 'x'; podcli playlist -h shows how it is used"),
      (
        "find a --via itunes,x",
        "--via must be made of itunes and fyyd, with commas between them, not 'itunes,x'; podcli find -h shows how it is used"
      ),
      (
        "find a --via itunes,fyd",
        "--via must be made of itunes and fyyd, with commas between them, not 'itunes,fyd'; did you mean fyyd?"
      ),
      ("play", "play needs an EPISODE; for example: podcli play daily/latest"),
      ("queue move 1", "queue move needs a POSITION; podcli queue move -h shows how it is used"),
      (
        "play late night",
        "'night' is one word too many for play; if the words belong together, quote them: podcli play 'late night'"
      ),
      ("queue clear now", "queue clear takes no argument, but got 'now'; podcli queue clear -h shows how it is used"),
      ("completions ksh", "SHELL must be bash, zsh or fish, not 'ksh'; did you mean zsh?"),
    ])
  func `a mistake gets one helpful line`(line: String, answer: String) {
    #expect(reading(line) == "error: " + answer)
  }

  @Test func `the value of an option may be left out, where it has another meaning without`() throws {
    let line = Option<Int>("line", value: "COLUMNS", implied: 0, kind: .integer(in: 1...99), help: "one line")
    let file = OptionalArgument("FILE", help: "which")
    let program = Program(
      "show", version: "1", summary: "shows",
      topics: [Topic("All", [Command("now", summary: "now", arguments: [file], options: [line])])])
    func values(_ words: String...) throws -> (Int?, String?, [String]) {
      guard case .run(let invocation) = try program.parse(words) else { return (nil, nil, []) }
      return (invocation[line], invocation[file], invocation.words(of: [line]))
    }
    #expect(try values("now") == (nil, nil, []))
    #expect(try values("now", "--line", "60") == (0, "60", ["--line"]))
    #expect(try values("now", "--line=60") == (60, nil, ["--line=60"]))
    #expect(throws: UsageError.self) { try values("now", "--line=0") }
    #expect(program.text(of: .help(path: ["now"], .short), in: TextStyle()).contains("--line[=COLUMNS]"))
    #expect(program.text(of: .completions(.zsh)).contains("--line["))
  }

  @Test func `typed escape sequences do not reach the terminal`() {
    #expect(throws: UsageError.self) { try Sample.program.parse(["\u{1B}[31m\nplay"]) }
    #expect(reading("\u{1B}[31m") == "error: there is no command '\u{FFFD}[31m'; podcli -h lists the commands")
    for hidden in ["\u{200B}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{AD}", "\u{E0041}", "\u{FFFF}", "\u{202E}"] {
      #expect(reading("a\(hidden)b") == "error: there is no command 'a\u{FFFD}b'; podcli -h lists the commands")
    }
    for needed in ["👩\u{200D}🚀", "می\u{200C}خواهم", "🎙\u{FE0F}"] {
      #expect(reading(needed) == "error: there is no command '\(needed)'; podcli -h lists the commands")
    }
  }

  @Test func `any line is parsed or refused with one line`() {
    let pieces = [
      "play", "queue", "add", "move", "bookmark", "pl", "help", "completions", "zsh", "--", "-", "-5", "-1m", "--start",
      "--start=", "--trim=mild", "-n", "-n5", "-qvn", "-=", "--=", "", "é", "👩‍👩‍👧", "\u{0}", "a b", "--json", "-h",
      "__complete",
    ]
    var random = SeededGenerator(seed: 42)
    for _ in 0..<5000 {
      let line = (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
      do throws(UsageError) {
        _ = try Sample.program.parse(line)
      } catch {
        #expect(!error.description.contains(where: \.isNewline) && error.description.contains("; "), "\(line)")
      }
    }
  }
}
