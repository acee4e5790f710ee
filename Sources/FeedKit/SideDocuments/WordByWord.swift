internal import PodcastModel

/// Times of words: inside a passage, or of passages that are a word each.
enum WordByWord {
  /// The words of a text, which blanks part.
  static func count(_ text: String) -> Int { text.utf8.split(separator: UInt8(ascii: " ")).count }

  /// When each word of a cue is said; empty where nothing inside has a time.
  static func starts(_ voice: WebVTTText.Voice, from start: Double) -> [Double] {
    guard !voice.times.isEmpty else { return [] }
    var (last, later) = (start, voice.times[...])
    return (0..<count(voice.text)).map { word in
      while let next = later.first, next.word <= word { last = later.removeFirst().seconds }
      return last
    }
  }

  private static let longest = 5.0
  /// Bytes that are more than a sentence.
  private static let largest = 2000

  /// Where most passages are one word, joins one speaker's words up to the end of a sentence or five seconds.
  static func joined(_ segments: [TranscriptSegment]) -> [TranscriptSegment] {
    guard segments.count >= 8, segments.count(where: { !$0.text.contains(" ") }) * 4 >= segments.count * 3 else {
      return segments
    }
    var output: [TranscriptSegment] = []
    for segment in segments.map(timed) {
      guard let last = output.last, last.speaker == segment.speaker, !endsSentence(last.text), fits(segment, last)
      else {
        output.append(segment)
        continue
      }
      output[output.count - 1].append(segment, isWord: segment.text.first?.isPunctuation != true)
    }
    return output
  }

  /// Each of its words begins with it.
  private static func timed(_ segment: TranscriptSegment) -> TranscriptSegment {
    var segment = segment
    if let start = segment.start, segment.wordStarts.isEmpty {
      segment.wordStarts = Array(repeating: start, count: count(segment.text))
    }
    return segment
  }

  private static func endsSentence(_ text: String) -> Bool { text.last.map { ".?!…".contains($0) } ?? false }

  private static func fits(_ segment: TranscriptSegment, _ last: TranscriptSegment) -> Bool {
    guard last.text.utf8.count < largest else { return false }
    guard let start = last.start, let end = segment.end ?? segment.start else { return last.text.utf8.count < 80 }
    return end - start <= longest
  }
}

extension TranscriptSegment {
  /// Adds what is said next, which without `isWord` ends the last word.
  fileprivate mutating func append(_ next: TranscriptSegment, isWord: Bool) {
    let isTimed = !wordStarts.isEmpty && !next.wordStarts.isEmpty
    wordStarts = isTimed ? wordStarts + next.wordStarts.dropFirst(isWord ? 0 : 1) : []
    text += (isWord ? " " : "") + next.text
    end = next.end ?? end
  }
}
