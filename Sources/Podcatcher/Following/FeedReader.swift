package import FeedKit
private import Glibc
package import PodcastModel
package import PodcastStore
package import Transfer

/// Fetches a feed and parses it while it arrives.
package struct FeedReader: Sendable {
  private let client: @Sendable () throws(TransferError) -> HTTPClient

  package init(client: @escaping @Sendable () throws(TransferError) -> HTTPClient) {
    self.client = client
  }

  /// A feed, and where and with which promises it was found.
  package struct Document: Sendable {
    package var feed: Feed
    /// The address to remember: the new one only after a move for good.
    package var url: String
    package var etag: String?
    package var lastModified: String?
  }

  package func read(_ address: FeedAddress) async throws(FollowError) -> Document {
    switch address {
    case .web(let url): try await fetch(HTTPRequest(url: url))
    case .file(let path): try readFile(path)
    }
  }

  package func fetch(_ request: HTTPRequest) async throws(FollowError) -> Document {
    do {
      let stream = try client().stream(request)
      let head = try await stream.head()
      guard head.status == 200 else {
        stream.cancel()
        throw FollowError.status(head.status)
      }
      let feed = try await parse(stream, head)
      return document(feed, head, asked: request.url)
    } catch let error as TransferError {
      throw .transfer(error)
    } catch let error as FeedError {
      throw .feed(error)
    } catch let error as FollowError {
      throw error
    } catch {
      throw .transfer(.cancelled)
    }
  }

  private func parse(_ stream: HTTPStream, _ head: HTTPHead) async throws -> Feed {
    do {
      let parser = try FeedParser(baseURL: head.url, charset: head.charset)
      while let chunk = try await stream.next() { try chunk.withUnsafeBytes(parser.parse) }
      return try parser.finish()
    } catch {
      stream.cancel()
      throw error
    }
  }

  private func document(_ feed: Feed, _ head: HTTPHead, asked: String) -> Document {
    var document = Document(feed: feed, url: head.movedForGood ? head.url : asked)
    // Half a feed must be asked for again, whole.
    guard !feed.isIncomplete else { return document }
    document.etag = head["etag"]
    document.lastModified = head["last-modified"]
    return document
  }

  private func readFile(_ path: String) throws(FollowError) -> Document {
    let descriptor = path == "-" ? dup(0) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file(path, String(cString: strerror(errno))) }
    defer { close(descriptor) }
    do {
      let parser = try FeedParser(baseURL: "file://" + path, charset: nil)
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      while true {
        let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw FollowError.file(path, String(cString: strerror(errno))) }
        if count == 0 { break }
        try buffer.withUnsafeBytes { try parser.parse(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      }
      return Document(feed: try parser.finish(), url: "file://" + path)
    } catch let error as FeedError {
      throw .feed(error)
    } catch let error as FollowError {
      throw error
    } catch {
      throw .file(path, "unreadable")
    }
  }
}

/// Why a feed cannot be followed.
package enum FollowError: Error, Sendable {
  case transfer(TransferError)
  case status(Int)
  case feed(FeedError)
  case file(String, String)
  case notAnAddress(String)
  case store(StoreError)
}

extension HTTPHead {
  /// Of `text/xml; charset=utf-8`.
  fileprivate var charset: String? {
    let parameters = self["content-type"]?.split(separator: ";").dropFirst() ?? []
    for parameter in parameters {
      let pair = parameter.split(separator: "=", maxSplits: 1).map { String($0).trimmingBlanks() }
      guard pair.count == 2, pair[0].lowercased() == "charset" else { continue }
      return pair[1].filter { $0 != "\"" && $0 != "'" }
    }
    return nil
  }
}
