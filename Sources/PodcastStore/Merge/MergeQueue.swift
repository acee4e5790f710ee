internal import Synchronization

/// Jobs that wait for the library. The first caller on the store's actor runs all of them, so that many small feeds share
/// a transaction.
final class MergeQueue: Sendable {
  private let waiting = Mutex<[MergeJob]>([])

  func add(_ job: MergeJob) { waiting.withLock { $0.append(job) } }

  private func takeAll() -> [MergeJob] {
    waiting.withLock { jobs in
      defer { jobs = [] }
      return jobs
    }
  }

  /// Runs every waiting job to its outcome.
  func runAll(in library: OpenLibrary) {
    var jobs = takeAll()[...]
    while !jobs.isEmpty {
      let group = jobs.prefix(Self.jobsPerGroup)
      jobs = jobs.dropFirst(group.count)
      run(Array(group), in: library)
    }
    // Work that fails here is finished by the next merge.
    try? UnfinishedWork.finish(in: library)
  }

  /// A group fills a transaction, and needs little memory.
  private static let jobsPerGroup = 16

  private func run(_ jobs: [MergeJob], in library: OpenLibrary) {
    var runs: [MergeJob.Run] = []
    for job in jobs {
      do throws(StoreError) {
        runs.append(try MergeJob.Run(job, library.connection))
      } catch {
        job.finish(.failure(error))
      }
    }
    while !runs.isEmpty {
      let unfinished = runs.map(\.job)
      do throws(StoreError) {
        try writeSlice(of: &runs, in: library)
      } catch {
        // The transaction was rolled back. When a single feed is the reason, each of the others is merged alone.
        guard error.isAboutFeed, unfinished.count > 1 else {
          for job in unfinished { job.finish(.failure(error)) }
          return
        }
        for job in unfinished { run([job], in: library) }
        return
      }
    }
  }

  /// One transaction, with as many of the runs as its time allows. Removes those that are done.
  private func writeSlice(of runs: inout [MergeJob.Run], in library: OpenLibrary) throws(StoreError) {
    var done = 0
    try library.write(.normal, toleratedWAL: Checkpoint.toleratedByMerges) { connection throws(StoreError) in
      let mayGoOn = library.slice()
      repeat {
        try runs[done].write(connection, while: mayGoOn)
        guard runs[done].isWritten else { return }
        done += 1
      } while done < runs.count && mayGoOn()
    }
    if runs[..<done].contains(where: { !$0.job.isOneOfMany }) { try library.makeDurable() }
    for run in runs[..<done] { run.job.finish(.success(run.result)) }
    runs.removeFirst(done)
  }
}

extension StoreError {
  /// The library is sound, but refuses this feed.
  fileprivate var isAboutFeed: Bool { code == .refused || code == .notFound }
}
