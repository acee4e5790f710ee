/// A resource as RFC 9110 has it: validators, conditional requests, single byte ranges.
extension Response {
  struct Validators {
    let etag: String?
    let lastModified: String?
    var ranges = Ranges.honoured
  }

  /// What becomes of a Range header.
  package enum Ranges: Sendable {
    case honoured
    /// 200 with everything.
    case ignored
    /// 416 to every one of them.
    case refused
    /// 206 from the wrong place: the bytes and the Content-Range start this much later than asked.
    case shifted(Int)
  }

  /// `etag` with its quotes, weak ones as `W/"..."`; `lastModified` as an HTTP date. A client is expected to send both
  /// back exactly as it was given them.
  package static func resource(
    _ bytes: [UInt8], type: String = "audio/mpeg", etag: String? = nil, lastModified: String? = nil,
    ranges: Ranges = .honoured
  ) -> Response {
    Response.ok(bytes, type: type).with {
      $0.validators = Validators(etag: etag, lastModified: lastModified, ranges: ranges)
    }
  }

  /// The response that this request gets: for a resource, 304, 206, 416 or 200; for all others the response itself.
  package func answering(_ request: Request) -> Response {
    guard let validators, status == 200, case .bytes(let bytes) = body else { return self }
    let response = with {
      if let etag = validators.etag { $0.headers.append(("ETag", etag)) }
      if let date = validators.lastModified { $0.headers.append(("Last-Modified", date)) }
    }
    if validators.areCurrent(in: request) { return response.notModified() }
    return response.ranged(request, of: bytes, validators)
  }

  private func notModified() -> Response {
    with {
      $0.status = 304
      $0.body = .bytes([])
    }
  }

  private func ranged(_ request: Request, of bytes: ArraySlice<UInt8>, _ validators: Validators) -> Response {
    if case .ignored = validators.ranges { return self }
    let whole = header("Accept-Ranges", "bytes")
    guard request.method == "GET", let text = request.header("Range"), validators.permitRange(in: request),
      let range = ByteRange(text)
    else { return whole }

    if case .refused = validators.ranges { return whole.unsatisfiable(length: bytes.count) }
    var shift = 0
    if case .shifted(let by) = validators.ranges { shift = by }
    guard let bounds = range.bounds(in: bytes.count, shiftedBy: shift) else {
      return whole.unsatisfiable(length: bytes.count)
    }
    return whole.with {
      $0.status = 206
      $0.body = .bytes(bytes.dropFirst(bounds.lowerBound).prefix(bounds.count))
      $0.headers.append(("Content-Range", "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/\(bytes.count)"))
    }
  }

  private func unsatisfiable(length: Int) -> Response {
    with {
      $0.status = 416
      $0.body = .bytes([])
      $0.headers.append(("Content-Range", "bytes */\(length)"))
    }
  }
}

extension Response.Validators {
  /// If-None-Match wins over If-Modified-Since, and compares weakly.
  func areCurrent(in request: Request) -> Bool {
    if let known = request.header("If-None-Match") {
      guard let etag else { return false }
      let tags = known.split(separator: ",").map { weak($0.trimmingBlanks) }
      return tags.contains("*") || tags.contains(weak(etag))
    }
    return lastModified != nil && request.header("If-Modified-Since") == lastModified
  }

  /// If-Range compares strongly: a weak tag never matches.
  func permitRange(in request: Request) -> Bool {
    guard let condition = request.header("If-Range") else { return true }
    let isWeak = condition.hasPrefix("W/")
    return !isWeak && (condition == etag || condition == lastModified)
  }

  private func weak(_ tag: String) -> String { tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag }
}

extension Substring {
  fileprivate var trimmingBlanks: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}

/// `bytes=5-9`, `bytes=5-` or `bytes=-500`. Anything else, several ranges among it, may be ignored and is.
private struct ByteRange {
  private let first: Int?
  private let last: Int?

  init?(_ text: String) {
    guard text.hasPrefix("bytes=") else { return nil }
    let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2 else { return nil }
    first = Int(ends[0])
    last = Int(ends[1])
    let isMalformed = (first == nil && !ends[0].isEmpty) || (last == nil && !ends[1].isEmpty)
    if isMalformed || (first == nil && last == nil) { return nil }
    if let first, let last, last < first { return nil }
  }

  /// Nil where nothing of the range exists.
  func bounds(in length: Int, shiftedBy shift: Int) -> Range<Int>? {
    let start = (first ?? max(0, length - (last ?? 0))) + shift
    let end = first == nil ? length : min(length - 1, last ?? length - 1) + 1
    return start < end ? start..<end : nil
  }
}
