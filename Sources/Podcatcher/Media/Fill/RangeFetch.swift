internal import Transfer

/// One range request: asks, judges the answer, hands on verified bytes with their offsets, and checks where they end.
struct RangeFetch {
  let stream: HTTPStream
  /// False when the whole file was asked for, without a range.
  let isRanged: Bool
  private let asked: Range<Int64>
  private let known: Rendition?
  private let isLenient: Bool
  private(set) var head: HTTPHead?
  /// Of the next byte.
  private var offset: Int64 = 0
  /// Where the file ends, if that is told. What a server sends behind it is no part of the file.
  private var end: Int64 = .max
  private let total: Int64?
  /// Bytes that `refusePage` looked at.
  private var first: (offset: Int64, bytes: [UInt8])?

  /// `asked` ends with `.max` where the file's end is not known. `known`: the rendition that is here, nil when any
  /// will do; `isLenient`: a whole answer that does not name its rendition is believed. About `bufferSize` bytes may
  /// wait to be taken, and are taken at once.
  init(
    _ asked: Range<Int64>, of total: Int64?, isRanged: Bool, known: Rendition?, isLenient: Bool, _ request: HTTPRequest,
    buffering bufferSize: Int, with client: HTTPClient
  ) {
    self.asked = asked
    self.total = total
    self.isRanged = isRanged
    self.known = known
    self.isLenient = isLenient
    var request = request
    if isRanged {
      let reachesEnd = asked.upperBound >= total ?? .max
      request.range = ByteRange(from: asked.lowerBound, through: reachesEnd ? nil : asked.upperBound - 1)
      if let validator = known?.validator { request.headers.append(.init("If-Range", validator)) }
    }
    stream = client.stream(request, buffering: bufferSize)
  }

  func cancel() { stream.cancel() }

  /// Waits for the answer's head.
  mutating func answer() async throws(MediaFault) -> (head: HTTPHead, verdict: AnswerVerdict) {
    let head: HTTPHead
    do { head = try await stream.head() } catch { throw .transfer(error) }
    self.head = head
    let verdict = AnswerVerdict(head, asked: isRanged ? asked.lowerBound : nil, known: known, isLenient: isLenient)
    if case .bytes(let first) = verdict { offset = first }
    end = head.rendition.total ?? (head.status == 206 ? total : nil) ?? .max
    return (head, verdict)
  }

  /// Of another file than the one that is here: throws where its first bytes are no media file. A network that asks for a
  /// login answers with a page in the server's place, and a server with an error page or nothing; what is here stays.
  mutating func refusePage() async throws(MediaFault) {
    let fault: String
    do {
      first = try await next()
      guard first == nil else { return }
      fault = FirstBytes.nothing
    } catch {
      guard case .notMedia(let reason) = error else { throw error }
      fault = reason
    }
    throw .transfer(TransferError(.badAnswer, "\(fault) came instead of the file"))
  }

  /// The next bytes; nil at the end of the answer. The first bytes of a file are held back until they show what it is.
  mutating func next() async throws(MediaFault) -> (offset: Int64, bytes: [UInt8])? {
    if let first {
      self.first = nil
      return first
    }
    guard offset < end else {
      // The connection can be used again if the answer ends here, too.
      _ = try? await stream.next()
      return nil
    }
    var bytes: [UInt8] = []
    do throws(TransferError) {
      while let more = try await stream.next() {
        if bytes.isEmpty { bytes = more } else { bytes += more }
        if offset > 0 || bytes.count >= FirstBytes.enough { break }
      }
    } catch {
      throw .transfer(error)
    }
    guard !bytes.isEmpty else { return nil }
    if bytes.count > end - offset { bytes.removeLast(bytes.count - Int(end - offset)) }
    if offset == 0, let fault = FirstBytes.fault(bytes) { throw .notMedia(fault) }
    defer { offset += Int64(bytes.count) }
    return (offset, bytes)
  }

  /// Called after the last bytes. Returns where the file ends, if nothing but the end of this answer tells it.
  func checkEnd(total: Int64?, acceptsUnprovenEnd: Bool) throws(MediaFault) -> (total: Int64, isProven: Bool)? {
    let isPartial = head?.status == 206
    guard offset > 0 || isPartial else { throw .notMedia(FirstBytes.nothing) }
    if total == nil, !isPartial || acceptsUnprovenEnd && asked.upperBound == .max {
      return (offset, head?.marksItsEnd ?? false)
    }
    // Some servers give less at once than was asked for; what is missing is asked for next.
    let goal = isPartial ? asked.lowerBound + 1 : total ?? 0
    guard offset >= goal else { throw .transfer(TransferError(.cut, "\(offset) of \(goal) bytes came")) }
    return nil
  }
}
