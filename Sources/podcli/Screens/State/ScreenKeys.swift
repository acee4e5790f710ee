import Podcatcher
import ScreenKit

/// Every key of the screen, in the order of the palette and of the hints. Those of a filter line and of the palette
/// itself are with them.
enum ScreenKeys {
  static let table: [ScreenKey] = playing + lists + player + everywhere

  /// Those with a hint. Each frame has them, the first one before the player's table is needed.
  private static let hinted = (playing + lists + [pause] + everywhere).filter { $0.hint != nil }

  /// The keys that mean something now, for the palette.
  static func valid(in state: ScreenState) -> [ScreenKey] { table.filter { $0.isOffered && $0.isValid(state) } }

  /// Those of them for the last line.
  static func hints(in state: ScreenState) -> [ScreenKey] { hinted.filter { $0.isValid(state) } }

  static func action(for key: Key, in state: ScreenState) -> ScreenAction? {
    let name = key.name
    return table.first { $0.keys.contains(name) && $0.isValid(state) }?.action
  }

  /// Of a key that means something elsewhere. One that leads back may be pressed once too often.
  static func meaning(of key: Key) -> String? {
    let name = key.name
    let found = table.first { $0.keys.contains(name) && $0.isOffered }
    return found?.action == .back ? nil : found?.meaning
  }

  private static let isList: @Sendable (ScreenState) -> Bool = { $0.listName != nil }
  private static let hasEpisode: @Sendable (ScreenState) -> Bool = { $0.hasEpisode }
  private static let isPlaying: @Sendable (ScreenState) -> Bool = { $0.page == .playing }
  private static let canMove: @Sendable (ScreenState) -> Bool = {
    $0.page == .queue && $0.filter == nil && $0.queue.rows.count > 1
  }
  /// Beside the list.
  private static let hasNotes: @Sendable (ScreenState) -> Bool = {
    !canMove($0) && ScreenLayout($0).hasNotes && $0.about?.notes.isEmpty == false
  }
  private static let canGoBack: @Sendable (ScreenState) -> Bool = {
    $0.filter != nil || $0.isInPodcast && $0.page == .podcasts
  }

  private static let lists = [
    ScreenKey("enter l", label: "enter", "play the episode", hint: "play", .open) {
      $0.listName != nil && $0.hasEpisode
    },
    ScreenKey("enter l", label: "enter", "show its episodes", hint: "episodes", .open) {
      $0.listName == .podcasts && !$0.hasEpisode
    },
    ScreenKey("escape h backspace", label: "esc", "back", hint: "back", .back, when: canGoBack),
    ScreenKey("a", "queue it, at the end", hint: "queue", .queueEnd, when: hasEpisode),
    ScreenKey("A", "queue it, to play next", .queueNext, when: hasEpisode),
    ScreenKey("x", "mark as played, or not", hint: "played", .markPlayed, when: hasEpisode),
    ScreenKey("f", "mark as favourite, or not", .markFavourite, when: hasEpisode),
    ScreenKey("d", "download it, or stop that", .download, when: hasEpisode),
    ScreenKey("u", "undo the last mark or change", .undo),
    ScreenKey("/", "filter: words, and unplayed, minutes<20, …", hint: "filter", .filter, when: isList),
    ScreenKey("r", "refresh this podcast", .refresh) { $0.selectedPodcast != nil },
    ScreenKey("R", "refresh all podcasts", .refreshAll),
    ScreenKey("J", "move it down in the queue", hint: "down", .moveDown, when: canMove),
    ScreenKey("K", "move it up in the queue", hint: "up", .moveUp, when: canMove),
    ScreenKey("J", "scroll the notes down", .moveDown, when: hasNotes),
    ScreenKey("K", "scroll the notes up", .moveUp, when: hasNotes),
    ScreenKey("i", "its notes, and all that is known about it", .notes) { $0.listName != nil && $0.hasEpisode },
    ScreenKey("o", "open its link", .openLink, when: hasEpisode),
    ScreenKey("y", "copy its link", .copyLink, when: hasEpisode),
    ScreenKey("down j", label: "↓ j", "down", .move(1)),
    ScreenKey("up k", label: "↑ k", "up", .move(-1)),
    ScreenKey("pageDown ^d", label: "PgDn ^d", "a screen down", .screenDown),
    ScreenKey("pageUp ^u", label: "PgUp ^u", "a screen up", .screenUp),
    ScreenKey("home g", label: "Home g", "to the first", .top),
    ScreenKey("end G", label: "End G", "to the last", .bottom),
  ]

