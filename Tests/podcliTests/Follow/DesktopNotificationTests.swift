import Glibc
import PodcastModel
import TestSupport
import Testing

/// Desktop notifications, recorded by a program that replaces `notify-send`.
@Suite struct DesktopNotificationTests {
  private struct Desk {
    let stage: Stage
    var told: String { stage.home.path + "/told" }

    init(_ script: String = #"for word in "$@"; do printf '[%s]\n' "$word"; done >> "$HOME/told""#) async throws {
      stage = try Stage(episodes: 1, seconds: 1)
      serve(["One"], at: "/a", title: "A & &lt;b&gt;B")
      serve(["One"], at: "/c", title: "C")
      for path in ["/a", "/c"] { _ = try await stage.run("subscribe", stage.server.url(path)) }
      mkdir(stage.home.path + "/bin", 0o700)
      chmod(try stage.home.write("#!/bin/sh\n\(script)\n", to: "bin/notify-send"), 0o700)
    }

    func serve(_ titles: [String], at path: String, title: String) {
      let items = titles.enumerated().reversed().map { number, title in
        "<item><title><![CDATA[\(title)]]></title><guid>\(number)</guid></item>"
      }
      let channel = "<title><![CDATA[\(title)]]></title>" + items.joined()
      stage.server.serve(path, Response.feed(Array("<rss><channel>\(channel)</channel></rss>".utf8)))
    }

    func refresh(bus: String? = "unix:path=/nowhere", path: String? = nil, _ words: String...) async throws -> Outcome {
      try await stage.home.podcli(["refresh"] + words).setting("DBUS_SESSION_BUS_ADDRESS", bus)
        .setting("PATH", path ?? stage.home.path + "/bin:/usr/bin:/bin").run()
    }

    var words: String? { (try? contents(of: told)).map { String(decoding: $0, as: UTF8.self) } }
  }

  @Test func `one notification for all podcasts with the setting, with titles escaped`() async throws {
    let desk = try await Desk()
    _ = try await desk.stage.run("set", "1", "notify=on")
    let hostile = "--icon=x \\033[31m\u{1B}[31m &lt;i&gt; \u{202E}evil"
    desk.serve(["One", "Two", hostile], at: "/a", title: "A & &lt;b&gt;B")
    desk.serve(["One", "Two"], at: "/c", title: "C")
    #expect(try await desk.refresh().status == .exited(0))
    let lines = try #require(desk.words).split(separator: "\n").map(String.init)
    #expect(lines.prefix(3) == ["[--app-name=podcli]", "[--]", "[2 new episodes]"], "\(lines)")
    #expect(
      Set(lines.dropFirst(3).map { $0.filter { $0 != "[" && $0 != "]" } }) == [
        "A &amp; &lt;b&gt;B: Two",
        #"A &amp; &lt;b&gt;B: --icon=x \\03331m31m &lt;i&gt; evil"#,
      ], "\(lines)")
    unlink(desk.told)
    #expect(try await desk.refresh("--force").status == .exited(0))
    #expect(desk.words == nil, "nothing is new")
  }

  @Test func `many episodes are counted, and long titles cut`() async throws {
    let desk = try await Desk()
    _ = try await desk.stage.run("config", "set", "notify=on")
    desk.serve((1...9).map { "\($0) " + String(repeating: "long ", count: 200) }, at: "/c", title: "C")
    #expect(try await desk.refresh("--quiet", "--json").status == .exited(0))
    let lines = try #require(desk.words).split(separator: "\n")
    #expect(lines[2] == "[9 new episodes]" || lines[2] == "[8 new episodes]")
    #expect(lines.count == 9 && lines.last?.hasPrefix("and ") == true, "\(lines)")
    #expect(lines.allSatisfy { $0.count <= 82 })
  }

  @Test func `without a desktop, the program or the setting there is no notification and no failure`() async throws {
    let desk = try await Desk()
    desk.serve(["One", "Two"], at: "/c", title: "C")
    #expect(try await desk.refresh().status == .exited(0))
    _ = try await desk.stage.run("config", "set", "notify=on")
    desk.serve(["One", "Two", "Three"], at: "/c", title: "C")
    #expect(try await desk.refresh(bus: nil).status == .exited(0))
    desk.serve(["One", "Two", "Three", "Four"], at: "/c", title: "C")
    let alone = try await desk.refresh(path: desk.stage.home.path)
    #expect(alone.status == .exited(0), "\(alone)")
    #expect(alone.error.contains("1 new episode"))
    #expect(desk.words == nil)
  }

  @Test func `a program that fails or never ends does not delay podcli`() async throws {
    // Reading a pipe without a writer never ends. The thread sanitizer's helper also waits as long as its own pipe is
    // open anywhere.
    let hanging = #"exec bash -c 'for n in {3..99}; do eval "exec $n>&-"; done; read word < "$HOME/never"'"#
    for script in ["echo no bus >&2; exit 1", hanging] {
      let desk = try await Desk(script)
      mkfifo(desk.stage.home.path + "/never", 0o600)
      _ = try await desk.stage.run("config", "set", "notify=on")
      desk.serve(["One", "Two"], at: "/c", title: "C")
      let outcome = try await desk.refresh()
      #expect(outcome.status == .exited(0))
      #expect(!outcome.error.contains("no bus"))
      // The program ends when its pipe is opened.
      let pipe = open(desk.stage.home.path + "/never", O_RDWR | O_NONBLOCK)
      close(pipe)
    }
  }
}
