import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing
import Text

@testable import podcli

@Suite struct ClipCommandTests {
  /// Episode 1 is a minute of sound in that format.
  private func stage(
    _ ending: String = "mp3", rate: Int = 44_100, bitrate: String? = nil, announced: Int = 60,
    serving: (Response) -> Response = { $0 }
  ) async throws -> (stage: Stage, bytes: [UInt8]) {
    let stage = try Stage(episodes: 1, seconds: 1)
    let feed = SampleFeed(
      episodes: 2, mediaBase: stage.server.url("/media"), mediaEnding: ending, mediaType: "audio/x",
      seconds: announced)
    stage.server.serve("/feed.xml", Response.feed(feed.bytes))
    let tone = Tone(seconds: 20, frequency: 440, sampleRate: rate).then(seconds: 40, frequency: 700)
    let bytes = try await tone.encoded(
      as: ending, options: bitrate.map { ["-b:a", $0] } ?? (ending == "mp3" ? ["-q:a", "4"] : []))
    let media = serving(Response.resource(bytes, type: "audio/x", etag: "\"1\""))
    stage.server.serve("/media/1.\(ending)") { media.answering($0) }
    try await stage.subscribe()
    return (stage, bytes)
  }

  private func run(_ stage: Stage, _ arguments: String...) async throws -> Outcome {
    try await stage.home.podcli(arguments).in(stage.home.path).run()
  }

  private func probed(_ path: String, _ home: TemporaryHome) async throws -> JSON {
    let outcome = try await home.program(
      "ffprobe", "-v", "error", "-show_format", "-show_chapters", "-show_streams", "-of", "json", path
    ).run()
    return try #require(JSON(parsing: outcome.output), "\(outcome)")
  }

  @Test func `a clip has a readable name, titles, a link, and the chapters with shifted times`() async throws {
    let (stage, _) = try await stage()
    try await stage.seed { store in
      try await store.setChapters(
        [Chapter(start: 0, title: "First"), Chapter(start: 12, title: "Second"), Chapter(start: 40, title: "Third")],
        of: .init(rawValue: 1))
    }
    let made = try await run(stage, "clip", "1", "0:10", "+15")
    #expect(made.status == .exited(0), "\(made)")
    #expect(made.output == "Sample Show - Episode 1 00.10-00.25.mp3\n")
    let document = try await probed(stage.home.path + "/Sample Show - Episode 1 00.10-00.25.mp3", stage.home)
    // With the samples at both ends that are not heard.
    #expect(document["format"]?["duration"]?.text?.hasPrefix("15.0") == true)
    let tags = document["format"]?["tags"]
    #expect(tags?["title"]?.text == "Episode 1 (clip)")
    #expect(tags?["album"]?.text == "Sample Show")
    let chapters = document["chapters"]?.elements ?? []
    #expect(chapters.map { $0["tags"]?["title"]?.text } == ["First", "Second"])
    #expect(chapters.map { $0["end_time"]?.text } == ["2.000000", "15.000000"])
    let bytes = try contents(of: stage.home.path + "/Sample Show - Episode 1 00.10-00.25.mp3")
    #expect(String(decoding: bytes.prefix(400), as: UTF8.self).contains("/media/1.mp3#t=10,25"))
  }

  @Test func `a clip that does not fit on the disk says so, and leaves no file`() async throws {
    let (stage, _) = try await stage()
    let program = builtProduct("podcli")
    let path = stage.home.path + "/b.wav"
    let made = try await stage.home.program(
      "/bin/sh", "-c", "ulimit -f 4000; exec \"\(program)\" clip 1 0:02 0:55 \"\(path)\""
    ).run()
    #expect(made.status == .exited(1) && made.error.contains("the disk is full"), "\(made)")
    #expect(access(path, F_OK) != 0)
  }

  @Test func `a WAV is as long as it was asked for, to the sample`() async throws {
    let (stage, _) = try await stage()
    let made = try await run(stage, "clip", "1", "0:10", "0:15", "b.wav", "--exact")
    #expect(made.status == .exited(0), "\(made)")
    let stream = try await probed(stage.home.path + "/b.wav", stage.home)["streams"]?.elements?.first
    #expect(stream?["duration_ts"]?.int == 220_500 as Int64)
    let samples = try await stage.home.program(
      "ffmpeg", "-v", "error", "-i", stage.home.path + "/b.wav", "-f", "s16le", "-"
    ).run()
    #expect(samples.transcript.outputBytes.count == 5 * 44_100 * 2 && samples.error.isEmpty)
  }

