import PodcastModel
import PodcastStore
import TestSupport
import Testing

@testable import podcli

/// The three shells, each with its script and the built program, and a library with a few names.
@Suite struct ShellCompletionTests {
  private let stage: Stage
  private let other: TemporaryHome

  init() async throws {
    stage = try Stage(episodes: 1, seconds: 1)
    other = try TemporaryHome()
    for (title, episodes) in [("Late Night Linux", 2), ("Daily Bread", 1)] {
      let feed = SampleFeed(title: title, episodes: episodes, mediaBase: stage.server.url("/media"))
      let xml = feed.xml.replacing("<title>Episode ", with: "<title>\(title.prefix(4)) story ")
      stage.server.serve("/feed.xml", Response.feed(Array(xml.utf8)))
      stage.server.serve("/\(episodes).xml", Response.feed(Array(xml.utf8)))
      _ = try await stage.run("subscribe", stage.server.url("/\(episodes).xml"))
    }
    _ = try await stage.run("tag", "daily", "morning")
    let elsewhere = SampleFeed(title: "Elsewhere", episodes: 1, mediaBase: stage.server.url("/media"))
    stage.server.serve("/elsewhere.xml", Response.feed(elsewhere.bytes))
    _ = try await stage.run("subscribe", stage.server.url("/elsewhere.xml"), "--library", other.path)
    for shell in ["bash", "zsh", "fish"] {
      try stage.home.write(try await stage.run("completions", shell).transcript.outputBytes, to: "podcli.\(shell)")
    }
  }

  private func program(_ words: [String]) -> Program {
    let folder = builtProduct("podcli").split(separator: "/").dropLast().joined(separator: "/")
    return stage.home.program(words[0], Array(words.dropFirst())).setting("PATH", "/\(folder):/usr/bin:/bin")
      .setting("TERM", "vt100").setting("INPUTRC", "/dev/null").setting("ZDOTDIR", stage.home.path).in(stage.home.path)
  }

  /// Typed and completed: a command, an option, a word of an option, podcasts' names, an episode's title and number,
  /// filters, settings, and names of the library that the line names.
  private var common: [(String, String)] {
    [
      ("playl", "playlist "), ("play --resu", "play --resume "), ("play --trim mi", "play --trim mild "),
      ("episodes La", #"episodes Late\ Night\ Linux "#), ("info daily", #"info Daily\ Bread "#),
      ("play 'Late story 2", "play 'Late story 2' "), (#"queue add dail\ s"#, #"queue add Dail\ story\ 1 "#),
      ("mark played 3", "mark played 3 "), ("playlist unpl", "playlist unplayed "),
      ("queue list inpr", "queue list inprogress "), ("playlist podcast:La", #"playlist podcast:Late\ Night\ Linux "#),
      ("playlist sort:-tit", "playlist sort:-title "), ("playlist tag:mor", "playlist tag:morning "),
      ("download has:tr", "download has:transcript "), ("tag 1 mor", "tag 1 morning "), ("info @la", "info @last "),
      ("play late\\ night\\ linux/la", #"play Late\ Night\ Linux/latest "#),
      ("set 1 tri", "set 1 trim="), ("config get rewi", "config get rewind "), ("set 1 hoo", "set 1 hoo"),
      ("--library \(other.path) episodes El", "--library \(other.path) episodes Elsewhere "),
      ("episodes --library \(other.path) El", "episodes --library \(other.path) Elsewhere "),
    ]
  }

  private func check(_ shell: ShellSession) async throws {
    for (typed, expected) in common {
      let (line, _) = try await shell.line(afterTyping: "podcli " + typed + "\t")
      #expect(line == "podcli " + expected, "typed: \(typed)")
    }
  }

  @Test func `bash completes commands, options, podcasts and titles`() async throws {
    try stage.home.write(
      #"""
      PS1='READY '
      bind 'set bell-style none'
      bind 'set enable-bracketed-paste off'
      bind -x '"\C-o": printf "\n«%s»\n" "$READLINE_LINE"'
      source "$HOME/podcli.bash"
      """#, to: "rc")
    stage.server.serve("/loud.xml", Response.feed(SampleFeed(title: "Yo!Wow Show", episodes: 1).bytes))
    _ = try await stage.run("subscribe", stage.server.url("/loud.xml"))
    let shell = try await ShellSession(program(["bash", "--noprofile", "--rcfile", "rc", "-i"]))
    try await check(shell)
    // Bash would look for an event of its history.
    let loud = try await shell.line(afterTyping: "podcli episodes \"Yo\t").line
    #expect(loud == #"podcli episodes "Yo"\!"Wow Show" "#)
    // There is nothing to add, and no pair of quotes either.
    #expect(try await shell.line(afterTyping: "podcli playlist text:\t").line == "podcli playlist text:")
    let (_, shown) = try await shell.line(afterTyping: "podcli play \t\t")
    #expect(shown.contains("3 ") && shown.contains("Daily Bread: Dail story 1"))
  }

  @Test func `zsh completes commands, options, podcasts and titles`() async throws {
    try stage.home.write(
      #"""
      autoload -Uz compinit && compinit -u -D
      source "$HOME/podcli.zsh"
      PS1='READY '
      setopt nobeep
      show() { print -r -- "«$BUFFER»" }
      zle -N show
      bindkey '^O' show
      bindkey '^U' kill-whole-line
      """#, to: ".zshrc")
    let shell = try await ShellSession(program(["zsh", "-i"]))
    try await check(shell)
    try await shell.list(afterTyping: "podcli play \t", shows: "Daily Bread: Dail story 1")
  }

  @Test func `fish offers commands, options, podcasts and titles`() async throws {
    let questions = [
      ("playl", "playlist\t"), ("play --resu", "--resume\t"), ("episodes La", "Late Night Linux\t2 unplayed"),
      ("play 'Late story 2", "Late story 2\tLate Night Linux"), ("mark played 3", "3\tDaily Bread: Dail story 1"),
      ("playlist unpl", "unplayed"), ("set 1 trim=mi", "trim=mild"),
      ("--library \(other.path) episodes El", "Elsewhere\t1 unplayed"),
      ("episodes --library=\(other.path) El", "Elsewhere\t1 unplayed"),
    ]
    var script = "source $HOME/podcli.fish\n"
    for (typed, _) in questions {
      let quoted = "podcli \(typed)".map { "'\\".contains($0) ? "\\\($0)" : String($0) }.joined()
      script += "complete -C '\(quoted)'; echo =\n"
    }
    try stage.home.write(script, to: "questions.fish")
    let result = try await program(["fish", "questions.fish"]).run()
    let answers = result.output.split(separator: "=\n", omittingEmptySubsequences: false)
    try #require(answers.count == questions.count + 1, "\(result)")
    for ((typed, expected), answer) in zip(questions, answers) {
      #expect(answer.hasPrefix(expected), "typed: \(typed), offered: \(answer)")
    }
  }
}
