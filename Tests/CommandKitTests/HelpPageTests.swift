import CommandKit
import Testing

struct HelpPageTests {
  private func page(_ path: String..., length: Page.Length = .long, in style: TextStyle = TextStyle()) -> String {
    Sample.program.text(of: .help(path: path, length), in: style)
  }

  @Test func `the overview groups commands by topic`() {
    #expect(
      page(length: .short) == """
        podcli: a podcast player
          podcli COMMAND [options] [arguments]

        Follow
          subscribe URL…      follow a podcast
          import [FILE]       take in OPML
          find QUERY…         search podcast directories

        Listen
          play EPISODE        play an episode
          bookmark EPISODE [TIME] [NOTE]
                              remember a position
          queue               show or change what plays next

        Look
          playlist [FILTER…]  list the episodes of every subscription

        Tend
          completions SHELL   print a script that lets a shell complete command lines
          help [COMMAND…]     explain the program, a command or a subject
          version             say which version this is

        Options of every command
              --json          print JSON
          -q, --quiet         say less
          -v, --verbose       say more
              --color WHEN    use colour: auto, always or never
              --library DIR   use another library
          -h, --help          explain the command (-h: in brief)
              --version       say which version this is

          podcli help COMMAND explains a command; podcli --help says more.

        """)
  }

  @Test func `the long help of a command has every part`() {
    #expect(
      page("play") == """
        podcli play: play an episode
          podcli play [options] EPISODE

          Continues where you stopped, and says so.

          With --restart the old position is kept as a bookmark.

        Arguments
          EPISODE            an id, a title, or PODCAST/latest

        Options
              --resume       continue where you stopped
              --restart      begin at the beginning
              --start TIME   begin there
          -s, --speed X      play X times as fast
              --trim HOW     shorten silence: off, mild or max

        Examples
          podcli play daily/latest
              the newest episode
          podcli play 'late night' --start -1m
              a minute before the end

        Options of every command
              --json         print JSON
          -q, --quiet        say less
          -v, --verbose      say more
              --color WHEN   use colour: auto, always or never
              --library DIR  use another library
          -h, --help         explain the command (-h: in brief)
              --version      say which version this is

        """)
  }

  @Test func `the short help has only usage, arguments and options`() {
    #expect(
      page("queue", length: .short) == """
        podcli queue: show or change what plays next
          podcli queue [COMMAND] [options]

        Commands
          list [FILTER…]          show the queue (when none is named)
          add EPISODE…            put episodes [at] its: end
          move EPISODE… POSITION  move episodes
          clear                   empty it

        Options
          --watch                 keep the list up to date

          podcli queue --help says more.

        """)
  }

  @Test func `a section of the manual is a page of help`() {
    #expect(
      Sample.program.text(of: .section("filters")) == """
        Filters
          Every list takes filters.

          unplayed   not yet played
          minutes<N  shorter than N minutes

        """)
  }

  @Test func `hidden commands and options are not shown`() {
    for text in [page(), page("play"), page("queue")] {
      #expect(!text.contains("secret") && !text.contains("debug"))
    }
  }

  @Test(arguments: [24, 40, 60, 80, 200])
  func `only an example may be wider than the screen`(width: Int) {
    let style = TextStyle(width: width)
    for text in [page(in: style), page("play", in: style), page("find", in: style)] {
      for line in text.split(separator: "\n") where line.count > width {
        #expect(line.contains("podcli play") || line.contains("https://") || !line.dropFirst(2).contains("  "))
      }
    }
  }

  @Test func `the caller measures the width`() {
    let wide = TextStyle(width: 80, measure: { $0.count * 2 })
    #expect(page("play", in: wide).split(separator: "\n").allSatisfy { $0.count < 60 })
  }

  @Test func `the caller paints the roles`() {
    let style = TextStyle(paint: { text, role in
      switch role {
      case .plain: text
      case .heading: "#\(text)#"
      case .literal: "*\(text)*"
      case .placeholder: "_\(text)_"
      }
    })
    let text = page("play", in: style)
    #expect(text.hasPrefix("#podcli play: play an episode#\n  *podcli play* [options] EPISODE\n"))
    #expect(text.contains("  *-s*, *--speed* _X_      play X times as fast\n"))
    #expect(text.contains("shorten silence: *off*, *mild* or *max*"))
  }

  @Test func `the version is one line`() {
    #expect(Sample.program.text(of: .version) == "podcli 1.2\n")
  }
}
