import Glibc
import PodcastModel
import TestSupport
import Testing

/// A sound server with headphones and a speaker, both silent.
@Suite struct HeadphoneTests {
  private struct Room {
    let stage: Stage
    let server: RunningProgram

    init(_ setting: String) async throws {
      stage = try Stage(episodes: 1)
      try await stage.subscribe()
      _ = try await stage.run("config", "set", setting)
      let native = "module-native-protocol-unix auth-anonymous=1 socket=\(stage.home.path)/sound"
      let speaker = "module-null-sink sink_name=speaker sink_properties=device.form_factor=internal"
      let phones = "module-null-sink sink_name=phones sink_properties=device.form_factor=headphone"
      server = try stage.home.program(
        "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm=yes",
        "--log-target=stderr", "-L", speaker, "-L", phones, "-L", native
      ).setting("XDG_RUNTIME_DIR", stage.home.path).start()
      try await eventually("the sound server", watching: stage.home.path) { [stage] in
        access(stage.home.path + "/sound", F_OK) == 0
      }
    }

    func heard(_ program: Program) -> Program {
      program.setting("PODCLI_AO", "pulse").setting("PULSE_SERVER", "unix:\(stage.home.path)/sound")
        .setting("XDG_RUNTIME_DIR", stage.home.path).setting("PULSE_COOKIE", stage.home.path + "/cookie")
    }

    func pactl(_ words: String...) async throws { _ = try await heard(stage.home.program("pactl", words)).run() }

    /// Plays through a sink, and returns when the watch has seen it.
    func play(through sink: String) async throws -> (playing: RunningProgram, watching: RunningProgram) {
      try await pactl("set-default-sink", sink)
      let playing = try heard(stage.home.podcli("play", "1")).start()
      let watching = try stage.home.podcli("status", "--watch", "--json").start()
      try await watching.wait(for: "sound") { ($0.positions.last ?? 0) > 0.5 }
      try await clientIsThere(of: playing.pid)
      return (playing, watching)
    }

    /// libmpv's client and that of the watch.
    private func clientIsThere(of process: pid_t) async throws {
      let deadline = Deadline()
      while !deadline.hasPassed {
        let clients = try await heard(stage.home.program("pactl", "list", "clients")).run().output
        if clients.ranges(of: "application.process.id = \"\(process)\"").count == 2 { return }
      }
      throw Overdue("the watch's client")
    }
  }

  @Test func `headphones that are unplugged pause the player, which says so`() async throws {
    let room = try await Room("headphones=pause")
    let (playing, watching) = try await room.play(through: "phones")
    // The second of the modules.
    try await room.pactl("unload-module", "1")
    try await playing.wait(forError: "Headphones gone: paused")
    try await watching.wait(forOutput: "\"state\":\"paused\",\"episode\"")
    playing.send(SIGTERM)
    try await playing.end()
    room.server.send(SIGTERM)
    watching.send(SIGTERM)
  }

  @Test func `sound that moves to the headphones, or away from a speaker, goes on`() async throws {
    let room = try await Room("headphones=pause")
    let (playing, watching) = try await room.play(through: "speaker")
    for sink in ["phones", "speaker"] {
      try await room.pactl("move-sink-input", "0", sink)
      if sink == "phones" {
        let position = watching.transcript.positions.last ?? 0
        try await watching.wait(for: "more sound") { ($0.positions.last ?? 0) > position + 1 }
        #expect(!playing.transcript.error.contains("Headphones"))
      }
    }
    // Back from them is another matter.
    try await playing.wait(forError: "Headphones gone: paused")
    playing.send(SIGTERM)
    try await playing.end()
    room.server.send(SIGTERM)
    watching.send(SIGTERM)
  }

  @Test func `with headphones=ignore nothing watches the sound server`() async throws {
    let room = try await Room("headphones=ignore")
    try await room.pactl("set-default-sink", "phones")
    let playing = try room.heard(room.stage.home.podcli("play", "1")).start()
    let watching = try room.stage.home.podcli("status", "--watch", "--json").start()
    try await watching.wait(for: "sound") { ($0.positions.last ?? 0) > 0.5 }
    try await room.pactl("move-sink-input", "0", "speaker")
    let position = watching.transcript.positions.last ?? 0
    try await watching.wait(for: "more sound") { ($0.positions.last ?? 0) > position + 1 }
    #expect(!playing.transcript.error.contains("Headphones"))
    playing.send(SIGTERM)
    try await playing.end()
    room.server.send(SIGTERM)
    watching.send(SIGTERM)
  }
}
