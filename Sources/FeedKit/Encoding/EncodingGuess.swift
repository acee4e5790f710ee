/// Guesses the encoding of unlabelled bytes from a sample that begins with the first byte beyond ASCII. Pairs of high
/// bytes are East Asian, runs of them Cyrillic, single ones Western.
struct EncodingGuess {
  private let sample: [UInt8]
  private var highBytes = 0
  private var highNeighbours = 0
  /// Characters of several bytes, those that are none in UTF-8, and of these the ones that lack their last bytes.
  private var (long, broken, cut) = (0, 0, 0)

  init(_ sample: [UInt8]) {
    self.sample = sample
    for (index, byte) in sample.enumerated() where byte >= 0x80 {
      highBytes += 1
      if index > 0, sample[index - 1] >= 0x80 { highNeighbours += 1 }
    }
    countCharacters()
  }

  /// Too few bytes beyond ASCII to tell one encoding from another.
  var isMostlyASCII: Bool { highBytes <= 20 }

  /// True when there are at least twice as many valid characters of several bytes as invalid ones, or when all that is
  /// invalid are characters that were cut.
  var isUTF8: Bool { broken == cut || long >= broken * 2 }

  /// Whether there is a valid character of several bytes.
  var hasLongCharacters: Bool { long > 0 }

  /// Whether many high bytes stand beside another. Western accented letters stand alone between ASCII letters.
  var hasRuns: Bool { highBytes > 0 && highNeighbours * 5 >= highBytes * 2 }

  private mutating func countCharacters() {
    sample.withUnsafeBufferPointer { bytes in
      var index = 0
      while index < bytes.count {
        guard bytes[index] >= 0x80 else {
          index += 1
          continue
        }
        switch UTF8Scan.character(bytes, at: index) {
        case .valid(let length):
          long += 1
          index += length
        case .invalid(let length):
          broken += 1
          if length > 1 { cut += 1 }
          index += length
        case .cut: return
        }
      }
    }
  }

  var encoding: Encoding {
    if isUTF8 { return .utf8 }
    guard hasRuns else { return .windows1252 }
    return eastAsian ?? (isInLatinWords ? .windows1252 : alphabetic)
  }

  /// True where runs of high bytes are short, and most stand beside a letter of ASCII: `Grüße`. Some write Cyrillic words
  /// with a Latin `i`.
  private var isInLatinWords: Bool {
    var (runs, inside) = (0, 0)
    for run in sample.split(whereSeparator: { $0 < 0x80 }) {
      let isBehind = run.startIndex > 0 && Bytes.isLetter(sample[run.startIndex - 1])
      runs += 1
      if isBehind || run.endIndex < sample.count && Bytes.isLetter(sample[run.endIndex]) { inside += 1 }
    }
    return inside * 2 > runs && highBytes * 2 < runs * 5
  }

  /// Encodings with one byte a letter, by the range of their letters in the upper half.
  private var alphabetic: Encoding {
    if share(of: 0xA1...0xBF) > 0.2 { return .other("CP874") }
    if share(of: 0xC0...0xDF) < 0.03, share(of: 0xFB...0xFF) < 0.01, highBytes > 20 { return .other("CP1255") }
    if share(of: 0xDC...0xDF) > 0.05, share(of: 0xC0...0xDB) < 0.12 { return .other("CP1253") }
    return cyrillic
  }

  private func share(of range: ClosedRange<UInt8>) -> Double {
    Double(sample.count { range ~= $0 }) / Double(max(1, highBytes))
  }

  private var cyrillic: Encoding {
    // Small letters are more frequent; the two encodings have them in different ranges.
    let upperHalf = sample.count { $0 >= 0xE0 }
    let lowerHalf = sample.count { 0xC0..<0xE0 ~= $0 }
    return .other(upperHalf >= lowerHalf ? "CP1251" : "KOI8-R")
  }

  private var eastAsian: Encoding? {
    let shiftJIS = pairs {
      0x81...0x9F ~= $0 || 0xE0...0xFC ~= $0
    } trail: {
      0x40...0xFC ~= $0 && $0 != 0x7F
    }
    if shiftJIS.isPlausible, shiftJIS.share(of: 0x82...0x83) > 0.15 { return .other("CP932") }
    let euc = pairs {
      0xA1...0xFE ~= $0
    } trail: {
      0xA1...0xFE ~= $0
    }
    if euc.isPlausible {
      if euc.share(of: 0xA4...0xA5) > 0.15 { return .other("EUC-JP") }
      return .other(euc.share(of: 0xB0...0xC8) > 0.8 ? "CP949" : "GB18030")
    }
    let big5 = pairs {
      0xA1...0xF9 ~= $0
    } trail: {
      0x40...0x7E ~= $0 || 0xA1...0xFE ~= $0
    }
    if big5.isPlausible, big5.share(of: 0xA1...0xC6) > 0.8 { return .other("BIG5-HKSCS") }
    let gbk = pairs {
      0x81...0xFE ~= $0
    } trail: {
      0x40...0xFE ~= $0 && $0 != 0x7F
    }
    return gbk.isPlausible && gbk.share(of: 0xB0...0xD7) > 0.5 ? .other("GB18030") : nil
  }

  private struct Pairs {
    var leads: [UInt8] = []
    var strays = 0

    var isPlausible: Bool { leads.count >= 4 && strays * 20 <= leads.count }

    func share(of range: ClosedRange<UInt8>) -> Double {
      Double(leads.count { range ~= $0 }) / Double(max(1, leads.count))
    }
  }

  private func pairs(lead: (UInt8) -> Bool, trail: (UInt8) -> Bool) -> Pairs {
    var pairs = Pairs()
    var index = 0
    while index < sample.count {
      if sample[index] < 0x80 {
        index += 1
      } else if lead(sample[index]), index + 1 < sample.count, trail(sample[index + 1]) {
        pairs.leads.append(sample[index])
        index += 2
      } else {
        // The sample may have been cut between the two.
        if index + 1 < sample.count { pairs.strays += 1 }
        index += 1
      }
    }
    return pairs
  }
}
