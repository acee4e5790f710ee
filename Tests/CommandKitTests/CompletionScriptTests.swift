import CommandKit
import TestSupport
import Testing

/// The scripts in their shells. Each case is a typed line, and the line after Tab.
struct CompletionScriptTests {
  private func check(_ lines: [(String, String)], in shell: ShellSession) async throws {
    for (typed, expected) in lines {
      let (completed, _) = try await shell.line(afterTyping: "podcli " + typed + "\t")
      #expect(completed == "podcli " + expected, "typed: \(typed)")
    }
  }

  /// The calls of the program after `late\ `, `"late ` and the like.
  private let unquoted = "__complete|episode|late \n"

  /// The cases for bash and zsh, which differ only in quoting.
  private let common: [(String, String)] = [
    ("pla", "play"),
    ("playl", "playlist "),
    ("pl", "play"),
    ("queue a", "queue add "),
    ("--json queue m", "--json queue move "),
    ("--library /tmp queue m", "--library /tmp queue move "),
    ("--color never queue m", "--color never queue move "),
    ("-qv queue m", "-qv queue move "),
    ("debu", "debu"),
    ("play --rest", "play --restart "),
    ("play --secr", "play --secr"),
    ("play late --jso", "play late --json "),
    ("pl --li", "pl --li"),
    ("queue --wat", "queue --watch "),
    ("play --trim mi", "play --trim mild "),
    ("play --trim=mi", "play --trim=mild "),
    ("--color al", "--color always "),
    ("completions z", "completions zsh "),
    ("help filt", "help filters "),
    ("help playl", "help playlist "),
    ("play lat", "play late"),
    ("play late", "play late"),
    ("play later", "play later "),
    ("play @la", "play @last "),
    ("queue add later lat", "queue add later late"),
    ("queue move later", "queue move later "),
    ("subscribe --tag ne", "subscribe --tag new"),
    ("subscribe --tag=news", "subscribe --tag=news "),
    ("play -- later", "play -- later "),
    ("bookmark later 5 x", "bookmark later 5 x"),
    ("pl unp", "pl unplayed "),
    ("pl unplayed pod", "pl unplayed podcast:"),
    ("pl minu", "pl minutes\\<"),
  ]

