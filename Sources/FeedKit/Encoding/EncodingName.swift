/// An encoding by its label, as the web uses labels: `latin1` is windows-1252, `gb2312` is GB 18030.
enum Encoding: Equatable {
  case utf8
  case windows1252
  /// An encoding that `iconv` converts, by its name there.
  case other(String)

  /// Nil for unknown labels, and for UTF-7, which can hide markup.
  init?(label: String) {
    let name = String(
      decoding: label.lowercased().utf8.filter { !Bytes.isBlank($0) && $0 != 0x22 && $0 != 0x27 }, as: UTF8.self)
    let plain = String(decoding: name.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }, as: UTF8.self)
    guard let known = Self.byLabel[plain] ?? Self.numbered(plain) else { return nil }
    self = known
  }

  private static let byLabel: [String: Encoding] = [
    "utf-8": .utf8, "utf8": .utf8, "unicode-1-1-utf-8": .utf8, "us-ascii": .windows1252, "ascii": .windows1252,
    "ansi-x3.4-1968": .windows1252, "latin1": .windows1252, "latin-1": .windows1252, "l1": .windows1252,
    "iso-8859-1": .windows1252, "iso8859-1": .windows1252, "iso88591": .windows1252, "8859-1": .windows1252,
    "windows-1252": .windows1252, "cp1252": .windows1252, "cp-1252": .windows1252, "win-1252": .windows1252,
    "ansi": .windows1252, "utf-16": .other("UTF-16"), "utf16": .other("UTF-16"), "unicode": .other("UTF-16"),
    "utf-16le": .other("UTF-16LE"), "utf-16be": .other("UTF-16BE"), "ucs-2": .other("UTF-16"),
    "utf-32": .other("UTF-32"), "utf-32le": .other("UTF-32LE"), "utf-32be": .other("UTF-32BE"),
    "ucs-4": .other("UTF-32"), "iso-10646-ucs-2": .other("UTF-16"), "iso-10646-ucs-4": .other("UTF-32"),
    "shift-jis": .other("CP932"), "shiftjis": .other("CP932"), "sjis": .other("CP932"), "x-sjis": .other("CP932"),
    "windows-31j": .other("CP932"), "cp932": .other("CP932"), "ms-kanji": .other("CP932"), "ms932": .other("CP932"),
    "euc-jp": .other("EUC-JP"), "x-euc-jp": .other("EUC-JP"), "eucjp": .other("EUC-JP"),
    "iso-2022-jp": .other("ISO-2022-JP-3"), "gb2312": .other("GB18030"), "gb-2312": .other("GB18030"),
    "gb-2312-80": .other("GB18030"), "gbk": .other("GB18030"), "cp936": .other("GB18030"), "x-gbk": .other("GB18030"),
    "gb18030": .other("GB18030"), "gb-18030": .other("GB18030"), "euc-cn": .other("GB18030"),
    "big5": .other("BIG5-HKSCS"), "big-5": .other("BIG5-HKSCS"), "big5-hkscs": .other("BIG5-HKSCS"),
    "cp950": .other("BIG5-HKSCS"), "x-x-big5": .other("BIG5-HKSCS"), "euc-kr": .other("CP949"),
    "euckr": .other("CP949"), "ks-c-5601-1987": .other("CP949"), "ksc5601": .other("CP949"), "cp949": .other("CP949"),
    "windows-949": .other("CP949"), "koi8-r": .other("KOI8-R"), "koi8r": .other("KOI8-R"), "koi8": .other("KOI8-R"),
    "koi8-u": .other("KOI8-U"), "koi8-ru": .other("KOI8-U"), "latin2": .other("ISO-8859-2"),
    "latin5": .other("CP1254"), "latin9": .other("ISO-8859-15"), "iso-8859-9": .other("CP1254"),
    "tis-620": .other("CP874"), "iso-8859-11": .other("CP874"), "windows-874": .other("CP874"),
    "macintosh": .other("MACINTOSH"), "mac": .other("MACINTOSH"), "x-mac-roman": .other("MACINTOSH"),
    "macroman": .other("MACINTOSH"), "x-mac-cyrillic": .other("MAC-CYRILLIC"), "ibm866": .other("CP866"),
    "cp866": .other("CP866"), "cp850": .other("CP850"), "ibm850": .other("CP850"), "cp437": .other("CP437"),
    "ibm437": .other("CP437"), "cp037": .other("CP037"), "ibm037": .other("CP037"), "ebcdic-cp-us": .other("CP037"),
    "cp500": .other("CP500"), "ibm500": .other("CP500"), "ebcdic-cp-be": .other("CP500"), "viscii": .other("VISCII"),
  ]

  /// The families `iso-8859-N` and `windows-125N`.
  private static func numbered(_ name: String) -> Encoding? {
    for prefix in ["iso-8859-", "iso8859-"] where name.hasPrefix(prefix) {
      guard let number = Int(name.dropFirst(prefix.count)), 2...16 ~= number, number != 12 else { return nil }
      return .other("ISO-8859-\(number)")
    }
    for prefix in ["windows-", "cp", "win-", "x-cp", "cp-", "windows"] where name.hasPrefix(prefix) {
      if let number = Int(name.dropFirst(prefix.count)), 1250...1258 ~= number { return .other("CP\(number)") }
    }
    return nil
  }

  /// True when an ASCII letter has more than one byte: nothing can be read before conversion.
  var isWide: Bool {
    guard case .other(let name) = self else { return false }
    return name.hasPrefix("UTF-16") || name.hasPrefix("UTF-32")
  }

  var isEBCDIC: Bool { self == .other("CP037") || self == .other("CP500") }
}
