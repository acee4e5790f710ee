/// Sound as libmpv's audio filters.
extension Sound {
  /// libmpv's chain of audio filters. Labels let each be found again.
  func filterChain(_ correction: SoundCorrection = SoundCorrection()) -> String {
    var filters: [String] = []
    let cuts = trim.cuts(in: correction.pauses ?? [])
    if !cuts.isEmpty { filters.append("@cuts:lavfi=[\(CutExpression.filters(cuts))]") }
    if correction.mapped < .infinity, let silence = trim.silence {
      filters.append("@silence:lavfi=[silencedetect=n=\(silence.threshold)dB:d=\(silence.shortest)]")
    }
    if !correction.levels.isEmpty, !boost {
      filters.append("@level:lavfi=[volume=eval=frame:volume='\(LevelExpression.text(correction.levels))']")
    }
    if isMono { filters.append("@mono:lavfi=[\(Self.oneChannel)]") }
    if boost {
      filters.append(
        "@boost:lavfi=[acompressor=threshold=0.1:ratio=4:attack=5:release=100:makeup=3,alimiter=limit=0.95]")
    }
    let loudness = boost ? [] : Self.loudness(correction)
    if !loudness.isEmpty { filters.append("@loudness:lavfi=[\(loudness.joined(separator: ","))]") }
    // libmpv's own is silent beyond a speed of 4. At the media file's own speed it would be work for nothing, unless
    // silence goes by faster for want of a map. Without it the samples have its format all the same: so the device stays open as it is
    // when the speed changes.
    let isSpedUp = speed != 1 || (trim != .off && correction.mapped < .infinity)
    guard isSpedUp else { return (filters + ["format=format=float"]).joined(separator: ",") }
    if correction.hasEqualChannels, !isMono {
      // Half the work. The device stays open with two channels.
      filters += ["@one:lavfi=[pan=mono|c0=c0]", Self.tempo, "@both:lavfi=[pan=stereo|c0=c0|c1=c0]"]
    } else {
      filters.append(Self.tempo)
    }
    return filters.joined(separator: ",")
  }

  /// In the chain, where each file has its own: libmpv's volume reaches the end of the file before, too.
  private static func loudness(_ correction: SoundCorrection) -> [String] {
    func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
    var filters: [String] = []
    if let ceiling = correction.ceiling {
      filters.append("alimiter=limit=\(rounded(ceiling)):attack=5:release=50:level=disabled")
    }
    if let gain = correction.gain { filters.append("volume=volume=\(rounded(gain))dB") }
    return filters
  }

  /// Through silence, at most.
  static let fastest = 8.0

  /// As loud as two: without the limit, floats of two equal channels add up to 3 dB more. More than two become two first.
  private static let oneChannel =
    "aformat=channel_layouts=mono|stereo,aresample=rematrix_maxval=1,aformat=channel_layouts=mono"

  /// A window and a search as long as each other: a quarter less is computed than with libmpv's own 30 and 20 ms.
  private static let tempo = "scaletempo2=max-speed=\(fastest):search-interval=20:window-size=20"
}

extension Sound.Trim {
  struct Silence {
    /// Decibels below full scale.
    var threshold: Int
    /// Seconds.
    var shortest: Double
    /// How much faster it goes by.
    var factor: Double
  }

  /// The most that trimming saves in a pause of so many seconds: the detector leaves the first part of it as it is.
  package func mostSaved(inPause seconds: Double) -> Double {
    silence.map { Swift.max(0, seconds - $0.shortest) * (1 - 1 / $0.factor) } ?? 0
  }

  var silence: Silence? {
    switch self {
    case .off: nil
    case .mild: Silence(threshold: -45, shortest: 0.6, factor: 2)
    case .medium: Silence(threshold: -42, shortest: 0.4, factor: 3)
    case .max: Silence(threshold: -38, shortest: 0.25, factor: 3.5)
    }
  }
}
