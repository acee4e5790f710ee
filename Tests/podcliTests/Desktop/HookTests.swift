import Glibc
import PodcastModel
import TestSupport
import Testing

@testable import podcli

/// The user's own program for events.
@Suite struct HookTests {
  /// A stage whose hook writes each event with the JSON to a file.
  private struct Hooked {
    let stage: Stage
    var told: String { stage.home.path + "/told" }

    static let recording = #"printf '%s %s\n' "$PODCLI_EVENT" "$(cat)" >> "$HOME/told""#

    init(
      _ script: String = recording, episodes: Int = 1, seconds: Int = 60, isDownloaded: Bool = false
    ) async throws {
      stage = try Stage(episodes: episodes, seconds: seconds)
      try await stage.subscribe()
      if isDownloaded { _ = try await stage.run("download", "1") }
      let hook = try stage.home.write("#!/bin/sh\n\(script)\n", to: "hook")
      chmod(hook, 0o700)
      _ = try await stage.run("config", "set", "hook=" + hook)
    }

    var lines: [String] {
      ((try? contents(of: told)).map { String(decoding: $0, as: UTF8.self) } ?? "").split(separator: "\n").map(
        String.init)
    }
    var events: [String] { lines.map { String($0.prefix { $0 != " " }) } }

    func told(_ what: String, _ holds: @escaping @Sendable ([String]) -> Bool) async throws {
      try await eventually(what, watching: stage.home.path) { [self] in holds(events) }
    }

    func play(_ arguments: String...) async throws -> RunningProgram {
      let playing = try stage.home.podcli(["play"] + arguments).on(Program.Screen()).start()
      try await playing.wait(forScreen: "▶")
      return playing
    }
  }

  @Test func `a player's events come in order, with the episode as lists print it`() async throws {
    let hooked = try await Hooked(isDownloaded: true)
    let playing = try await hooked.play("1", "--start", "20")
    try await hooked.told("the start") { $0 == ["started"] }
    try await playing.wait(forScreen: "▶ 00:00:21")
    playing.type(" ")
    try await hooked.told("the pause") { $0.last == "paused" }
    let listed = try await hooked.stage.json("playlist").dropFirst().dropLast(2)
    #expect(withoutTimes(hooked.lines.last) == withoutTimes("paused " + listed))
    playing.type(" ")
    try await hooked.told("going on") { $0.last == "resumed" }
    playing.type("q")
    #expect(try await playing.end().status == .exited(0))
    try await hooked.told("the end") { $0 == ["started", "paused", "resumed", "stopped"] }
    try await expectPosition(hooked)
  }

  /// The hook's position is that of its moment, the library's a few milliseconds away.
  private func expectPosition(_ hooked: Hooked) async throws {
    let kept = try #require(try await hooked.stage.position(of: 1))
    let told = hooked.lines.last?.split(separator: "\"lastListenTime\":").last?.prefix { $0 != "," }
    let near = isSanitized ? 1.5 : 0.5
    #expect(told.flatMap { Double($0) }.map { abs($0 - kept) < near } == true, "\(kept) \(hooked.lines)")
  }

  private func withoutTimes(_ line: String?) -> String? {
    line?.replacing(/"last(ListenTime|PlayedAt)":[^,]*,/, with: "")
  }

  @Test func `an episode that ends is finished, and the player stopped`() async throws {
    let hooked = try await Hooked(seconds: 1)
    #expect(try await hooked.stage.run("play", "1").status == .exited(0))
    try await hooked.told("the end") { $0.contains("finished") && $0.contains("stopped") }
    let line = hooked.lines.first { $0.hasPrefix("finished") }
    #expect(line?.contains("\"hasCompleted\":true,\"isCurrentlyPlaying\":false") == true)
    #expect(line?.contains("lastListenTime") == false)
  }

  @Test func `a signal stops the player, and the hook has the position`() async throws {
    let hooked = try await Hooked()
    let playing = try await hooked.play("1", "--start", "20")
    try await hooked.told("the start") { $0 == ["started"] }
    try await playing.wait(forScreen: "▶ 00:00:21")
    playing.send(SIGTERM)
    #expect(try await playing.end().status == .exited(143))
    try await hooked.told("the end") { $0 == ["started", "stopped"] }
    try await expectPosition(hooked)
  }

