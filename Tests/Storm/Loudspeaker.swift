private import Glibc
internal import TestSupport

/// An audio device that knows the position it plays: each sample of the media file encodes its position.
final class Loudspeaker: Sendable {
  struct Moment {
    /// In seconds of the monotonic clock.
    var moment: Double
    /// In seconds of the media file.
    var position: Double
  }

  static let sampleRate = 8000
  /// The sample value of the first hundredth of a second; each further hundredth is one higher.
  private static let lowest = -32_000
  /// Higher values are not from the media file but silence around a seek.
  private static let quietest: Float = -900 / 32_768

  let path: String
  private let pipe: Int32
  private let moments = Observed<[Moment]>([])
  private let reads = Observed(0)

  init(_ path: String) throws {
    self.path = path
    guard mkfifo(path, 0o600) == 0 else { stop("cannot make \(path)") }
    // Opened for writing too, so that the pipe outlives each of its writers.
    pipe = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    let (pipe, moments, reads) = (pipe, moments, reads)
    Thread.start {
      var bytes = [Float](repeating: 0, count: 65_536)
      while true {
        var readable = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
        _ = poll(&readable, 1, -1)
        let count = read(pipe, &bytes, bytes.count * MemoryLayout<Float>.size) / MemoryLayout<Float>.size
        let now = Monotonic.seconds
        let heard = bytes[..<max(0, count)].last { $0 < Self.quietest }.map(Self.position)
        if let heard { moments.update { $0.append(Moment(moment: now, position: heard)) } }
        reads.update { $0 += 1 }
      }
    }
  }

  /// With them SDL writes its samples there.
  var variables: [String: String] {
    ["PODCLI_AO": "sdl:sdl-buflen=0.01", "SDL_AUDIODRIVER": "disk", "SDL_DISKAUDIOFILE": path]
  }

  /// A mono WAV file with 16 bits at a low rate. No sample is 0, the value of silence.
  static func media(seconds: Int) -> [UInt8] {
    precondition(seconds <= 310)
    var samples: [Int16] = []
    samples.reserveCapacity(seconds * sampleRate)
    for hundredth in 0..<seconds * 100 {
      samples += repeatElement(Int16(lowest + hundredth), count: sampleRate / 100)
    }
    return WAV.file(samples, sampleRate: sampleRate)
  }

  private static func position(_ sample: Float) -> Double {
    Double(Int((sample * 32_768).rounded()) - lowest) / 100
  }

  var heard: [Moment] { moments.value }
  func forget() { moments.update { $0 = [] } }

  func waitForSound() async throws { try await moments.wait(for: "sound") { !$0.isEmpty } }

  /// Waits until the pipe is empty.
  func drain() {
    var left: Int32 = 1
    while ioctl(pipe, UInt(FIONREAD), &left) == 0, left > 0 { _ = poll(nil, 0, 2) }
    _ = poll(nil, 0, 5)
  }
}

enum Thread {
  static func start(_ work: @escaping @Sendable () -> Void) {
    final class Box {
      let work: @Sendable () -> Void
      init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
    var thread = pthread_t()
    let context = Unmanaged.passRetained(Box(work)).toOpaque()
    let code = pthread_create(
      &thread, nil,
      { context in
        Unmanaged<Box>.fromOpaque(context!).takeRetainedValue().work()
        return nil
      }, context)
    if code != 0 { stop("the system gives no thread") }
    pthread_detach(thread)
  }
}
