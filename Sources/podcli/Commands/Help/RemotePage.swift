import CommandKit
import Podcatcher

/// The manual's section on controlling a player from other programs: status bars, window managers, scripts.
enum RemotePage {
  static let section = ManualSection(
    "remote", title: "REMOTE CONTROL", summary: "control a player from scripts, keys and status bars",
    [
      .paragraph(
        """
        The commands under Control do what keys do, from any process; each ends within milliseconds. `podcli status --line` \
        is a line for a status bar, and `podcli status --watch` a new line for each change. `podcli play EPISODE --detach` plays \
        without a terminal; left paused for ten minutes, with nothing connected, that player ends.
        """),
      .examples([
        Example(
          "podcli status --watch --json | jq --unbuffered -c '{text: (.episode.title // \"\" | @html), class: .state}'",
          "waybar: `exec` of a custom module, with `\"return-type\": \"json\", \"on-click\": \"podcli toggle\"`"),
        Example("podcli status --watch --line=60", "polybar: `exec` of a `custom/script`, with `tail = true`"),
        Example(
          "podcli status --line=60",
          "tmux: `set -g status-right-length 62; set -g status-right '#(podcli status --line=60)'`"),
        Example("podcli toggle", "sway: `bindsym XF86AudioPlay exec podcli toggle`"),
      ]),
      .paragraph(
        """
        A player listens on a socket, which `podcli status --json` names as `socket`; only its user can connect. Both sides \
        send JSON, a document a line, in UTF-8 and of at most 64 KiB; there may be 32 clients. The player greets with the \
        protocol's number. A request names a control word; its `id` may be left out, and comes back. The answer has the \
        document of `podcli status --json`, once the player has done it, or the error that `--json` prints:
        """),
      .verbatim(
        """
        < {"podcli":1,"version":"1.0.0","pid":4211}
        > {"do":"seek","to":"+30","id":7}
        < {"id":7,"status":{"state":"playing","position":2497.1,…}}
        > {"do":"watch","every":1}
        < {"status":{…}}
        > {"do":"fly"}
        < {"error":{"code":"usage","message":"…","hint":"…"}}
        """),
      .paragraph(
        """
        After `watch` the status comes at each change, and that often while it plays; a slow reader misses some of the \
        latter. In a script: `echo '{"do":"pause"}' | socat - UNIX-CONNECT:"$socket"`. The words, with the members of their \
        requests in brackets:
        """),
      .definitions(
        PlayerCommandTable.words.filter(\.isOnSocket).map { word in
          let arguments = word.arguments.map { "; \($0.member): \($0.expectation)" }
          let members = word.arguments.map(\.member).joined(separator: ", ")
          return Definition(
            members.isEmpty ? word.word : "\(word.word) (\(members))",
            (meanings[word.word] ?? word.summary ?? "") + arguments.joined())
        }),
    ])

  /// Of the words without a command of that name.
  private static let meanings = [
    "play": "go on", "bookmark": "remember this position", "status": "what plays", "watch": "follow the status",
  ]
}
