import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

enum UndoCommand {
  static let entry = CommandEntry(
    command: Command(
      "undo", summary: "take back the last mark, change of the queue, tag, title, unsubscription, import or setting",
      discussion: """
        Says what it undid; a range that was marked to be skipped counts, too. Once more undoes the one before; the last fifty are remembered. Bookmarks and \
        `podcli config set` are not undone; the latter prints the former value. `unsubscribe --delete` cannot be undone: \
        what was done before it is undone by a second `podcli undo`. So it is with `subscribe`, which `unsubscribe` takes \
        back, with a change of the queue or marks moved into another file, of which nothing is left, and with what \
        another machine has changed since.
        """,
      examples: [Example("podcli undo", "as if it had not happened")])
  ) { invocation, context throws(Failure) in
    try await context.withStore(.readWrite) { store in
      guard let undone = try await store.undo() else {
        throw Failure(
          .notFound, "there is nothing to undo", hint: "podcli help undo says what can be undone")
      }
      guard undone.action.canBeUndone else {
        throw Failure(
          .notFound, "\(words(undone)) cannot be undone",
          hint: (takenBack(undone.action).map { $0 + "; " } ?? "") + "podcli undo again undoes what was done before")
      }
      guard !undone.isOver else {
        throw Failure(
          .notFound, "nothing is left of \(words(undone))", hint: "podcli undo again undoes what was done before")
      }
      if context.console.isJSON { return context.printJSON(json(undone)) }
      context.console.say("Undone: \(words(undone))")
    }
  }

  /// The command that takes the action back.
  private static func takenBack(_ action: UndoAction) -> String? {
    switch action {
    case .subscribed: "podcli unsubscribe leaves it again"
    case .movedFeed: "podcli subscribe FORMER-ADDRESS --instead-of PODCAST gives it the former one back"
    default: nil
    }
  }

  /// The action, for a sentence.
  static func words(_ undone: Undone) -> String {
    let subject = CleanText.line(undone.subject)
    let what = subject.isEmpty ? counted(undone.count, "episode") : subject
    return switch undone.action {
    case .markedPlayed: "marking as played: \(what)"
    case .markedUnplayed: "marking as unplayed: \(what)"
    case .markedFavourite: "marking as favourite: \(what)"
    case .unmarkedFavourite: "marking as no favourite: \(what)"
    case .queueAdded: undone.count == 0 ? "moving in the queue" : "adding to the queue: \(what)"
    case .queueRemoved: "removing from the queue: \(what)"
    case .queueCleared: "clearing the queue of \(what)"
    case .queueShuffled: "shuffling the queue"
    case .subscribed: "subscribing to \(subject.isEmpty ? counted(undone.count, "podcast") : subject)"
    case .unsubscribed: "unsubscribing from \(subject.isEmpty ? counted(undone.count, "podcast") : subject)"
    case .movedFeed: "giving \(subject) another address"
    case .renamed: "renaming \(subject)"
    case .changedSetting: "setting \(what)"
    case .addedTag: "adding the tag \(what)"
    case .removedTag: "removing the tag \(what)"
    case .deleted: "deleting \(what)"
    case .tiedTranscript: "tying the transcript: \(what)"
    case .addedSkip: "marking a range to skip: \(what)"
    case .movedMarks: "moving the position and marks to where they are in the new file: \(what)"
    case .imported:
      "importing from \(what)"
        + (undone.count == 0 ? "; what it followed is left again" : ": \(counted(undone.count, "episode"))")
    }
  }

  private static func json(_ undone: Undone) -> JSON {
    [
      "undone": [
        "action": JSON(undone.action.rawValue), "subject": undone.subject.isEmpty ? nil : JSON(undone.subject),
        "count": JSON(undone.count), "doneAt": JSON(undone.doneAt),
      ]
    ]
  }
}
