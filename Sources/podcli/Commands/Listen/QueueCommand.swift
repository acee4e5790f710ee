import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher

enum QueueCommand {
  private static let episodes = EpisodeWords.argument("which ones")
  private static let episode = Argument("EPISODE", kind: .dynamic("episode"), help: "which one")
  private static let position = Argument<Int>("PLACE", kind: .integer(in: 1...1_000_000), help: "1 is the first")

  static let entry = CommandEntry(
    command: Command(
      "queue", aliases: ["q"], synonyms: ["upnext"], summary: "line up what to hear next",
      discussion: """
        An episode that was heard to its end leaves the queue, and the next one plays. An episode that is in the \
        queue already moves when it is added again. `podcli undo` takes the last change back.
        """,
      examples: [
        Example("podcli queue", "what is lined up"),
        Example("podcli queue add daily \"late night/latest\"", "two more at its end"),
        Example("podcli playlist new 'minutes<20' | podcli queue add -", "everything new and short"),
        Example("podcli queue next 142", "this one before all others"),
        Example("podcli queue downloaded", "what of it can be heard on a train"),
      ],
      subcommands: actions.map(\.command), defaultSubcommand: "list")
  ) { invocation, context throws(Failure) in
    guard let action = actions.first(where: { $0.command.name == invocation.path.last }) else { return }
    if action.isReading {
      let words = invocation[FilterWords.argument]
      let filter = try FilterWords.readUnsorted(words, in: "the queue")
      return try await context.withLookup(filter) { store in try await show(filter, store, context) }
    }
    try await context.withStore(.readWrite) { store in
      let done = try await action.run(invocation, store, context)
      try await show(store, context, done)
    }
  }

  private struct Action: Sendable {
    var command: Command
    var isReading = false
    /// Returns the sentence about the change.
    var run: @Sendable (Invocation, PodcastStore, Context) async throws -> String
  }

  private static let actions = [
    Action(
      command: Command(
        "list", summary: "what is lined up, the next one first", arguments: [FilterWords.argument],
        examples: [
          Example("podcli queue list --json", "for a program"),
          Example("podcli queue list 'minutes<20'", "only the short ones"),
        ]),
      isReading: true
    ) { _, _, _ in "" },
    Action(
      command: Command(
        "add", aliases: ["append"], summary: "at the end", arguments: [episodes],
        examples: [Example("podcli queue add 142 143", "two more")])
    ) { invocation, store, context in
      try await enqueue(invocation, at: .end, "Added", store, context)
    },
    Action(
      command: Command(
        "next", summary: "before everything else", arguments: [episodes],
        examples: [Example("podcli queue next 142", "this one plays next")])
    ) { invocation, store, context in
      try await enqueue(invocation, at: .next, "Next", store, context)
    },
    Action(
      command: Command(
        "remove", aliases: ["rm"], summary: "take out", arguments: [episodes],
        examples: [Example("podcli queue remove 142", "not this one")])
    ) { invocation, store, context in
      let entries = try await EpisodeWords.entries(invocation[episodes], in: store, context)
      let queued = Set(try await store.queue().map(\.episode.id))
      let others = entries.filter { !queued.contains($0.episode.id) }
      guard others.isEmpty else { throw notQueued(others) }
      try await store.removeFromQueue(entries.map(\.episode.id))
      return "Removed: " + title(entries)
    },
    Action(
      command: Command(
        "move", aliases: ["mv"], summary: "to another position", arguments: [episode, position],
        examples: [Example("podcli queue move 142 3", "the third to play")])
    ) { invocation, store, context in
      let entry = try await EpisodeWords.choice(invocation[episode], in: store, context).entry
      guard try await store.queue().contains(where: { $0.episode.id == entry.episode.id }) else {
        throw notQueued([entry])
      }
      try await store.enqueue([entry.episode.id], at: .number(invocation[position]))
      return "Moved: " + title([entry])
    },
    Action(
      command: Command(
        "clear", summary: "take out everything", examples: [Example("podcli queue clear", "start afresh")])
    ) { _, store, _ in
      let count = try await store.queue().count
      try await store.clearQueue()
      return "Cleared: \(counted(count, "episode"))"
    },
    Action(
      command: Command(
        "shuffle", summary: "mix the order", examples: [Example("podcli queue shuffle", "surprise")])
    ) { _, store, _ in
      var generator = SystemRandomNumberGenerator()
      try await store.shuffleQueue(using: &generator)
      return "Shuffled"
    },
  ]

  private static func enqueue(
    _ invocation: Invocation, at position: QueueSlot, _ verb: String, _ store: PodcastStore,
    _ context: Context
  ) async throws -> String {
    let entries = try await EpisodeWords.entries(invocation[episodes], in: store, context)
    try await store.enqueue(entries.map(\.episode.id), at: position)
    return verb + ": " + title(entries)
  }

  private static func title(_ entries: [EpisodeEntry]) -> String {
    entries.count == 1 ? CleanText.line(entries[0].episode.title) : counted(entries.count, "episode")
  }

  private static func notQueued(_ entries: [EpisodeEntry]) -> Failure {
    Failure(.notFound, "not in the queue: \(title(entries))", hint: "podcli queue shows what is in it")
  }

  // MARK: Showing

  /// Prints a sentence about the change or, as JSON, the queue.
  private static func show(_ store: PodcastStore, _ context: Context, _ done: String) async throws {
    let queue = try await store.queue()
    if context.console.isJSON { return EpisodeList(limit: nil, context).print(queue) }
    context.console.say("\(done) (\(summary(queue)))")
  }

  private static func show(_ filter: EpisodeFilter, _ store: PodcastStore, _ context: Context) async throws {
    let console = context.console
    let queue = try await store.queue()
    let shown = try await queue.matching(filter, in: store) { $0.episode.id }
    let hint =
      queue.isEmpty
      ? "The queue is empty. Line something up with: podcli queue add EPISODE" : "No episode in the queue matches."
    EpisodeList(limit: nil, context, whenEmpty: hint).print(shown)
    if !shown.isEmpty, console.isOutputTerminal, !console.isJSON { console.say(summary(shown)) }
  }

  private static func summary(_ queue: [EpisodeEntry]) -> String {
    let left = queue.reduce(Duration.zero) { sum, entry in
      sum + max(.zero, (entry.duration ?? .zero) - (entry.status.lastListenTime ?? .zero))
    }
    let least = queue.contains { $0.duration == nil } ? "at least " : ""
    let length = left > .zero ? ", \(least)\(ClockText.words(left)) to hear" : ""
    return "\(counted(queue.count, "episode")) in the queue\(length)"
  }
}
