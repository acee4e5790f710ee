import PodcastModel
import PodcastStore
import Podcatcher
import System

/// Everything that the screen asks for and does not wait for: the library, the player, other programs.
final class ScreenWork: Sendable {
  private let store: PodcastStore
  private let effects: EffectQueue
  private let loader: PictureLoader
  private let pictures: EffectQueue
  private let library: ScreenLibrary
  private let programs: ScreenPrograms
  private let player: PlayerLink
  private let syncer: Syncer
  private let send: @Sendable (ScreenEvent) -> Void

  init(_ store: PodcastStore, _ live: Live, _ programs: ScreenPrograms, send: @escaping @Sendable (ScreenEvent) -> Void)
  {
    self.store = store
    self.send = send
    let library = ScreenLibrary(store: store, live: live, send: send)
    self.library = library
    effects = EffectQueue { await library.perform($0) }
    self.programs = programs
    let loader = PictureLoader(
      live: live, fetch: { _ = await programs.run([PictureLoader.command, $0]) }, send: send)
    self.loader = loader
    pictures = EffectQueue { if case .loadPicture(let key) = $0 { await loader.load(key) } }
    player = PlayerLink(live, store, send: send)
    syncer = live.syncer(store: store)
  }

  /// A player saves its position each second. The lists are not read again for each of these.
  private static let pause = Duration.seconds(3)

  /// Tells of changes of the library, by any podcli.
  func watch() {
    guard let changes = try? store.changes(rest: { [player] in player.isPlaying ? Self.pause : .zero }) else { return }
    Task { [send] in
      for await _ in changes { send(.libraryChanged) }
    }
    lookForPlayer()
  }

  /// Brings in what other machines did, as each command does.
  func sync() {
    Task { [send, syncer] in
      await syncer.runQuietly(atMost: .seconds(20))
      send(.libraryChanged)
    }
  }

  func lookForPlayer() { player.look() }

  func perform(_ effect: ScreenEffect, width: Int) {
    switch effect {
    case .control(let words): player.ask(words)
    case .play(let entry, let position):
      player.play(entry.episode.id, at: position) { [programs] isReachable in
        programs.play(entry.reference(at: position), until: isReachable)
      }
    case .loadPicture(let key):
      loader.want(key)
      Task { [pictures] in await pictures.add([effect]) }
    case .loadTexts(let id, fetches: true):
      for command in ["chapters", "transcript"] { Task { await showTexts(id, fetching: command) } }
    default: if !programs.perform(effect, width: width) { Task { [effects] in await effects.add([effect]) } }
    }
  }

  /// Chapters or a transcript that the feed only links to are fetched by another process, and then read. Once more where
  /// the library was too busy to keep them.
  private func showTexts(_ id: EpisodeID, fetching command: String) async {
    for isFirst in [true, false] {
      // Asked before the texts are read: the player fetches and keeps the same meanwhile.
      let isLacking = await lacks(command, id, isFirst: isFirst)
      await showTexts(id)
      guard isLacking else { return }
      let (output, status) = await programs.run([command, String(id.rawValue), "--quiet"])
      if status != 0 { return await showTexts(id, failure: output) }
    }
    await showTexts(id)
  }

  private func showTexts(_ id: EpisodeID, failure: String? = nil) async {
    do throws(StoreError) {
      var texts = try await library.texts(of: id)
      texts.failure = failure
      send(.texts(texts))
    } catch {
      send(.said(.init(failure: Failure(error).text)))
    }
  }

  /// Whether the feed links to it, and the library has it not. Those of before, and chapters in the notes, do where the
  /// linked ones could not be fetched.
  private func lacks(_ command: String, _ id: EpisodeID, isFirst: Bool) async -> Bool {
    guard let details = try? await store.details(of: id) else { return false }
    if command == "chapters" {
      let kept = isFirst ? details.chapters : SideDocuments.knownChapters(of: details)
      return details.chaptersLink != nil && (kept.isEmpty || isFirst && details.areChaptersFormer)
    }
    guard !details.transcripts.isEmpty, let kept = try? await store.transcript(of: id) else { return false }
    return kept.isEmpty || isFirst && details.isTranscriptFormer
  }

  /// Returns when every change and every word to the player that was asked for is carried out.
  func finish() async {
    await effects.finish()
    await player.finish()
  }

  /// An episode was asked for, and no player has it yet.
  var isStartingPlayer: Bool { player.isStarting }

  /// Waits until the player has stopped; returns why it has not.
  func stopPlayer() -> Failure? { player.stop() }
}
