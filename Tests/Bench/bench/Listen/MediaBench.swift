import Glibc
internal import PodcastModel
private import TestSupport

/// Downloading beside curl, and playing from the network beside mpv.
enum MediaBench {
  static func run(_ parts: [String]) throws {
    let workspace = try Workspace()
    defer { workspace.remove() }
    let all: [(name: String, run: (Workspace) throws -> Void)] = [
      ("download", download), ("start", start), ("far", far), ("memory", memory),
    ]
    for part in all where parts.isEmpty || parts.contains(part.name) { try part.run(workspace) }
  }

  private static let rounds = Effort.rounds(5)

  // MARK: Throughput

  /// Downloads a gigabyte. Only podcli syncs the file to the disk, so curl is also measured with a sync.
  private static func download(_ workspace: Workspace) throws {
    let server = try FeedServer(silence(bytes: Effort.size(1 << 30, brief: 1 << 20)), delay: 0, workspace)
    defer { server.stop() }
    Report.title("\(Effort.size("1 GB", brief: "1 MB")) over the loopback interface")
    let url = server.url("/media/1.mp3")
    let table = Comparison(goal: "curl", isHeadline: true)
    for _ in 1...rounds {
      let target = workspace.library + "/file"
      table.add("curl", try Measured.run("curl", ["-s", "-o", target, url], in: workspace))
      table.add(
        "curl, and on the disk",
        try Measured.run("sh", ["-c", "curl -s -o \(target) \(url) && sync \(target)"], in: workspace))
      try workspace.clearLibrary()
      try follow(url, workspace)
      table.add("podcli download", try Measured.run(workspace.podcli, ["download", "1", "-q"], in: workspace))
      try workspace.clearLibrary()
    }
    table.show()
  }

  /// MP3 frames of 128 kbit/s. Bytes that are no sound would be probed for seconds, for chapters.
  private static func silence(bytes: Int) -> [UInt8] {
    let frame: [UInt8] = [0xff, 0xfb, 0x90, 0x64] + [UInt8](repeating: 0, count: 413)
    var sound: [UInt8] = []
    sound.reserveCapacity(bytes + frame.count)
    while sound.count < bytes { sound += frame }
    return sound
  }

  private static func follow(_ url: String, _ workspace: Workspace) throws {
    let feed = try workspace.write(
      "<rss><channel><title>x</title><item><title>y</title><enclosure url=\"\(url)\"/></item></channel></rss>",
      to: "media.xml")
    _ = try Measured.run(workspace.podcli, ["subscribe", feed], in: workspace)
  }

  // MARK: First audio

  /// The time from exec to the first audible sample; the audio device is a pipe.
  private static func start(_ workspace: Workspace) throws {
    let server = try FeedServer(try sound(seconds: Effort.size(600, brief: 5), workspace), delay: 0, workspace)
    defer { server.stop() }
    Report.title("first audio from the network")
    try compareStarts(server.url("/media/1.mp3"), at: 0, rounds: 2 * rounds, workspace)
  }

  /// The same late in an MP4 of which nothing is here. Its index, 4 bytes a frame, is read before the first sound.
  private static func far(_ workspace: Workspace) throws {
    let seconds = Effort.size(10_800, brief: 60)
    let file = try mp4(seconds: seconds, workspace)
    let server = try FeedServer(files: [file], delay: 50, bytesPerSecond: 2_500_000, workspace)
    defer { server.stop() }
    Report.title("first audio late in \(seconds / 60) minutes of m4a, 20 Mbit/s and 50 ms away")
    try compareStarts(server.url("/media/1.m4a"), at: seconds / 3 * 2, rounds: 2 * rounds, workspace)
  }

  /// A minute again and again.
  private static func mp4(seconds: Int, _ workspace: Workspace) throws -> String {
    let (minute, whole) = (workspace.folder + "/minute.m4a", workspace.folder + "/whole.m4a")
    let noise = "anoisesrc=r=44100:d=60:a=0.3"
    let encode = ["-v", "error", "-y", "-f", "lavfi", "-i", noise, "-c:a", "aac", "-b:a", "96k", minute]
    _ = try Measured.run("ffmpeg", encode, in: workspace)
    let join = ["-v", "error", "-y", "-stream_loop", "-1", "-i", minute, "-t", "\(seconds)", "-c", "copy"]
    _ = try Measured.run("ffmpeg", join + ["-movflags", "+faststart", whole], in: workspace)
    return whole
  }

