import CommandKit
import Podcatcher
import Text

/// Sends control words to the player in another process.
enum PlayerControl {
  /// Sends a control word to the player, and prints the status after it.
  static func send(_ words: [String], _ context: Context) throws(Failure) {
    do throws(ControlError) {
      show(try PlayerClient(context.live.paths).ask(words), after: words[0], context.console)
    } catch {
      throw Failure(error)
    }
  }

  static func show(_ document: JSON, after word: String, _ console: Console) {
    guard console.isJSON || !console.isQuiet else { return }
    console.write(StatusText(document: document, showsSound: sound.contains(word)).text(for: console))
  }

  /// The words whose effect the line shows only in its note.
  private static let sound: Set = ["volume", "trim", "boost"]
}
