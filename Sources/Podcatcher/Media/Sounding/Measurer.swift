package import Playback
package import PodcastModel
package import PodcastStore
private import Synchronization

/// Measures media files, one after the other: the pass that gives loudness and pauses. Of a file that is being filled its
/// beginning is measured, and the next pass goes on there.
///
/// Every thread goes before those of a pass. The library gets its draft now and then, so that a kill costs seconds; the
/// result counts only for the bytes that were measured.
package struct Measurer: Sendable {
  private let store: PodcastStore
  private let report: @Sendable (Report) -> Void
  /// Told of each new measurement, with the path of the file.
  private let isMeasured: @Sendable (EpisodeID, String) async -> Void

  /// Progress and results, as they come.
  package enum Report: Sendable {
    case progress(EpisodeEntry, heard: Duration)
    case ended(EpisodeEntry, Result<Sounding, MeasureError>)
  }

  init(
    store: PodcastStore, isMeasured: @escaping @Sendable (EpisodeID, String) async -> Void = { _, _ in },
    report: @escaping @Sendable (Report) -> Void
  ) {
    self.store = store
    self.isMeasured = isMeasured
    self.report = report
  }

  /// Each ends with a report. One that was measured before is not measured again.
  package func measure(_ entries: [EpisodeEntry]) async {
    for entry in entries {
      do throws(MeasureError) {
        report(.ended(entry, .success(try await sounding(of: entry))))
      } catch {
        report(.ended(entry, .failure(error)))
      }
    }
  }

  /// Measures the beginning of a file that is being filled, as far as it is here. Its draft is of this rendition only, so one that
  /// is saved too late counts for nothing.
  package func measureFirstPart(of entry: EpisodeEntry, in media: String) async {
    let id = entry.episode.id
    guard let record = (try? await store.mediaRecord(of: id)) ?? nil, let name = record.firstPartName,
      let part = FirstPart(of: record, in: media)
    else { return }
    let known = (try? await store.sounding(of: id)) ?? nil
    // That of a file from before is a forecast for this podcast until all of this one is measured.
    guard known?.isComplete != true else { return }
    let former = SoundingDraft(known, of: name) ?? SoundingDraft()
    let keep = { @Sendable [store] (draft: SoundingDraft) async in
      // Bytes of another rendition are written only after the library has its name, and the file may be gone.
      guard (try? await store.mediaRecord(of: id))??.firstPartName == name else { return }
      _ = try? await store.saveDraft(draft.withoutEnd.record(of: id, file: name))
    }
    guard let draft = try? await hear(.bytes(part), from: former, entry, keep).draft, draft.heard > former.heard + 1.5
    else { return }
    await keep(draft)
  }

  private func sounding(of entry: EpisodeEntry) async throws(MeasureError) -> Sounding {
    let id = entry.episode.id
    guard let path = try await wholeFile(of: entry), let file = await FileFingerprint.ofFile(at: path) else {
      throw .notHere
    }
    let known = try? await store.sounding(of: id)
    if let known, known.file == file, let sounding = Sounding(known) { return sounding }
    let (heard, channels) = try await hear(.file(path), from: await draft(known, of: file, id), entry) { [store] in
      guard await FileFingerprint.ofFile(at: path) == file else { return }
      _ = try? await store.save($0.record(of: id, file: file))
    }
    // The bytes may have been replaced or evicted meanwhile.
    guard await FileFingerprint.ofFile(at: path) == file else { throw .changed }
    let sounding = heard.sounding(channels: channels)
    let print = SoundPrint(hundredths: heard.levels)
    try? await store.save(SoundPrintRecord(episode: id, file: file, data: print.data))
    do throws(StoreError) { try await store.save(sounding.record(of: id, file: file)) } catch { throw .store(error) }
    await isMeasured(id, path)
    return sounding
  }

  /// That of a pass which was killed, or of one over the beginning of this rendition.
  private func draft(_ known: SoundingRecord?, of file: String, _ id: EpisodeID) async -> SoundingDraft {
    if let draft = SoundingDraft(known, of: file) { return draft }
    let name = (try? await store.mediaRecord(of: id))??.firstPartName
    return name.flatMap { SoundingDraft(known, of: $0) } ?? SoundingDraft()
  }

  private func wholeFile(of entry: EpisodeEntry) async throws(MeasureError) -> String? {
    do throws(StoreError) {
      return try await LocalFile.whole(of: entry, in: store)
    } catch {
      throw .store(error)
    }
  }

  private func hear(
    _ media: MediaSource, from draft: SoundingDraft, _ entry: EpisodeEntry,
    _ keep: @escaping @Sendable (SoundingDraft) async -> Void
  ) async throws(MeasureError) -> (draft: SoundingDraft, channels: Int?) {
    let (drafts, sender) = AsyncStream.makeStream(of: SoundingDraft.self, bufferingPolicy: .bufferingNewest(1))
    let keeping = Task {
      for await draft in drafts { await keep(draft) }
    }
    let pass = Mutex((draft: draft, keptAt: draft.heard))
    let result: Result<Int?, PlaybackError>
    do throws(PlaybackError) {
      result = .success(
        try await SoundDecoder.decode(media, from: draft.start) { piece in
          let (heard, toKeep) = pass.withLock { pass -> (Double, SoundingDraft?) in
            pass.draft.add(piece)
            let heard = pass.draft.heard
            guard heard - pass.keptAt >= max(Self.keepingInterval, heard / 10) else { return (heard, nil) }
            pass.keptAt = heard
            return (heard, pass.draft)
          }
          if let toKeep { sender.yield(toKeep) }
          report(.progress(entry, heard: .seconds(heard)))
          return true
        })
    } catch {
      result = .failure(error)
    }
    sender.finish()
    // No draft may come after the result.
    await keeping.value
    do throws(PlaybackError) {
      return (pass.withLock { $0.draft }, try result.get())
    } catch {
      throw .playback(error)
    }
  }

  /// Of sound, in seconds: a second or two of work.
  private static let keepingInterval = 300.0
}

extension Sounding {
  /// The measurement of the bytes that are here; nil where there is none.
  static func kept(of entry: EpisodeEntry, in store: PodcastStore) async -> Sounding? {
    guard let record = (try? await store.sounding(of: entry.episode.id)) ?? nil, let sounding = Sounding(record),
      let path = (try? await LocalFile.whole(of: entry, in: store)) ?? nil,
      await FileFingerprint.ofFile(at: path) == record.file
    else { return nil }
    return sounding
  }
}

/// Why a media file was not measured.
package enum MeasureError: Error, Hashable, Sendable {
  /// The file is not on this machine, or not all of it.
  case notHere
  /// The file was replaced or removed meanwhile.
  case changed
  case playback(PlaybackError)
  case store(StoreError)
}
