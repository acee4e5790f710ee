import Dispatch
import Glibc
import PodcastModel
import PodcastStore
import Podcatcher

/// A library with a few episodes, in a folder of its own.
enum SmallLibrary {
  static let folder: String = {
    var template = Array(((getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp") + "/podcli-fuzz.XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { fatalError("no folder for a library") }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }()

  private static let store: PodcastStore = {
    do {
      let store = try PodcastStore(path: folder + "/library.db")
      wait { try await fill(store) }
      return store
    } catch {
      fatalError("no library: \(error)")
    }
  }()

  private static func fill(_ store: PodcastStore) async throws {
    for (number, title) in ["Late Night", "Über Größe", "深夜ラジオ"].enumerated() {
      var feed = Feed()
      feed.title = title
      feed.episodes = (1...4).map { episode in
        var entry = FeedEpisode()
        entry.guid = "guid-\(number)-\(episode)"
        entry.title = "\(title) \(episode): the cat’s \"notes\" AND more"
        entry.description = "<p>Words NEAR others, 100% OR nothing</p>"
        entry.publishedAt = Timestamp(seconds: Int64(episode) * 86_400)
        entry.enclosure = Enclosure(url: "https://example.org/\(number)/\(episode).mp3")
        return entry
      }
      _ = try await store.subscribe(to: feed, at: "https://example.org/\(number)")
    }
  }

  /// Every question must have an answer: an error is a finding.
  static func ask(_ question: @escaping @Sendable (PodcastStore) async throws(StoreError) -> Void) {
    let store = store
    wait { try await question(store) }
  }

  /// Whatever is in the folder, the library stays whole.
  static func sync(through shared: String) {
    let (store, folder) = (store, folder)
    wait {
      guard let paths = Paths(environment: Environment { $0 == "PODCLI_HOME" ? folder : nil }) else { return }
      let syncer = Live(paths: paths, audioOutput: "null").syncer(store: store)
      if try await syncer.status().folder == nil { try await syncer.setFolder(shared) }
      _ = try await syncer.run()
      let problems = try await store.problems(.quick)
      insist(problems.isEmpty, "\(problems)")
    }
  }

  /// Blocks the calling thread until the work is done: libFuzzer calls synchronously, and not on a thread of the
  /// cooperative pool.
  private static func wait(_ work: @escaping @Sendable () async throws -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task {
      do { try await work() } catch { fatalError("\(error)") }
      done.signal()
    }
    done.wait()
  }
}