  private static func compareStarts(_ url: String, at start: Int, rounds: Int, _ workspace: Workspace) throws {
    let table = Comparison(goal: "mpv", isHeadline: true)
    let options = ["--no-config", "--no-video", "--ao=sdl", "--sdl-buflen=0.01", "--ytdl=no", "--no-terminal"]
    for _ in 1...rounds {
      table.add("mpv", try untilSound("mpv", options + ["--start=\(start)", url], workspace))
      try workspace.clearLibrary()
      try follow(url, workspace)
      let play = ["play", "1", "-q", "--start", "\(start)s"]
      table.add("podcli play", try untilSound(workspace.podcli, play, workspace))
    }
    table.show()
  }

  private static func untilSound(_ program: String, _ arguments: [String], _ workspace: Workspace) throws -> Measured {
    let pipe = workspace.library + "/speaker"
    unlink(pipe)
    guard mkfifo(pipe, 0o600) == 0 else { throw Workspace.CannotWrite(path: pipe) }
    let speaker = open(pipe, O_RDWR)
    defer { close(speaker) }
    let start = ContinuousClock.now
    let pid = try Measured.spawn(
      program, arguments, home: workspace.library, output: nil,
      with: ["PODCLI_AO=sdl:sdl-buflen=0.01", "SDL_AUDIODRIVER=disk", "SDL_DISKAUDIOFILE=" + pipe])
    var samples = [UInt8](repeating: 0, count: 4096)
    var heard = false
    while !heard {
      var polled = pollfd(fd: speaker, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, 5000) > 0 else { break }
      let count = read(speaker, &samples, samples.count)
      heard = samples.prefix(max(0, count)).contains { $0 != 0 }
    }
    let elapsed = ContinuousClock.now - start
    let megabytes = Measured.peakMegabytes(of: pid)
    kill(pid, SIGKILL)
    var (status, usage) = (Int32(0), rusage())
    wait4(pid, &status, 0, &usage)
    let used = Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    return Measured(
      wall: elapsed.inSeconds, processor: used + Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec),
      peakMegabytes: megabytes, status: heard ? 0 : 1)
  }

  // MARK: Memory

  /// Plays a short and a long media file as fast as they arrive: memory may not grow with the length played.
  private static func memory(_ workspace: Workspace) throws {
    for minutes in Effort.size([5, 30], brief: [1]) {
      let server = try FeedServer(try sound(seconds: minutes * 60, workspace), delay: 0, workspace)
      defer { server.stop() }
      Report.title("memory for \(minutes) minutes from the network")
      let url = server.url("/media/1.mp3")
      let table = Comparison(goal: "mpv", isHeadline: true)
      let mpv = ["--no-config", "--no-video", "--ao=null", "--ao-null-untimed=yes", "--ytdl=no", "--no-terminal", url]
      table.add("mpv", try Measured.run("mpv", mpv, in: workspace))
      try workspace.clearLibrary()
      try follow(url, workspace)
      let play = ["play", "1", "-q", "--no-queue"]
      table.add(
        "podcli play",
        try Measured.run(workspace.podcli, play, in: workspace, with: ["PODCLI_AO=null:ao-null-untimed=yes"]))
      table.show()
    }
  }

  private static func sound(seconds: Int, _ workspace: Workspace) throws -> [UInt8] {
    let path = try workspace.write("", to: "sound.mp3")
    let source = "sine=frequency=440:sample_rate=48000:duration=\(seconds)"
    let encode = ["-v", "error", "-y", "-f", "lavfi", "-i", source, "-c:a", "libmp3lame", "-b:a", "128k", path]
    _ = try Measured.run("ffmpeg", encode, in: workspace)
    return try contents(of: path)
  }
}