  @Test func `a clip that is asked for up to far behind the end has the times of what there is`() async throws {
    let (stage, _) = try await stage()
    try await stage.seed { store in
      try await store.setChapters([Chapter(start: 0, title: "Only")], of: .init(rawValue: 1))
    }
    let made = try await run(stage, "clip", "1", "0:02", "1300:00:00", "b.mp3")
    #expect(made.status == .exited(0) && made.error.contains("The episode ends at 1:00"), "\(made)")
    let document = try await probed(stage.home.path + "/b.mp3", stage.home)
    #expect(document["chapters"]?.elements?.map { $0["end_time"]?.text?.hasPrefix("58.0") } == [true])
  }

  @Test func `a file that is there is replaced only with --yes, and JSON tells what was made`() async throws {
    let (stage, _) = try await stage()
    try stage.home.write("mine", to: "a.mp3")
    let refused = try await run(stage, "clip", "1", "1", "2", "a.mp3")
    #expect(refused.status == .exited(2))
    #expect(refused.error.contains("say --yes"))
    #expect(try contents(of: stage.home.path + "/a.mp3") == Array("mine".utf8))
    let made = try await run(stage, "clip", "1", "1", "2.5", "a.mp3", "--yes", "--json")
    let document = try #require(JSON(parsing: made.output), "\(made)")
    #expect(document["path"]?.text == "a.mp3")
    #expect(document["to"] == .number(2.5))
    #expect(document["bytes"]?.int == Int64(try contents(of: stage.home.path + "/a.mp3").count))
  }

  @Test func `a pipe gets the same bytes, and a folder a file with a readable name`() async throws {
    let (stage, _) = try await stage()
    #expect(try await run(stage, "clip", "1", "5", "20", "a.mp3").status == .exited(0))
    let file = try contents(of: stage.home.path + "/a.mp3")
    let piped = try await run(stage, "clip", "1", "5", "20", "-")
    #expect(piped.transcript.outputBytes == file)
    #expect(mkdir(stage.home.path + "/clips", 0o700) == 0)
    #expect(try await run(stage, "clip", "1", "5", "20", "clips").status == .exited(0))
    #expect(names(in: stage.home.path + "/clips") == ["Sample Show - Episode 1 00.05-00.20.mp3"])
    #expect(try await run(stage, "clip", "1", "5", "20", "-", "--json").status == .exited(2))
  }

