import CommandKit
import Testing

struct DeclarationCheckTests {
  private func faults(of commands: Command..., options: [any OptionKey] = [], sections: [ManualSection] = [])
    -> [String]
  {
    Program(
      "podcli", version: "1", summary: "a player", topics: [Topic("All", commands + [.help])], options: options,
      sections: sections
    ).faults()
  }

  @Test func `a correct program has no faults`() {
    #expect(Sample.program.faults().isEmpty)
  }

  @Test func `everything needs help`() {
    let command = Command(
      "play", summary: " ", arguments: [Argument("EPISODE", help: "")], options: [Flag("resume", help: "")])
    #expect(
      faults(of: command) == ["play has no summary", "play --resume has no help", "play EPISODE has no help"])
  }

  @Test func `options must not collide`() {
    let command = Command(
      "play", summary: "play",
      options: [
        Flag("quiet", help: "a"), Flag("trim", short: "h", help: "b"), Flag("skip", help: "c"), Flag("skip", help: "d"),
      ])
    let found = faults(of: command, options: [Flag("quiet", help: "say less")])
    #expect(
      found.prefix(3) == [
        "play has two options --quiet", "play has two options --skip", "play has two options -h",
      ])
  }

  @Test func `a subcommand's options must not collide with its group's`() {
    let group = Command(
      "queue", summary: "q", options: [Flag("all", help: "a")],
      subcommands: [Command("add", summary: "add", options: [Flag("all", help: "b")])])
    #expect(faults(of: group).contains("queue add has two options --all"))
  }

  @Test func `commands must not collide`() {
    #expect(
      faults(of: Command("play", summary: "a"), Command("start", aliases: ["play"], summary: "b"))
        .contains("podcli has two commands play"))
  }

  @Test func `names and choices must be safe in a shell`() {
    let command = Command(
      "play now", summary: "a",
      options: [
        Option("trim", value: "HOW", kind: .choice(["so so"]), help: "b"),
        Option("tag", short: "5", value: "NAME", kind: .dynamic("$x"), help: "c"),
      ])
    let found = faults(of: command)
    for fault in [
      "play now is not a name for a command", "play now --trim offers 'so so', which a shell would have to quote",
      "play now -5 is not a letter", "play now --tag asks for '$x', which a shell would have to quote",
    ] { #expect(found.contains(fault)) }
  }

  @Test func `a group has no arguments and knows its default`() {
    let group = Command(
      "queue", summary: "q", arguments: [Argument("X", help: "x")], subcommands: [Command("add", summary: "a")],
      defaultSubcommand: "list")
    #expect(
      faults(of: group) == [
        "queue has both subcommands and arguments", "queue has no subcommand list to stand in",
      ])
  }

  @Test func `examples must be right`() {
    let command = Command(
      "play", summary: "a", arguments: [Argument("EPISODE", help: "e")],
      examples: [
        Example("podcli play 3 --bogus", "b"), Example("mpv x", "c"), Example("podcli help | less", "d"),
        Example("podcli play 'a b' > x", ""),
      ])
    #expect(
      faults(of: command) == [
        "the example 'podcli play 3 --bogus' is wrong: play has no option --bogus",
        "the example 'mpv x' does not call podcli", "the example 'podcli play 'a b' > x' is not explained",
        "the help of play speaks of --bogus",
      ])
  }

  @Test func `texts speak only of options that exist`() {
    let found = faults(
      of: Command("play", summary: "a", discussion: "Takes `--fast` for speed."),
      sections: [ManualSection("json", summary: "j", [.paragraph("With `--yaml`.")])])
    #expect(found == ["the help of play speaks of --fast", "the section json speaks of --yaml"])
  }

  @Test func `a section must not hide behind a command`() {
    #expect(
      faults(of: Command("play", summary: "a"), sections: [ManualSection("play", summary: "", [])])
        == ["help play is a command as well as a section", "the section play has no summary"])
  }

  @Test(arguments: Shell.allCases)
  func `a completion script must offer the options that are declared`(shell: Shell) {
    let script = Sample.program.text(of: .completions(shell))
    #expect(Sample.program.faults(inScript: script, for: shell).isEmpty)
    let option = shell == .fish ? "-l restart " : "--restart"
    let other = shell == .fish ? "-l again " : "--again"
    #expect(
      Sample.program.faults(inScript: script.replacing(option, with: other), for: shell) == [
        "the \(shell) completion of play lacks --restart",
        "the \(shell) completion of play has --again, which is not declared",
      ])
    let global = shell == .fish ? "-l json " : "--json"
    #expect(
      Sample.program.faults(inScript: script.replacing(global, with: ""), for: shell)
        == ["the \(shell) completion of podcli lacks --json"])
  }

  @Test func `the manual must show the options that are declared`() {
    let manual = Sample.program.text(of: .manual)
    #expect(Sample.program.faults(inManual: manual).isEmpty)
    #expect(
      Sample.program.faults(inManual: manual.replacing(#"\-\-to"#, with: #"\-\-at"#)) == [
        "the manual's queue add lacks --to", "the manual's queue add has --at, which is not declared",
      ])
    #expect(
      Sample.program.faults(inManual: manual.replacing(#"\fB\-\-json\fR"#, with: "")) == ["the manual lacks --json"])
  }

  @Test func `help must show the options that are declared`() {
    let help = Sample.program.text(of: .help(path: ["play"], .long))
    #expect(Sample.program.faults(inHelp: help, of: "play").isEmpty)
    #expect(
      Sample.program.faults(inHelp: help.replacing("  --start TIME", with: ""), of: "play")
        == ["the help of play lacks --start"])
  }

  @Test(
    arguments: [
      ("podcli play 'a b' \"c\\\"d\" e\\ f", [["play", "a b", "c\"d", "e f"]]),
      ("podcli a | jq .x > out; X=1 podcli b && podcli c 2>/dev/null", [["a"], ["b"], ["c"]]),
      ("cat ids | podcli play -", [["play", "-"]]),
      ("echo podcli", []),
    ])
  func `the calls in an example are found`(line: String, calls: [[String]]) {
    #expect(Sample.program.calls(in: line) == calls)
  }
}
