private import Glibc
import Text

/// The manners of one program, as its source has them.
package enum Personality: Sendable, CaseIterable {
  /// gpodder.net: a list for each device, addresses spelled anew, pages, no guids of clients, repeated plays dropped.
  case mygpo
  /// One list for all devices, any order, subscribes to what is played.
  case opodsync
  /// Plays only, in capitals, the last upload for each episode.
  case nextcloud
  /// The last upload for each episode, of all kinds; numbers that are null; no episode without an address.
  case podfetch

  var isPerDevice: Bool { self == .mygpo }
  /// How many actions one answer has.
  var pageSize: Int { self == .mygpo ? 40 : .max }
  package var keepsUnplayed: Bool { self != .nextcloud }

  // MARK: Addresses

  /// gpodder.net quotes a query again, whatever is quoted in it already.
  func spelled(_ url: String) -> String {
    guard self == .mygpo, let question = url.firstIndex(of: "?") else { return url }
    var spelled = String(url[...question])
    for byte in url[url.index(after: question)...].utf8 {
      let isPlain = isalnum(Int32(byte)) != 0 || "-._:&=".utf8.contains(byte)
      let hex = String(byte, radix: 16, uppercase: true)
      spelled += isPlain ? String(UnicodeScalar(byte)) : "%" + (hex.count < 2 ? "0" : "") + hex
    }
    return spelled
  }

  // MARK: Actions

  /// The seconds of an action's time; nil where this server cannot read it.
  func seconds(_ text: String) -> Int64? {
    let numbers = text.prefix(19).split { "-T:".contains($0) }.compactMap { Int32($0) }
    guard numbers.count == 6, text.utf8.count >= 19 else { return nil }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[3], numbers[4], numbers[5])
    var offset: Int64 = 0
    let rest = text.dropFirst(19)
    if let sign = rest.first, sign == "+" || sign == "-" {
      let zone = rest.dropFirst().split(separator: ":").compactMap { Int64($0) }
      guard self == .opodsync || self == .podfetch, zone.count == 2 else { return nil }
      offset = (zone[0] * 60 + zone[1]) * 60 * (sign == "-" ? -1 : 1)
    } else if !rest.isEmpty, rest != "Z", !rest.hasPrefix(".") {
      return nil
    }
    return Int64(timegm(&parts)) - offset
  }

  private func text(_ seconds: Int64) -> String {
    var (moment, parts) = (time_t(seconds), tm())
    gmtime_r(&moment, &parts)
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
      strftime(text.baseAddress!, 64, "%Y-%m-%dT%H:%M:%S", &parts)
      return String(cString: text.baseAddress!)
    }
    switch self {
    case .mygpo, .podfetch: return text
    case .opodsync: return text + "Z"
    case .nextcloud: return text + "+00:00"
    }
  }

  /// As this server answers it.
  func told(_ action: Account.Action) -> JSON {
    let absent: JSON? = self == .nextcloud ? -1 : self == .podfetch ? .null : nil
    func number(_ value: Int64?) -> JSON? { value.map { JSON($0) } ?? absent }
    return [
      "podcast": JSON(action.podcast), "episode": JSON(action.episode),
      "guid": self == .mygpo ? nil : JSON(action.guid), "device": self == .nextcloud ? nil : JSON(action.device),
      "action": JSON(self == .nextcloud ? action.kind.uppercased() : action.kind), "timestamp": JSON(text(action.time)),
      "started": number(action.started), "position": number(action.position), "total": number(action.total),
    ]
  }
}
