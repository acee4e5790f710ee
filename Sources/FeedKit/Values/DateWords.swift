/// The words in dates: months in the languages of Europe, names of zones, halves of the day.
enum DateWords {
  /// A word of Latin letters without accents and in lower case; others unchanged.
  static func folded(_ word: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
    var output: [UInt8] = []
    var lead: UInt8 = 0
    for byte in word {
      switch lead {
      case 0xC3, 0xC4, 0xC5:
        let table = lead == 0xC3 ? latin1 : lead == 0xC4 ? latinA : latinB
        output.append(table[Int(byte & 0x3F)])
        lead = 0
      default:
        if (0xC3...0xC5).contains(byte) { lead = byte } else { output.append(Bytes.lowercased(byte)) }
      }
    }
    return output
  }

  private static let latin1 = Array("aaaaaaaceeeeiiiidnooooo*ouuuuypsaaaaaaaceeeeiiiidnooooo/ouuuuypy".utf8)
  private static let latinA = Array("aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkkllllll".utf8) + [0x6C]
  private static let latinB = Array("lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs".utf8)

  /// The longest stem the word begins with decides: `mar` is March, `marras` the Finnish November.
  static func month(_ word: [UInt8]) -> Int? {
    guard word.count >= 3 else { return nil }
    var best: (length: Int, month: Int)?
    for (stem, month) in stems where stem.count > best?.length ?? 0 && word.starts(with: stem) {
      best = (stem.count, month)
    }
    return best?.month
  }

  private static let stems: [([UInt8], Int)] = months.enumerated().flatMap { index, line in
    line.split(separator: " ").map { (Array($0.utf8), index + 1) }
  }

  /// One line a month: English, German, French, Spanish, Italian, Portuguese, Dutch, the Nordic languages, Polish,
  /// Czech, Hungarian, Finnish, Turkish, Romanian, Russian, Ukrainian, Greek.
  private static let months = [
    "jan gen ene sty led tammi oca ian янв Янв січ Січ ιαν Ιαν",
    "feb fev lut uno unor helmi sub фев Фев лют Лют φεβ Φεβ",
    "mar mrt maart maalis mrz brez бер Бер мар Мар μαρ Μαρ μάρ Μάρ",
    "apr avr abr kwi dub huhti nis апр Апр кві Кві απρ Απρ",
    "may mai maj mei mag kve touko май Май мая Мая тра Тра μαι Μαι μαΐ Μαΐ μάι Μάι",
    "jun juin giu cze cerven cervna kesa haz iun июн Июн чер Чер ιουν Ιουν ιούν Ιούν",
    "jul juil lug lip cervenc heina tem iul июл Июл лип Лип ιουλ Ιουλ ιούλ Ιούλ",
    "aug aou ago sie srp elo agu авг Авг сер Сер αυγ Αυγ αύγ Αύγ",
    "sep set szept wrz zar syys eyl сен Сен вер Вер σεπ Σεπ",
    "oct okt out ott paz rij loka eki окт Окт жов Жов οκτ Οκτ",
    "nov lis лис Лис marras kas noi ноя Ноя νοε Νοε νοέ Νοέ",
    "dec dez des dic dek gru pro joulu ara дек Дек гру Гру δεκ Δεκ",
  ]

  static func dayHalf(_ word: [UInt8]) -> Bool? {
    switch String(decoding: word, as: UTF8.self) {
    case "am", "오전", "上午": false
    case "pm", "오후", "下午": true
    default: nil
    }
  }

  /// Minutes east of Greenwich. The one-letter zones of RFC 822 were published with the wrong sign and mean nothing.
  static func zone(_ word: [UInt8]) -> Int? {
    let name = String(decoding: word, as: UTF8.self)
    return zones[name] ?? (word.count == 1 ? 0 : nil)
  }

  private static let zones: [String: Int] = [
    "ut": 0, "utc": 0, "gmt": 0, "z": 0, "wet": 0, "est": -300, "edt": -240, "et": -300, "cst": -360, "cdt": -300,
    "ct": -360, "mst": -420, "mdt": -360, "mt": -420, "pst": -480, "pdt": -420, "pt": -480, "akst": -540, "akdt": -480,
    "hst": -600, "hast": -600, "ast": -240, "at": -240, "adt": -180, "nst": -210, "ndt": -150, "brt": -180,
    "brst": -120, "art": -180, "bst": 60, "ist": 330, "west": 60, "cet": 60, "mez": 60, "met": 60, "cest": 120,
    "mesz": 120, "mest": 120, "eet": 120, "eest": 180, "msk": 180, "msd": 240, "trt": 180, "gst": 240, "pkt": 300,
    "wib": 420, "ict": 420, "sgt": 480, "hkt": 480, "awst": 480, "jst": 540, "kst": 540, "acst": 570, "acdt": 630,
    "aest": 600, "aedt": 660, "nzst": 720, "nzdt": 780, "sast": 120, "cat": 120, "eat": 180, "wat": 60,
  ]
}
