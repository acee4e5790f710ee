/// Finds the stretches that two renditions share, frame for frame. Pure.
enum FrameAlignment {
  /// Equal frames in a row that count: about a second.
  private static let leastFrames = 40

  static func map(from oldPrint: FramePrint, to newPrint: FramePrint) -> RenditionMap {
    let (old, new) = (Line(oldPrint), Line(newPrint))
    var runs: [Run] = []
    let places = seeds(of: new)
    old.forEachGram { index, gram in
      guard let place = places[gram], place >= 0 else { return }
      if let last = runs.last, last.old.contains(index), last.new + index - last.old.lowerBound == place { return }
      let run = grown(from: index, place, old, new)
      if run.old.count >= leastFrames { runs.append(run) }
    }
    let pieces = RenditionMap.rising(runs.flatMap { split($0, old, new) })
    return RenditionMap(pieces, oldHas: oldPrint.known, newHas: newPrint.known)
  }

  private struct Run {
    var old: Range<Int>
    /// Where it begins.
    var new: Int
  }

  /// Where each gram stands; -1 for one that stands in several places.
  private static func seeds(of line: Line) -> [UInt64: Int] {
    var seeds: [UInt64: Int] = [:]
    line.forEachGram { index, gram in seeds[gram] = seeds[gram] == nil ? index : -1 }
    return seeds
  }

  private static func grown(from index: Int, _ place: Int, _ old: Line, _ new: Line) -> Run {
    var (start, end) = (0, 0)
    while index + start > 0, place + start > 0, old.checks[index + start - 1] == new.checks[place + start - 1] {
      start -= 1
    }
    while index + end < old.checks.count, place + end < new.checks.count,
      old.checks[index + end] == new.checks[place + end]
    {
      end += 1
    }
    return Run(old: index + start..<index + end, new: place + start)
  }

  /// A run is of one piece unless frames of different lengths are in it.
  private static func split(_ run: Run, _ old: Line, _ new: Line) -> [RenditionMap.Piece] {
    var pieces: [RenditionMap.Piece] = []
    var index = run.old.lowerBound
    while index < run.old.upperBound {
      let place = run.new + index - run.old.lowerBound
      let end = min(run.old.upperBound, old.end(ofStretchWith: index), index + new.end(ofStretchWith: place) - place)
      pieces.append(
        RenditionMap.Piece(old: old.seconds(at: index)..<old.seconds(behind: end - 1), new: new.seconds(at: place)))
      index = end
    }
    return pieces
  }
}

/// All frames of a print in one row.
private struct Line {
  private(set) var checks: [UInt8] = []
  private var starts: [Int] = []
  private let print: FramePrint

  init(_ print: FramePrint) {
    self.print = print
    for stretch in print.stretches {
      starts.append(checks.count)
      checks += stretch.checks
    }
  }

  /// Each eight frames in a row that may be looked up, with the index of the first.
  func forEachGram(_ body: (Int, UInt64) -> Void) {
    var gram: UInt64 = 0
    for (index, check) in checks.enumerated() {
      gram = gram << 8 | UInt64(check)
      if index >= 7, Self.isChosen(gram) { body(index - 7, gram) }
    }
  }

  /// One in eight, by its bits: the same ones in each rendition.
  private static func isChosen(_ gram: UInt64) -> Bool {
    // Silence has many equal frames.
    let isUniform = gram == (gram & 0xFF) &* 0x0101_0101_0101_0101
    return (gram &* 0x9E37_79B9_7F4A_7C15) >> 61 == 0 && !isUniform
  }

  /// The index behind the last frame of the stretch that this one is of.
  func end(ofStretchWith index: Int) -> Int {
    let stretch = stretch(with: index)
    return starts[stretch] + print.stretches[stretch].checks.count
  }

  /// Where the frame begins.
  func seconds(at index: Int) -> Double {
    let stretch = stretch(with: index)
    let (line, offset) = (print.stretches[stretch], Int64(index - starts[stretch]))
    return print.seconds(line.start + offset * line.frame)
  }

  /// Where the frame ends.
  func seconds(behind index: Int) -> Double {
    let frame = print.stretches[stretch(with: index)].frame
    return seconds(at: index) + Double(frame) / Double(MP3Point.ticksPerSecond)
  }

  private func stretch(with index: Int) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= index { low = middle } else { high = middle }
    }
    return low
  }
}
