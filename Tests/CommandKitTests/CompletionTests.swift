import CommandKit
import Testing

/// The scripts, in the shells they are for. Each line is what is typed, and what stands there after Tab.
struct CompletionTests {
  private func check(_ lines: [(String, String)], key: String, in shell: ShellSession) throws {
    for (typed, expected) in lines {
      let completed = try shell.line(afterTyping: "podcli " + typed + key)
      #expect(completed == "podcli " + expected, "typed: \(typed)")
    }
  }

  /// How the program is asked after `late\ `, `"late ` and the like.
  private let unquoted = "__complete|episode|late \n"

  /// The same in bash and zsh, but for how they quote.
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

  @Test func `bash completes what is typed`() throws {
    let workshop = try Workshop()
    workshop.write(
      #"""
      PS1='READY '
      bind 'set bell-style none'
      bind 'set enable-bracketed-paste off'
      bind 'set completion-query-items 0'
      bind 'set page-completions off'
      bind -x '"\C-o": printf "\n«%s»\n" "$READLINE_LINE"'
      source "$SHELLS_SCRIPTS/podcli.bash"
      cd
      """#, to: "bashrc")
    let shell = try ShellSession(
      ["bash", "--noprofile", "--rcfile", "\(workshop.path)/bashrc", "-i"], environment: workshop.environment)
    try check(common, key: "\t", in: shell)
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
    try check(quoted, key: "\t", in: shell)
    #expect(workshop.text(of: "calls").contains(unquoted))
  }

  @Test func `zsh completes what is typed`() throws {
    let workshop = try Workshop()
    workshop.write(
      #"""
      PS1='READY '
      autoload -Uz compinit && compinit -u -D
      source "$SHELLS_SCRIPTS/podcli.zsh"
      setopt nobeep
      show() { print -r -- "«$BUFFER»" }
      zle -N show
      bindkey '^O' show
      bindkey '^U' kill-whole-line
      cd
      """#, to: ".zshrc")
    let shell = try ShellSession(["zsh", "-i"], environment: workshop.environment)
    try check(common, key: "\t", in: shell)
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
      // Zsh takes a trailing = or , back when a blank is typed.
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
    try check(quoted, key: "\t", in: shell)
    #expect(workshop.text(of: "calls").contains(unquoted))

    // Lists carry descriptions, with brackets and colons as they are.
    shell.type("\u{15}podcli play --res\t")
    try shell.wait(for: "begin at the beginning")
    shell.type("\u{15}podcli play late\t")
    try shell.wait(for: "Late Night Linux: the newest")
    shell.type("\u{15}podcli queue \t")
    try shell.wait(for: "put episodes [at] its: end")
    shell.type("\u{15}podcli -\t")
    try shell.wait(for: "explain the command (-h: in brief)")
  }

  /// What fish offers for a line; its own quoting is put on when one is taken.
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

  @Test func `fish offers what fits`() throws {
    let workshop = try Workshop()
    var script = "cd; source $SHELLS_SCRIPTS/podcli.fish\n"
    for (typed, _) in offers {
      let quoted = "podcli \(typed)".map { "'\\".contains($0) ? "\\\($0)" : String($0) }.joined()
      script += "complete -C '\(quoted)'; echo =\n"
    }
    workshop.write(script, to: "lines.fish")
    let result = try Child.run(["fish", "\(workshop.path)/lines.fish"], environment: workshop.environment)
    let answers = result.output.split(separator: "=\n", omittingEmptySubsequences: false)
    #expect(answers.count == offers.count + 1, "\(result.output)")
    for ((typed, expected), answer) in zip(offers, answers) {
      #expect(answer.split(separator: "\n").map(String.init) == expected, "typed: \(typed)")
    }
    #expect(workshop.text(of: "calls").contains(unquoted))
  }
}
