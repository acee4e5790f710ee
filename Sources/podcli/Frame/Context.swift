import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

/// The console, the library and the journeys that a command works with.
struct Context: Sendable {
  let console: Console
  let live: Live

  /// Opens the library, runs `body`, and closes it.
  func withStore<Result: Sendable>(
    _ access: StoreAccess, _ body: (PodcastStore) async throws -> Result
  ) async throws(Failure) -> Result {
    let store = try openStore(access, on: access == .readOnly ? MainThread.executor : nil)
    if access == .readOnly { await catchUp(store) }
    let result: Result
    do throws(Failure) {
      result = try await using(store, body)
    } catch {
      // The other part of its work is done.
      if error.code == .partial { await syncAndIndex(access, store) }
      throw error
    }
    await syncAndIndex(access, store)
    await store.close()
    return result
  }

  /// After a command that may have written.
  private func syncAndIndex(_ access: StoreAccess, _ store: PodcastStore) async {
    guard access == .readWrite else { return }
    sayHowEpisodesCome(ofPodcasts: await live.syncer(store: store).runQuietly())
    await indexInBackground(store)
  }

  /// Reads what other machines wrote, before something is shown.
  private func catchUp(_ store: PodcastStore) async {
    guard (try? await store.hasSyncFolder()) == true else { return }
    sayHowEpisodesCome(
      ofPodcasts: await live.syncer(store: store).catchUp { [live] () throws(StoreError) in try live.store(.readWrite) }
    )
  }

  /// Podcasts that another machine follows came by a sync, and none of their episodes.
  func sayHowEpisodesCome(ofPodcasts count: Int) {
    guard count > 0, !console.isJSON else { return }
    console.say(
      "Followed elsewhere, and here now: \(counted(count, "podcast")); the episodes come with: podcli refresh")
  }

  /// Opens the library; the caller closes it.
  func openStore(
    _ access: StoreAccess, on executor: (any SerialExecutor)? = nil
  ) throws(Failure) -> PodcastStore {
    do throws(StoreError) { return try openLibrary(access, on: executor) } catch { throw Failure(error) }
  }

  /// The same with the library's own error.
  func openLibrary(
    _ access: StoreAccess, toleratesDamage: Bool = false, on executor: (any SerialExecutor)? = nil
  ) throws(StoreError) -> PodcastStore {
    let store = try live.store(access, toleratesDamage: toleratesDamage, on: executor)
    if store.hasLostWAL { console.say("Note: \(Self.lacksWAL), so one podcli may have to wait for another") }
    return store
  }

  static let lacksWAL = "the library's file system does not let programs share memory"

  /// Opens the library for a search, which brings the index up to date. A library that cannot be written is searched as
  /// it is indexed so far.
  func withIndexedStore<Result: Sendable>(
    _ body: (PodcastStore) async throws -> Result
  ) async throws(Failure) -> Result {
    let store: PodcastStore
    do throws(StoreError) {
      store = try live.store(.readWrite)
    } catch {
      guard error.isAboutWriting else { throw Failure(error) }
      return try await withStore(.readOnly, body)
    }
    await catchUp(store)
    let result = try await using(store, body)
    await indexInBackground(store)
    await store.close()
    return result
  }

  /// After a large import.
  func sayWhetherIndexed(_ store: PodcastStore) async throws {
    guard let percentage = try await store.indexedPercentage() else { return }
    console.say("Still indexing, \(percentage) %: other episodes may have the words too")
  }

  /// Indexes what is queued, unless another process does: then it must not start one more in the background.
  func completeIndex() async throws(Failure) {
    let store = try openStore(.readWrite)
    try await using(store) { store in try await store.indexForSearch() }
    await store.close()
  }

  /// Goes on in a process of its own where a large import has left much to index.
  private func indexInBackground(_ store: PodcastStore) async {
    if (try? await store.needsIndexing()) == true { live.startIndexing() }
  }

  /// Turns errors of the journeys into failures.
  func using<Result: Sendable>(
    _ store: PodcastStore, _ body: (PodcastStore) async throws -> Result
  ) async throws(Failure) -> Result {
    do {
      return try await body(store)
    } catch let error as StoreError {
      throw Failure(error)
    } catch let error as SelectionError {
      throw Failure(error, near: NearTitles.near)
    } catch let error as SideDocumentError {
      throw Failure(error)
    } catch let error as Failure {
      throw error
    } catch {
      throw Failure(.failed, "\(error)")
    }
  }

  func printJSON(_ document: JSON) {
    console.write(document.compact + "\n")
  }
}
