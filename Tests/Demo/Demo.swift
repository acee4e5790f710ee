import Glibc
import TestSupport

/// A newcomer's first session with podcli, with a podcast served from this machine. It is also a check: a command that
/// fails ends the demo with an error.
@main struct Demo {
  /// The length of each of the two listens.
  private static let listen: Duration = .seconds(5)

  /// The main thread only waits for an interrupt; tasks on other threads do the work.
  static func main() throws {
    blockInterrupts()
    let stage = try Stage(podcli: CommandLine.arguments.dropFirst().first ?? builtProduct("podcli"))
    Task { @concurrent in exit(await Demo(stage: stage).performed() ? 0 : 1) }
    let signal = nextInterrupt()
    Task { @concurrent in
      await stage.tidy()
      exit(128 + signal)
    }
    while true { pause() }
  }

  let stage: Stage

  private func performed() async -> Bool {
    let result: Result<Void, any Error>
    do { result = .success(try await perform()) } catch { result = .failure(error) }
    await stage.tidy()
    guard case .failure(let error) = result else { return true }
    Stage.tell("demo: \(error)\n")
    return false
  }

  private func perform() async throws {
    let server = try serveShow()
    defer { server.stop() }
    stage.note("A podcast on this machine, a library in a temporary folder, and podcli itself.")
    try await stage.run("subscribe", server.url("/feed.xml")).expect(.exited(0))
    try await stage.run("playlist").expect(.exited(0))

    let episode = try await newestEpisode()
    stage.note("A voice counts the seconds. Five of them, and then Ctrl-C:")
    try await playWithSoundOrWithout(episode).expect(.exited(130))
    let stopped = try await rememberedPosition(of: episode)
    stage.note("Stopped by Ctrl-C, exit status 130. The library remembers second \(stopped).")

    stage.note("A new process goes on where that one stopped:")
    try await stage.run("resume", for: Demo.listen).expect(.exited(130))
    let resumed = try await rememberedPosition(of: episode)
    guard seconds(resumed) > seconds(stopped) else { throw DemoError("resume did not go on from \(stopped)") }
    stage.note("From second \(stopped) to second \(resumed).")

    try await stage.run("playlist").expect(.exited(0))
    stage.note("Sound: \(stage.sound).")
  }

  /// Plays on the machine's audio output; if podcli finds none, the null output plays silently in real time.
  private func playWithSoundOrWithout(_ episode: String) async throws -> Outcome {
    let outcome = try await stage.run("play", episode, for: Demo.listen)
    guard outcome.status == .exited(8), stage.mayLackSound else { return outcome }
    stage.note("This machine has no audio output (exit status 8), so the null output plays in silence, in real time:")
    stage.fallBackToSilence()
    return try await stage.run("play", episode, for: Demo.listen)
  }

  /// In a pipe, the first column of the first line is the newest episode's id.
  private func newestEpisode() async throws -> String {
    let listing = try await stage.ask("playlist").output
    guard let id = listing.split(whereSeparator: \.isWhitespace).first else { throw DemoError("the playlist is empty") }
    return String(id)
  }

  private func rememberedPosition(of episode: String) async throws -> String {
    let document = try await stage.ask("playlist", "--json").output
    let values = document.split(separator: "\"lastListenTime\":").dropFirst().map { rest in
      String(rest.drop { $0 == " " }.prefix { $0.isNumber || $0 == "." })
    }
    guard let furthest = values.max(by: { seconds($0) < seconds($1) }), seconds(furthest) > 0 else {
      throw DemoError("no position is remembered for episode \(episode)")
    }
    return furthest
  }

  private func seconds(_ text: String) -> Double { Double(text) ?? 0 }
}

struct DemoError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

extension Outcome {
  fileprivate func expect(_ expected: ExitStatus) throws {
    if status != expected { throw DemoError("expected \(expected), got \(status)") }
  }
}

/// Serves the files of the folder Show like a podcast host, with entity tags and ranges.
private func serveShow() throws -> LoopbackServer {
  let folder = String(#filePath.dropLast("Demo.swift".count)) + "Show/"
  let types = [
    "feed.xml": "application/rss+xml", "counting.mp3": "audio/mpeg", "tones.opus": "audio/ogg",
    "silence.m4a": "audio/mp4", "counting.chapters.json": "application/json+chapters", "counting.vtt": "text/vtt",
  ]
  let server = try LoopbackServer()
  for (name, type) in types {
    let bytes = try contents(of: folder + name)
    server.serve("/\(name)", .resource(bytes, type: type, etag: "\"\(bytes.count)\""))
  }
  return server
}
