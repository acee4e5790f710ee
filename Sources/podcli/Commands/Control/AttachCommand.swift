import CommandKit
import Podcatcher

enum AttachCommand {
  static let entry = CommandEntry(
    command: Command(
      "attach", summary: "show the player that runs, with its keys",
      discussion: "The line and the keys of `podcli play`, for a player in the background or in another terminal. `q` "
        + "leaves it alone again, and it goes on; `podcli stop` ends it.",
      examples: [Example("podcli attach", "the player of `podcli play 142 --detach`")]),
    endsByShutdown: true
  ) { _, context throws(Failure) in
    guard context.console.isErrorTerminal else {
      throw Failure(.usage, "attach needs a terminal", hint: "podcli status --watch follows a player without one")
    }
    do throws(ControlError) {
      let player = try PlayerClient(context.live.paths)
      let first = try player.ask(["watch", "1"])
      await AttachedPlayer(player, context, first).run()
    } catch {
      throw Failure(error)
    }
  }
}
