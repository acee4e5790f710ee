import PodcastModel
import PodcastStore
import Podcatcher
import ScreenKit

/// Keys that do something with the selected episode.
extension ScreenUpdate {
  mutating func performOnEpisode(_ action: ScreenAction) {
    switch action {
    case .undo: return effects.append(.undo)
    case .refreshAll:
      return effects.append(.work("refreshing", ["refresh", "--verbose"], total: state.podcasts.rows.count))
    case .refresh: return refresh()
    default: break
    }
    guard let entry = state.selectedEntry else { return say("No episode is selected") }
    switch action {
    case .queueEnd: effects.append(.enqueue(entry, .end))
    case .queueNext: effects.append(.enqueue(entry, .next))
    case .markPlayed: markPlayed(entry)
    case .markFavourite:
      effects.append(.mark(entry.isFavourite ? .unfavourite : .favourite, entry))
      showMarked { $0.isFavourite.toggle() }
    case .download: effects.append(.work("downloading", ["download", String(entry.episode.id.rawValue)], total: nil))
    case .openLink: withLink(of: entry) { .open($0) }
    case .copyLink: withLink(of: entry) { .copy($0) }
    default: break
    }
  }

  /// One that was played and begun again is played once more. The position of the one that plays says nothing about that.
  private mutating func markPlayed(_ entry: EpisodeEntry) {
    let plays = state.player.state != .stopped && entry.episode.id == state.player.episode
    let isPlayed = plays || state.page == .playing ? entry.status.hasCompleted : EpisodeSign.isPlayed(entry.status)
    effects.append(.mark(isPlayed ? .unplayed : .played, entry))
    let keepsPosition = isPlayed || plays || state.page == .playing
    showMarked { shown in
      shown.status.hasCompleted = !isPlayed
      if !keepsPosition { shown.status.lastListenTime = nil }
    }
    // There, no episode was played: the next key is about the next one.
    if state.page == .home, state.filter == nil { state.home.removeSelected() }
  }

  /// The next key may come before the library, or the player with its next status, tells of the mark.
  private mutating func showMarked(_ change: (inout EpisodeEntry) -> Void) {
    if state.page != .playing {
      state.list?.changeSelected(change)
    } else if var entry = state.player.entry {
      change(&entry)
      state.player.entry = entry
    }
  }

  /// An episode goes on where it was left, or begins at a passage that was found.
  mutating func play(_ entry: EpisodeEntry, at position: Duration?) {
    state.message = .init(text: "Opening \(CleanText.line(entry.distinctTitle)) …", isUntilPlaying: true)
    effects.append(.play(entry, at: position))
  }

  /// The episode that a player has already goes on, or is shown.
  mutating func playOrShow(_ entry: EpisodeEntry) {
    guard entry.episode.id == state.player.episode, state.player.state != .stopped else { return play(entry, at: nil) }
    if state.player.state == .paused { effects.append(.control(["play"])) } else { show(.playing) }
  }

  mutating func moveInQueue(_ step: Int) {
    guard let entry = state.selectedEntry else { return }
    let slot = state.queue.selected + 1 + step
    guard (1...max(1, state.queue.rows.count)).contains(slot) else { return }
    effects.append(.enqueue(entry, .number(slot)))
    state.movesUnderWay += 1
    // The next key may come before the queue is read again.
    state.queue.moveSelected(by: step)
  }

  private mutating func refresh() {
    guard let podcast = state.selectedPodcast else { return }
    effects.append(.work("refreshing", ["refresh", "--verbose", String(podcast.rawValue)], total: nil))
  }

  private mutating func withLink(of entry: EpisodeEntry, _ effect: (String) -> ScreenEffect) {
    guard let link = entry.episode.link, link.hasPrefix("https://") || link.hasPrefix("http://") else {
      return say("This episode has no link")
    }
    effects.append(effect(link))
  }
}
