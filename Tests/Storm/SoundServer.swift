private import Glibc
internal import TestSupport

/// A PulseAudio server with one device, whose samples a recorder hands to a loudspeaker as they are played.
final class SoundServer: Sendable {
  private let server: RunningProgram
  private let recorder: RunningProgram
  private let socket: String
  private let folder: String

  init(_ home: TemporaryHome, playingTo speaker: Loudspeaker) async throws {
    (folder, socket) = (home.path, home.path + "/sound")
    // In the file's own format no sample is changed on the way.
    let format = "rate=\(Loudspeaker.sampleRate) channels=1 format=float32le"
    server = try home.program(
      "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm=yes", "-L",
      "module-null-sink sink_name=ear \(format)", "-L",
      "module-native-protocol-unix auth-anonymous=1 socket=\(socket)"
    ).setting("XDG_RUNTIME_DIR", folder).start()
    try await eventually("the sound server", watching: folder) { [socket] in access(socket, F_OK) == 0 }
    let record =
      "exec parec --device=ear.monitor --raw --format=float32le --rate=\(Loudspeaker.sampleRate) --channels=1 "
      + "--latency-msec=10 > '\(speaker.path)'"
    let program = home.program("/bin/sh", "-c", record)
    recorder = try Self.variables(socket, folder).reduce(program) { $0.setting($1.key, $1.value) }.start()
  }

  var variables: [String: String] { Self.variables(socket, folder) }

  private static func variables(_ socket: String, _ folder: String) -> [String: String] {
    [
      "PODCLI_AO": "pulse", "PULSE_SERVER": "unix:" + socket, "XDG_RUNTIME_DIR": folder,
      "PULSE_COOKIE": folder + "/cookie",
    ]
  }

  func stop() {
    recorder.send(SIGTERM)
    server.send(SIGTERM)
  }
}