  @Test func `each download and each new episode is told`() async throws {
    let hooked = try await Hooked(episodes: 3, seconds: 1)
    #expect(try await hooked.stage.run("download", "1", "2").status == .exited(0))
    #expect(hooked.events == ["downloaded", "downloaded"])
    #expect(hooked.lines.allSatisfy { $0.contains("\"download\":{\"state\":\"complete\"") && $0.contains(".wav\"") })
    let feed = SampleFeed(episodes: 5, mediaBase: hooked.stage.server.url("/media"), seconds: 1)
    hooked.stage.server.serve("/feed.xml", Response.feed(feed.bytes))
    #expect(try await hooked.stage.run("refresh").status == .exited(0))
    #expect(hooked.events.dropFirst(2) == ["new-episode", "new-episode"])
    #expect(Set(hooked.lines.suffix(2).map { $0.contains("\"Episode 4\"") }) == [true, false])
    #expect(try await hooked.stage.run("refresh", "--force").status == .exited(0))
    #expect(hooked.lines.count == 4)
  }

  @Test func `it has few variables, no terminal, and a process group of its own`() async throws {
    let hooked = try await Hooked(
      "env > \"$HOME/env\"; ps -o pid=,pgid= -p $PPID > \"$HOME/group\"; echo noise; echo noise >&2; \(Hooked.recording)"
    )
    let playing = try await hooked.play("1")
    try await hooked.told("the start") { $0 == ["started"] }
    let names = String(decoding: try contents(of: hooked.stage.home.path + "/env"), as: UTF8.self)
      .split(separator: "\n").map { $0.prefix { $0 != "=" } }
    #expect(Set(names).subtracting(["PWD", "SHLVL", "_", "OLDPWD"]) == ["PATH", "HOME", "PODCLI_EVENT"])
    let group = String(decoding: try contents(of: hooked.stage.home.path + "/group"), as: UTF8.self)
      .split(separator: " ").map { $0.filter(\.isNumber) }
    #expect(group.count == 2 && group[0] == group[1])
    playing.type("q")
    #expect(!(try await playing.end().transcript.screen.contains("noise")))
  }

