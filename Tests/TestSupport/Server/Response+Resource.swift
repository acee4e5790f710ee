/// A resource as in RFC 9110: validators, conditional requests, single byte ranges.
extension Response {
  struct Validators {
    let etag: String?
    let lastModified: String?
    var ranges = Ranges.honoured
  }

  /// The treatment of a Range header.
  package enum Ranges: Sendable {
    case honoured
    /// 200 with the whole body.
    case ignored
    /// 416 to every range.
    case refused
    /// 206 from a wrong offset: the bytes and the Content-Range start this much later than requested.
    case shifted(Int)
  }

  /// `etag` includes its quotes, a weak one as `W/"..."`; `lastModified` is an HTTP date. A client must send both back
  /// unchanged.
  package static func resource(
    _ bytes: [UInt8], type: String = "audio/mpeg", etag: String? = nil, lastModified: String? = nil,
    ranges: Ranges = .honoured
  ) -> Response {
    Response.ok(bytes, type: type).with {
      $0.validators = Validators(etag: etag, lastModified: lastModified, ranges: ranges)
    }
  }

  /// The response to this request: 304, 206, 416 or 200 for a resource, otherwise the response itself.
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
  /// If-None-Match takes precedence over If-Modified-Since, and compares weakly.
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

/// Parses `bytes=5-9`, `bytes=5-` or `bytes=-500`. Everything else, such as several ranges, may be ignored and is.
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

  /// Nil if no byte of the range exists.
  func bounds(in length: Int, shiftedBy shift: Int) -> Range<Int>? {
    let start = (first ?? max(0, length - (last ?? 0))) + shift
    let end = first == nil ? length : min(length - 1, last ?? length - 1) + 1
    return start < end ? start..<end : nil
  }
}
