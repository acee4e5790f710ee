import Glibc
import Playback
import PodcastModel
import TestSupport
import Testing

@testable import Podcatcher

/// A sound that tells its own time: its pitch rises all the time.
enum RisingSound {
  static let seconds = 240.0

  /// On the left a pitch that rises by 20 Hz a second; on the right now noise, now nothing, so that the frames differ.
  static func encoded(_ options: [String], as ending: String = "mp3") async throws -> [UInt8] {
    let home = try TemporaryHome()
    let left = "0.5*sin(2*PI*(300*t+10*t*t))"
    let right = "0.3*(random(0)-0.5)*lt(mod(t\\,70)\\,40)"
    let source = "aevalsrc=\(left)|\(right):s=32000:d=\(seconds)"
    let target = home.path + "/sound." + ending
    let arguments = ["-nostdin", "-v", "error", "-f", "lavfi", "-i", source] + options + ["-bitexact", target]
    let ended = try await Program("ffmpeg", arguments, environment: home.environment).run()
    guard ended.status == .exited(0) else { throw Overdue("ffmpeg", seen: ended.description) }
    return try contents(of: target)
  }

  /// By how often the left side of what was heard crosses zero in a fifth of a second.
  static func moment(_ wave: [UInt8]) throws -> Double {
    let data = try #require(wave.firstIndex(ofWord: "data")) + 8
    let (channels, rate, width) = (Int(wave[22]), Int(wave[24]) | Int(wave[25]) << 8, Int(wave[34]) / 8)
    let (skipped, count) = (rate / 5, rate / 5)
    try #require(wave.count >= data + (skipped + count) * channels * width)
    // The sign is in the last byte of a sample, be it a float or an integer.
    let signs = (0..<count).map { wave[data + ((skipped + $0) * channels + 1) * width - 1] >> 7 }
    let crossings = zip(signs, signs.dropFirst()).count { $0 != $1 }
    let pitch = Double(crossings) / 2 / (Double(count) / Double(rate))
    // In the middle of what was looked at it was this moment.
    return (pitch - 300) / 20 - 0.3
  }
}

extension OneEpisode {
  /// When it really was, in seconds.
  func hear(_ media: OpenedMedia, from start: Duration) async throws -> Double {
    let output = home.path + "/heard.wav"
    let player = Player(audioOutput: "pcm:ao-pcm-file=" + output)
    let events = player.events()
    player.load(media, from: start)
    for await event in events {
      if case .position(_, let position) = event, position - start > .seconds(1) { player.stop() }
      if case .ended = event { break }
    }
    player.close()
    for await event in events { if case .closed = event { break } }
    return try RisingSound.moment(try contents(of: output))
  }
}

extension Player {
  fileprivate func load(_ media: OpenedMedia, from start: Duration) {
    _ = try? load(media.source, media.options(from: start))
  }
}

extension [UInt8] {
  fileprivate func firstIndex(ofWord word: String) -> Int? {
    indices.first { self[$0...].starts(with: word.utf8) }
  }
}