  @Test func `a slow hook runs once at a time, and of those that wait the newest is kept`() async throws {
    let hooked = try await Hooked(
      #"echo "$PODCLI_EVENT" >> "$HOME/told"; [ $PODCLI_EVENT != paused ] || read word < "$HOME/pipe""#)
    mkfifo(hooked.stage.home.path + "/pipe", 0o600)
    let playing = try await hooked.play("1")
    try await hooked.told("the start") { $0 == ["started"] }
    let watching = try hooked.stage.home.podcli("status", "--watch", "--json").start()
    for count in 1...3 {
      playing.type(" ")
      try await watching.wait(for: "pause \(count)") { $0.output.hasState("paused") }
      playing.type(" ")
      try await watching.wait(for: "going on") { $0.output.hasState("playing") }
    }
    try await hooked.told("going on") { $0.contains("resumed") }
    watching.send(SIGTERM)
    #expect(hooked.events.filter { $0 == "paused" }.count == 1)
    let pipe = open(hooked.stage.home.path + "/pipe", O_RDWR)
    write(pipe, "\n", 1)
    try await hooked.told("the next pause") { $0.filter { $0 == "paused" }.count == 2 }
    write(pipe, "\n", 1)
    playing.type("q")
    try await playing.end()
    close(pipe)
    #expect(hooked.events.filter { $0 == "paused" }.count == 2)
  }

  @Test func `a hook that fails is said once, by doctor too, and playing goes on`() async throws {
    let reason = "its exit status was 3"
    let hooked = try await Hooked("exit 3")
    let playing = try await hooked.play("1")
    try await playing.wait(forScreen: reason)
    playing.type(" ")
    try await playing.wait(forScreen: "⏸")
    playing.type("q")
    let outcome = try await playing.end()
    #expect(outcome.status == .exited(0))
    #expect(outcome.transcript.screen.ranges(of: "failed at").count == 1)
    let doctor = try await hooked.stage.run("doctor")
    #expect(doctor.output.contains(reason) && doctor.output.contains("podcli help hooks"), "\(doctor)")
    #expect(doctor.status == .exited(0))
  }

  @Test func `a hook that works again is fine`() async throws {
    let hooked = try await Hooked(#"[ ! -e "$HOME/broken" ]"#, seconds: 1)
    try hooked.stage.home.write("", to: "broken")
    #expect(try await hooked.stage.run("download", "1").status == .exited(0))
    #expect(try await hooked.stage.run("doctor").output.contains("failed at downloaded"))
    unlink(hooked.stage.home.path + "/broken")
    _ = try await hooked.stage.run("downloads", "--remove", "1")
    #expect(try await hooked.stage.run("download", "1").status == .exited(0))
    #expect(try await hooked.stage.run("doctor").output.contains("/hook is run at events"))
  }

  @Test(arguments: [("/nowhere/hook", "it was not found"), ("/etc/passwd", "it cannot be run")])
  func `a hook that is missing changes nothing`(path: String, reason: String) async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    try await stage.subscribe()
    _ = try await stage.run("config", "set", "hook=" + path)
    #expect(try await stage.run("download", "1").status == .exited(0))
    let outcome = try await stage.run("play", "1")
    #expect(outcome.status == .exited(0))
    #expect(try await stage.status(of: 1).hasCompleted)
    #expect(try await stage.run("doctor").output.contains(reason))
  }

  @Test func `a hook without an end is killed, with its children`() async throws {
    let hooked = try await Hooked(#"echo $$ > "$HOME/told"; read word < "$HOME/pipe" & wait"#)
    mkfifo(hooked.stage.home.path + "/pipe", 0o600)
    #expect(try await hooked.stage.run("download", "1").status == .exited(0))
    #expect(try await hooked.stage.run("doctor").output.contains("it was killed after 10 seconds"))
    // A writer without a reader.
    #expect(open(hooked.stage.home.path + "/pipe", O_WRONLY | O_NONBLOCK) == -1 && errno == ENXIO)
  }

  @Test func `the hook of the manual works`() async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    try await stage.subscribe()
    for path in ["/now-playing", "/light/on", "/light/off"] { stage.server.serve(path, Response.ok("")) }
    let help = try await stage.run("help", "hooks").output.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(help.firstIndex { $0.hasSuffix("#!/bin/sh") })
    let script = help[start...].map { String($0.drop { $0 == " " }) }.joined(separator: "\n")
      .replacing("http://127.0.0.1:8000", with: stage.server.url(""))
    chmod(try stage.home.write(script, to: "hook"), 0o700)
    _ = try await stage.run("config", "set", "hook=\(stage.home.path)/hook")
    #expect(try await stage.run("play", "1").status == .exited(0))
    for path in ["/now-playing", "/light/on", "/light/off"] { _ = try await stage.server.request(1, to: path) }
    try await eventually("the note", watching: stage.home.path + "/notes") { [stage] in
      let note = (try? contents(of: stage.home.path + "/notes/1.md")).map { String(decoding: $0, as: UTF8.self) }
      return note?.hasPrefix("# Episode 1\n\nSample Show, heard on 20") == true
    }
  }

  @Test func `the end of an episode is a notification only on request`() async throws {
    let stage = try Stage(episodes: 2, seconds: 1)
    try await stage.subscribe()
    mkdir(stage.home.path + "/bin", 0o700)
    let script = "#!/bin/sh\nfor word in \"$@\"; do printf '[%s]\\n' \"$word\"; done >> \"$HOME/told\"\n"
    chmod(try stage.home.write(script, to: "bin/notify-send"), 0o700)
    func play() async throws {
      let outcome = try await stage.home.podcli("play", "1", "--restart")
        .setting("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
        .setting("PATH", stage.home.path + "/bin:/usr/bin:/bin").run()
      #expect(outcome.status == .exited(0))
    }
    try await play()
    _ = try await stage.run("mark", "unplayed", "1", "2")
    #expect(!names(in: stage.home.path).contains("told"))
    _ = try await stage.run("config", "set", "notify-playing=on")
    try await play()
    let told = stage.home.path + "/told"
    try await eventually("two notifications", watching: stage.home.path) {
      ((try? contents(of: told)) ?? []).split(separator: 10).count >= 8
    }
    let text = String(decoding: try contents(of: told), as: UTF8.self)
    #expect(text.contains("[Finished Sample Show: Episode 1]\n[Next: Sample Show: Episode 2]"))
    #expect(text.contains("[Finished Sample Show: Episode 2]\n[Nothing follows]"))
  }
}

extension String {
  /// Whether that is the state in the last line of `status --watch --json`.
  fileprivate func hasState(_ state: String) -> Bool {
    split(separator: "\n").last?.contains("{\"state\":\"\(state)\",\"episode\"") ?? false
  }
}