  @Test func `what is missing is fetched and kept, also while another podcli plays it`() async throws {
    let (stage, bytes) = try await stage()
    #expect(try await run(stage, "clip", "1", "10", "12", "fetched.mp3").status == .exited(0))
    #expect(try await run(stage, "clip", "1", "10", "12", "kept.mp3", "--offline").status == .exited(0))
    let playing = try stage.home.podcli("play", "1", "--paused").start()
    try await stage.wait(forStatus: #""socket""#)
    #expect(try await run(stage, "clip", "1", "10", "12", "shared.mp3").status == .exited(0))
    #expect(try await run(stage, "clip", "1", "50", "52", "late.mp3").status == .exited(0))
    playing.send(SIGTERM)
    _ = try await playing.end()
    #expect(try await run(stage, "download", "1").status == .exited(0))
    for (name, from) in [("whole.mp3", "10"), ("wholelate.mp3", "50")] {
      #expect(try await run(stage, "clip", "1", from, "+2", name).status == .exited(0))
    }
    let all = try Dictionary(
      uniqueKeysWithValues: ["fetched", "kept", "shared", "late", "whole", "wholelate"].map {
        ($0, try contents(of: stage.home.path + "/\($0).mp3"))
      })
    for name in ["fetched", "kept", "shared"] { #expect(all[name] == all["whole"], "\(name)") }
    #expect(all["late"] == all["wholelate"])
    #expect(bytes.count > 100_000)
  }

  @Test func `an AAC stream is cut between frames, with titles and without encoding`() async throws {
    let (stage, bytes) = try await stage("aac")
    let made = try await run(stage, "clip", "1", "10", "15", "--exact")
    #expect(made.status == .exited(0), "\(made)")
    let path = stage.home.path + "/Sample Show - Episode 1 00.10-00.15.aac"
    let document = try await probed(path, stage.home)
    #expect(document["format"]?["tags"]?["title"]?.text == "Episode 1 (clip)")
    let clip = try contents(of: path)
    let title = try #require(clip.indices.first { clip[$0] == 0xFF && clip[$0 + 1] & 0xF6 == 0xF0 })
    let frames = clip[title...]
    #expect(frames.count > 10_000)
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: frames.prefix(64)) })
    let isCopied = bytes[start...].starts(with: frames)
    #expect(isCopied)
    let behind = try await run(stage, "clip", "1", "1:30", "1:40")
    #expect(behind.status == .exited(2) && behind.error.contains("1:00"), "\(behind)")
  }

  @Test(arguments: ["m4a", "opus", "flac"])
  func `other kinds are encoded, with titles`(ending: String) async throws {
    let (stage, _) = try await stage(ending)
    let made = try await run(stage, "clip", "1", "10", "15", "a.\(ending)")
    #expect(made.status == .exited(0), "\(made)")
    let document = try await probed(stage.home.path + "/a.\(ending)", stage.home)
    let seconds = document["format"]?["duration"]?.text.flatMap(Double.init) ?? 0
    #expect((4.99...5.12).contains(seconds), "\(seconds)")
    let tags = document["format"]?["tags"] ?? document["streams"]?.elements?.first?["tags"]
    #expect(tags?["title"]?.text ?? tags?["TITLE"]?.text == "Episode 1 (clip)")
    #expect(try await run(stage, "clip", "1", "10", "12", "a.mp3").status == .exited(0))
    let behind = try await run(stage, "clip", "1", "2:00", "2:10", "b.\(ending)")
    #expect(behind.status == .exited(2), "\(behind)")
    #expect(!names(in: stage.home.path).contains { $0.hasPrefix("b.") })
  }

  @Test func `a clip becomes Ogg Vorbis at any sampling rate, and no file of a kind that cannot be written`()
    async throws
  {
    let (stage, _) = try await stage(rate: 22_050)
    let made = try await run(stage, "clip", "1", "10", "15", "a.ogg")
    #expect(made.status == .exited(0), "\(made)")
    let document = try await probed(stage.home.path + "/a.ogg", stage.home)
    #expect(document["format"]?["duration"]?.text?.hasPrefix("5.0") == true)
    for name in ["a.txt", "a.mka", "folder/a.WMA"] {
      let refused = try await run(stage, "clip", "1", "10", "15", name)
      #expect(refused.status == .exited(2) && refused.error.contains("flac"), "\(refused)")
    }
    for name in ["at 00.10", "S01.E02"] {
      #expect(try await run(stage, "clip", "1", "10", "15", name).output == name + "\n")
    }
  }

  @Test func `--last is what was heard last, of the player's episode or of another`() async throws {
    let (stage, _) = try await stage()
    #expect(try await run(stage, "clip", "--last").status == .exited(3))
    #expect(try await run(stage, "clip", "1", "--last").error.contains("nothing of Episode 1 has been heard yet"))
    try await stage.seed { store in
      try await store.startPlaying(.init(rawValue: 1), at: .now)
      try await store.savePosition(.seconds(42), of: .init(rawValue: 1), urgency: .flush)
    }
    #expect(try await run(stage, "clip", "--last").output == "Sample Show - Episode 1 00.12-00.42.mp3\n")
    #expect(try await run(stage, "clip", "1", "--last", "a.mp3").output == "a.mp3\n")
    #expect(try await run(stage, "clip", "--last", "b.mp3").output == "b.mp3\n")
    #expect(try await run(stage, "clip", "1", "5", "--last").status == .exited(2))
  }

  /// An ID3 tag with a picture, which no player has to draw.
  private var taggedPicture: [UInt8] {
    let content = [0] + Array("image/png".utf8) + [0, 3, 0] + [UInt8](repeating: 9, count: 500)
    let frame = Array("APIC".utf8) + [0, 0, 2, UInt8(content.count - 512), 0, 0] + content
    return Array("ID3".utf8) + [3, 0, 0, 0, 0, UInt8(frame.count >> 7), UInt8(frame.count & 127)] + frame
  }

  @Test func `both ends move into pauses that were measured, unless they are exact; the picture comes along`()
    async throws
  {
    let (stage, _) = try await stage()
    let talk = (0..<8).reduce(Tone(seconds: 1, frequency: 440, sampleRate: 44_100)) { talk, _ in
      talk.then(seconds: 1, frequency: nil).then(seconds: 2, frequency: 440)
    }
    let plain = try await talk.encoded(as: "mp3", options: ["-id3v2_version", "0"])
    let media = Response.resource(taggedPicture + plain, type: "audio/mpeg", etag: "\"2\"")
    stage.server.serve("/media/2.mp3") { media.answering($0) }
    try #require(try await run(stage, "download", "2").status == .exited(0))
    try #require(try await run(stage, "measure", "2").status == .exited(0))
    // It is loud from 5 to 7 and from 8 to 10.
    let moved = try await run(stage, "clip", "2", "5.6", "9.2", "moved.mp3", "--json")
    let document = try #require(JSON(parsing: moved.output), "\(moved)")
    let (from, to) = (try #require(document["from"]?.double), try #require(document["to"]?.double))
    #expect(abs(from - 4.8) < 0.1 && abs(to - 10.2) < 0.1, "\(from) to \(to)")
    let exact = try await run(stage, "clip", "2", "5.6", "9.2", "exact.mp3", "--exact", "--json")
    #expect(JSON(parsing: exact.output)?["from"]?.double == 5.6, "\(exact)")
    let streams = try await probed(stage.home.path + "/exact.mp3", stage.home)["streams"]?.elements ?? []
    let pictures = streams.filter { $0["disposition"]?["attached_pic"]?.int == 1 }
    #expect(pictures.count == 1)
  }

  @Test func `bad ends, a full disk and what is no sound leave no file`() async throws {
    let (stage, _) = try await stage()
    #expect(try await run(stage, "clip", "1", "20", "10", "a.mp3").status == .exited(2))
    #expect(try await run(stage, "clip", "1", "20", "a.mp3").status == .exited(2))
    #expect(try await run(stage, "clip", "1", "10", "20", "").error.contains("the clip's file has no name"))
    let behind = try await run(stage, "clip", "1", "5:00", "6:00", "a.mp3")
    #expect(behind.status == .exited(2))
    #expect(behind.error.contains("the episode ends before that, at 1:00"))
    let cut = try await run(stage, "clip", "1", "0:50", "6:00", "end.mp3", "--json")
    #expect(JSON(parsing: cut.output)?["to"].map { "\($0)".contains("60") } == true, "\(cut)")
    let full = try await run(stage, "clip", "1", "1", "2", "/dev/full")
    #expect(full.status == .exited(1))
    #expect(full.error.contains("disk is full"), "\(full)")
    #expect(try await run(stage, "clip", "1", "1", "2", "nowhere/a.mp3").status == .exited(1))
    #expect(try await run(stage, "clip", "2", "1", "2", "a.mp3").status == .exited(5))
    stage.server.serve("/media/2.mp3", Response.ok([UInt8](repeating: 0x80, count: 200_000), type: "audio/mpeg"))
    #expect(try await run(stage, "clip", "2", "1", "2", "a.mp3").status == .exited(8))
    #expect(names(in: stage.home.path).filter { $0.contains("a.mp3") } == [])
  }

  @Test func `the end of an episode is not said before it is known`() async throws {
    let (stage, _) = try await stage(bitrate: "64k", announced: 0)
    let behind = try await run(stage, "clip", "1", "99:00", "99:30", "a.mp3")
    #expect(behind.status == .exited(2))
    #expect(behind.error == "podcli: the episode ends before that\n", "\(behind)")
  }

  @Test func `a kill leaves neither half a clip nor a draft`() async throws {
    let (stage, _) = try await stage { $0.stalling(at: 90_000) }
    let before = names(in: stage.home.path)
    let clipping = try stage.home.podcli("clip", "1", "0", "50", "a.mp3").in(stage.home.path).start()
    _ = try await stage.server.request(1, to: "/media/1.mp3")
    clipping.send(SIGKILL)
    _ = try await clipping.end()
    #expect(Set(names(in: stage.home.path)).subtracting(before) == [])
  }
}
