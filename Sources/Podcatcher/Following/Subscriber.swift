private import Glibc
private import PodcastModel
package import PodcastStore

/// The journey from an address to a podcast in the library.
package struct Subscriber: Sendable {
  private let store: PodcastStore
  private let reader: FeedReader

  package init(store: PodcastStore, reader: FeedReader) {
    self.store = store
    self.reader = reader
  }

  package struct Options: Sendable {
    package var title: String?
    package var tags: [String] = []
    package var isPrivate = false

    package init() {}
  }

  package func subscribe(to text: String, _ options: Options = Options()) async throws(FollowError) -> MergeResult {
    guard let address = FeedAddress(text, isFile: Self.localFile) else { throw .notAnAddress(text) }
    switch address {
    case .file(let path):
      let address = "file://" + path
      let feed = try FeedFile.feed(path, baseURL: address)
      do {
        return try await store.subscribe(to: feed, at: address, ownTitle: options.title, tags: options.tags)
      } catch {
        throw .store(error)
      }
    case .web(let url):
      let found = try await reader.fetch(FeedQuestion(url))
      do {
        return try await store.subscribe(
          to: found.feed, at: found.address, validators: found.validators,
          ownTitle: options.title, tags: options.tags, isPrivate: options.isPrivate)
      } catch {
        throw .store(error)
      }
    }
  }

  /// The absolute path of a regular file; nil when there is none.
  package static func localFile(_ text: String) -> String? {
    let path = text.hasPrefix("file://") ? PercentCoding.decoded(text.dropFirst("file://".count)) : text
    guard !path.utf8.contains(0), let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    var status = stat()
    guard stat(resolved, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return String(cString: resolved)
  }
}