  private static let playing = [
    ScreenKey("enter", label: "enter", "hear this", hint: "hear this", .open) {
      $0.page == .playing && $0.transcript.hasMoments
    },
    ScreenKey("escape", label: "esc", "follow the voice again", hint: "follow", .back) {
      $0.page == .playing && ($0.transcript.query != nil || $0.transcript.isLeft)
    },
    ScreenKey("/", "find in the transcript", hint: "find", .filter) {
      $0.page == .playing && $0.transcript.hasTranscript
    },
    // The letters that follow must not be taken as keys.
    ScreenKey("/", "find in the transcript", isOffered: false, .filter) {
      $0.page == .playing && !$0.transcript.hasTranscript
    },
    ScreenKey("T", "this line is said now: tie the transcript to the voice", hint: "tie to now", .tie) {
      $0.page == .playing && $0.transcript.shown == .transcript && !$0.transcript.starts.isEmpty
    },
    ScreenKey("c", "the chapters, or not", hint: "chapters", .chapters, when: isPlaying),
    ScreenKey("i", "the notes, or not", hint: "notes", .notes, when: isPlaying),
  ]

  /// The keys of `podcli play`; but up and down move in lists, and q leaves.
  private static let player: [ScreenKey] = PlayerCommandTable.words.filter(\.isOnSocket).flatMap { word in
    word.keys.filter { !["up", "down", "q"].contains($0.name) }.map { key in
      if key.name == "space" { return pause }
      return ScreenKey(key.name, label: ["left": "←", "right": "→"][key.name], hint: nil, .control(key.words))
    }
  }

  private static let pause = ScreenKey("space", hint: "pause", .control(["toggle"]))

  /// Of each key of the player, as its table explains it; a line may be about several keys. The first frame needs none.
  static let meanings: [String: String] = {
    var meanings: [String: String] = [:]
    for line in PlayerCommandTable.words.flatMap(\.help) {
      let keys = line.keys.split(separator: " ").map { $0.count > 1 && $0.last == "," ? $0.dropLast() : $0 }
      let parts = keys.count == 1 ? [line.meaning] : line.meaning.split(separator: ", ").map(String.init)
      for (key, meaning) in zip(keys, parts) { meanings[String(key)] = meaning }
    }
    return meanings
  }()

  private static let everywhere = [
    ScreenKey("1", "Home", .page(.home)),
    ScreenKey("2", "Queue", .page(.queue)),
    ScreenKey("3", "Podcasts", .page(.podcasts)),
    ScreenKey("4", "Playing", .page(.playing)),
    ScreenKey("tab", "the next page", .nextPage),
    ScreenKey("< shift-left", label: "<", "a minute back", .control(["seek", "-60"])),
    ScreenKey("> shift-right", label: ">", "a minute on", .control(["seek", "+60"])),
    ScreenKey("c", "the chapters of what plays", .chapters) { $0.page != .playing },
    ScreenKey("i", "the notes of what plays", .notes) { $0.page != .playing && !$0.hasEpisode },
    ScreenKey(": ?", label: ": ?", "the keys, and any podcli command", .palette),
    ScreenKey("q ^c", label: "q", "leave; the sound goes on", hint: "leave", .leave),
    ScreenKey("Q", "stop, and leave", .stopAndLeave),
    ScreenKey("^l", "draw the screen anew", .redraw),
    ScreenKey("^z", "suspend", .suspend),
  ]
}
