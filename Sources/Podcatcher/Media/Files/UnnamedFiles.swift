internal import PodcastModel
package import PodcastStore
internal import System

/// Media files that no record of the library names: of downloads that were made since the backup that was restored, or by a
/// library that was lost.
package struct UnnamedFiles: Sendable {
  private let store: PodcastStore
  private let media: String

  /// `media`: the folder of all media files.
  init(store: PodcastStore, media: String) {
    self.store = store
    self.media = media
  }

  package struct File: Hashable, Sendable {
    package let path: String
    package let size: Int64
    /// The whole file has its name; one in part, and the note beside it, has an ending more.
    package var isWhole: Bool { !path.hasSuffix(".part") && !path.hasSuffix(".part.map") }
    /// The path of the whole file.
    fileprivate var name: String {
      for ending in [".part.map", ".part"] where path.hasSuffix(ending) { return String(path.dropLast(ending.count)) }
      return path
    }
  }

  /// In the order of their paths. Nothing where the folder is not there.
  package func files() async throws(StoreError) -> [File] {
    let named = try await store.mediaPaths()
    var files: [File] = []
    for folder in Files.names(in: media) ?? [] {
      for file in Files.names(in: media + "/" + folder) ?? [] {
        let path = media + "/" + folder + "/" + file
        guard MediaFilePath(path: path, in: media) != nil, let size = RegularFile.size(of: path) else { continue }
        let found = File(path: path, size: size)
        if !named.contains(found.name) { files.append(found) }
      }
    }
    return files.sorted { $0.path < $1.path }
  }

  /// Makes the whole files downloads of their episodes, where their names tell these without doubt. Returns how many.
  package func adopt() async throws(StoreError) -> Int {
    var count = 0
    let folders = Dictionary(grouping: try await files().filter(\.isWhole)) { Files.folder(of: $0.path) }
    let podcasts = folders.isEmpty ? [] : try await store.podcasts()
    for (folder, files) in folders.sorted(by: { $0.key < $1.key }) {
      let slug = MediaFilePath.slug(ofName: folder.dropFirst(media.count + 1))
      guard !slug.isEmpty else { continue }
      let named = podcasts.filter { FileNameText.slug($0.title) == slug }
      guard named.count == 1, let podcast = named.first else { continue }
      count += try await adopt(files, of: podcast.id)
    }
    return count
  }

  private func adopt(_ files: [File], of podcast: PodcastID) async throws(StoreError) -> Int {
    var count = 0
    let episodes = Dictionary(grouping: try await store.episodes(of: podcast)) { FileNameText.slug($0.episode.title) }
    for file in files {
      guard let path = MediaFilePath(path: file.path, in: media), FirstBytes.fault(inFile: file.path) == nil else {
        continue
      }
      let slug = MediaFilePath.slug(ofName: path.file.prefix(upTo: path.file.lastIndex(of: ".") ?? path.file.endIndex))
      let number = Int64(path.file.prefix { $0.isASCII && $0.isNumber })
      guard let episode = Self.owner(of: file, number, among: slug.isEmpty ? [] : episodes[slug] ?? []),
        try await store.mediaRecord(of: episode.episode.id)?.path == nil
      else { continue }
      var record = MediaRecord(episode: episode.episode.id, state: .complete)
      (record.path, record.sourceURL, record.isKept) = (file.path, episode.episode.enclosure?.url, true)
      record.complete(file.size)
      record.requestedAt = Files.writtenAt(file.path).map { Timestamp(seconds: Int64($0)) }
      record.completedAt = record.requestedAt
      try await store.save(record)
      count += 1
    }
    return count
  }

  /// Of episodes with that title, the one whose feed tells the file's length; or the only one, where the file has its number.
  private static func owner(of file: File, _ number: Int64?, among episodes: [EpisodeEntry]) -> EpisodeEntry? {
    let fitting = episodes.filter { $0.episode.enclosure?.length == file.size }
    if fitting.count == 1 { return fitting.first }
    return episodes.count == 1 && episodes[0].episode.id.rawValue == number ? episodes.first : nil
  }
}