  @Test func `bash completes typed lines`() async throws {
    let home = try CompletionHome()
    let shell = try await ShellSession(
      home.shell(
        "bash", "--noprofile", "--rcfile", "../bashrc", "-i",
        reading: #"""
          PS1='READY '
          bind 'set bell-style none'
          bind 'set enable-bracketed-paste off'
          bind 'set completion-query-items 0'
          bind 'set page-completions off'
          bind -x '"\C-o": printf "\n«%s»\n" "$READLINE_LINE"'
          source "$SCRIPTS/podcli.bash"
          """#, from: "bashrc"))
    try await check(common, in: shell)
    let quoted = [
      (#"play late\ "#, #"play late\ night "#),
      (#"play "late "#, #"play "late night" "#),
      (#"play 'late "#, #"play 'late night' "#),
      (#"play it"#, #"play it\'s\ \$5\ \"now\"\ \`x\`\ \\o/\ ok "#),
      (#"play "it"#, #"play "it's \$5 \"now\" \`x\` \\o/ ok" "#),
      (#"play 'it"#, #"play 'it'\''s $5 "now" `x` \o/ ok' "#),
      (#"play it\'s"#, #"play it\'s\ \$5\ \"now\"\ \`x\`\ \\o/\ ok "#),
      (#"play Str"#, #"play Straße:\ eins "#),
      (#"play Straße:"#, #"play Straße:\ eins "#),
      (#"play a:b"#, #"play a:b=c@d "#),
      (#"play a:b=c"#, #"play a:b=c@d "#),
      (#"play "a:b"#, #"play "a:b=c@d" "#),
      (#"subscribe --tag=new\ "#, #"subscribe --tag=new\ age "#),
      ("play a:b=c@", "play a:b=c@d "),
      (#"play LATE\ N"#, #"play late\ night "#),
      ("pl --limi", "pl --limit "),
      ("play --sta", "play --start "),
      ("find --via fy", "find --via fyyd"),
      ("find --via itunes,fy", "find --via itunes,fyyd"),
      (#"import my"#, #"import my\ file.opml "#),
      (#"import "my"#, #"import "my file.opml" "#),
      (#"import sub"#, #"import sub\ dir/"#),
      (#"import sub\ dir/"#, #"import sub\ dir/deep.opml "#),
      (#"import ~/my"#, #"import ~/my\ file.opml "#),
      (#"--library su"#, #"--library sub\ dir/"#),
      (#"--library=su"#, #"--library=sub\ dir/"#),
      (#"--library my"#, #"--library my"#),
    ]
    try await check(quoted, in: shell)
    #expect(try home.calls().contains(unquoted))

    // A second Tab lists candidates with descriptions, and does not change the line.
    let (line, shown) = try await shell.line(afterTyping: "podcli play late\t\t")
    #expect(line == "podcli play late")
    let rows = shown.split(whereSeparator: \.isNewline)
    #expect(rows.contains { $0.hasPrefix(#"late\ night  Late Night Linux: the newest"#) })
    #expect(rows.contains { $0.hasPrefix("later        another one") })
  }

  @Test func `zsh completes typed lines`() async throws {
    let home = try CompletionHome()
    let shell = try await zsh(
      in: home,
      loading: #"""
        autoload -Uz compinit && compinit -u -D
        source "$SCRIPTS/podcli.zsh"
        """#)
    try await check(common, in: shell)
    let quoted = [
      (#"play late\ "#, #"play late\ night "#),
      (#"play "late "#, #"play "late night" "#),
      (#"play 'late "#, #"play 'late night' "#),
      (#"play LATE\ N"#, #"play late\ night "#),
      (#"play it"#, #"play it\'s\ \$5\ \"now\"\ \`x\`\ \\o/\ ok "#),
      (#"play "it"#, #"play "it's \$5 \"now\" \`x\` \\o/ ok" "#),
      (#"play Str"#, #"play Straße:\ eins "#),
      (#"play Straße:"#, #"play Straße:\ eins "#),
      (#"play a:b"#, #"play a:b=c@d "#),
      (#"subscribe --tag=new\ "#, #"subscribe --tag=new\ age "#),
      // Zsh removes a trailing = or , when a blank is typed.
      ("pl --limi", "pl --limit="),
      ("play --sta", "play --start="),
      ("find --via fy", "find --via fyyd,"),
      ("find --via itunes,fy", "find --via itunes,fyyd,"),
      (#"import my"#, #"import my\ file.opml "#),
      (#"import sub"#, #"import sub\ dir/"#),
      (#"import ~/my"#, #"import ~/my\ file.opml "#),
      (#"--library su"#, #"--library sub\ dir/"#),
      (#"--library=su"#, #"--library=sub\ dir/"#),
      (#"--library my"#, #"--library my"#),
    ]
    try await check(quoted, in: shell)
    #expect(try home.calls().contains(unquoted))

    // Lists have descriptions, with brackets and colons unchanged.
    try await shell.list(afterTyping: "podcli play --res\t", shows: "begin at the beginning")
    try await shell.list(afterTyping: "podcli play late\t", shows: "Late Night Linux: the newest")
    try await shell.list(afterTyping: "podcli queue \t", shows: "put episodes [at] its: end")
    try await shell.list(afterTyping: "podcli -\t", shows: "explain the command (-h: in brief)")
  }

  @Test func `zsh finds the script where functions are installed`() async throws {
    let home = try CompletionHome()
    let shell = try await zsh(
      in: home,
      loading: #"""
        fpath=("$SCRIPTS/functions" $fpath)
        autoload -Uz compinit && compinit -u -D
        """#)
    try await check([("playl", "playlist "), ("queue a", "queue add "), ("play @l", "play @last ")], in: shell)
    #expect(try home.calls() == "__complete|episode|@l\n")
  }

  private func zsh(in home: CompletionHome, loading script: String) async throws -> ShellSession {
    try await ShellSession(
      home.shell(
        "zsh", "-i",
        reading: script + "\n" + #"""
          PS1='READY '
          setopt nobeep
          show() { print -r -- "«$BUFFER»" }
          zle -N show
          bindkey '^O' show
          bindkey '^U' kill-whole-line
          """#, from: ".zshrc"))
  }

  /// The candidates of fish for a line, before its own quoting.
  private let offers: [(String, [String])] = [
    ("pla", ["play\tplay an episode", "playlist\tlist the episodes of every subscription"]),
    (
      "version -",
      [
        "-h\texplain the command (-h: in brief)", "-q\tsay less", "-v\tsay more", "--color\tuse colour",
        "--help\texplain the command (-h: in brief)", "--json\tprint JSON", "--library\tuse another library",
        "--quiet\tsay less", "--verbose\tsay more", "--version\tsay which version this is",
      ]
    ),
    ("queue a", ["add\tput episodes [at] its: end"]),
    ("--library /tmp queue m", ["move\tmove episodes"]),
    ("--color=never -qv queue m", ["move\tmove episodes"]),
    ("debu", []),
    ("play --rest", ["--restart\tbegin at the beginning"]),
    ("play --secr", []),
    ("play late --jso", ["--json\tprint JSON"]),
    ("pl --limi", ["--limit\tshow at most N"]),
    ("queue --wat", ["--watch\tkeep the list up to date"]),
    ("queue add --wat", []),
    ("play --trim mi", ["mild\tshort pauses stay"]),
    ("play --trim=mi", ["--trim=mild\tshort pauses stay"]),
    ("--color al", ["always\tuse colour"]),
    ("find --via itunes,fy", ["itunes,fyyd\twhere to look"]),
    ("completions z", ["zsh"]),
    ("help filt", ["filters\twords that narrow a list"]),
    ("play late", ["late night\tLate Night Linux: the newest", "later\tanother one"]),
    (#"play late\ "#, ["late night\tLate Night Linux: the newest"]),
    (#"play "late "#, ["late night\tLate Night Linux: the newest"]),
    ("play 'LATE n", ["late night\tLate Night Linux: the newest"]),
    ("play it", [#"it's $5 "now" `x` \o/ ok"# + "\tQuotes"]),
    ("play Straße:", ["Straße: eins\tUmlaute"]),
    ("play a:b=", ["a:b=c@d\tBreaks"]),
    ("play @l", ["@last\twhat was played"]),
    ("play later late", []),
    ("queue add later late", ["late night\tLate Night Linux: the newest", "later\tanother one"]),
    ("subscribe --tag=new", ["--tag=news\tTag", "--tag=new age\tTag"]),
    ("play -- later", ["later\tanother one"]),
    ("bookmark later 5 x", []),
    ("pl u", ["unplayed\tNot yet played"]),
    ("pl unplayed ", ["unplayed\tNot yet played", "podcast:\tOne podcast", "minutes<\tShorter than that"]),
    ("import my", ["my file.opml"]),
    ("import sub", ["sub dir/"]),
    ("--library su", ["sub dir/\tDirectory"]),
    ("--library my", []),
  ]

  @Test func `fish offers matching words`() async throws {
    let home = try CompletionHome()
    var script = "source $SCRIPTS/podcli.fish\n"
    for (typed, _) in offers {
      let quoted = "podcli \(typed)".map { "'\\".contains($0) ? "\\\($0)" : String($0) }.joined()
      script += "complete -C '\(quoted)'; echo =\n"
    }
    let result = try await home.shell("fish", "../lines.fish", reading: script, from: "lines.fish").run()
    let answers = result.output.split(separator: "=\n", omittingEmptySubsequences: false)
    #expect(answers.count == offers.count + 1, "\(result)")
    for ((typed, expected), answer) in zip(offers, answers) {
      #expect(answer.split(separator: "\n").map(String.init) == expected, "typed: \(typed)")
    }
    #expect(try home.calls().contains(unquoted))
  }
}
