import CommandKit
import Podcatcher

/// The manual's sections beside the commands.
enum ManualPages {
  private static func settings(_ scope: SettingScope) -> [Definition] {
    SettingKeys.all.filter { $0.scope == scope }.map { key in
      let standard = key.standard.isEmpty ? "" : "; `\(key.standard)` when nobody set it"
      return Definition("`\(key.name)`", "\(key.help): \(key.expectation)\(standard)")
    }
  }

  /// Each once, though some mean the same on several pages.
  private static var screenKeys: [Definition] {
    var seen: Set<String> = []
    return ScreenKeys.table.filter { seen.insert($0.label + $0.meaning).inserted }
      .map { Definition($0.label, $0.meaning) }
  }

  static let sections = [
    ManualSection(
      "references", summary: "how to say which podcast or episode",
      [
        .paragraph(
          """
          A PODCAST is its number, its feed's address, or words of its title; capitals and accents do not matter. \
          An EPISODE is one of these, with `@41:07` behind it to start there:
          """),
        .definitions([
          Definition("142", "its number, the first column of every list"),
          Definition("PODCAST/3", "the third newest of a podcast"),
          Definition("PODCAST/latest", "the newest"),
          Definition("PODCAST/next", "the oldest one not played yet"),
          Definition("PODCAST", "the newest one not played yet"),
          Definition("WORDS", "words of its title that only one episode has"),
          Definition("@current, @last", "the current episode; the one played last"),
          Definition("GUID or URL", "as the feed has them"),
          Definition("-", "what another command listed, from standard input: a number a line, or JSON"),
        ]),
        .paragraph(
          """
          When several are called so they are listed with their numbers, and the status is 3; on a terminal you are \
          asked for one of them.
          """),
      ]),
    ManualSection(
      "filters", summary: "words that narrow a list of episodes",
      [
        .paragraph(
          """
          Every command that lists episodes takes them; an episode is shown when all of them hold. Quote those with \
          `<` or `>`, which mean something to a shell.
          """),
        .definitions([
          Definition("unplayed, inprogress, played", "not heard to the end; begun; heard"),
          Definition("new", "published since you subscribed, and not touched yet"),
          Definition("downloaded, favourite", "kept on this machine; marked as favourite"),
          Definition("podcast:NAME, tag:NAME", "of these podcasts"),
          Definition("'minutes<20'", "by length, with `<` `<=` `>` `>=` `=`"),
          Definition("'age<7d'", "by how long ago it was published, in `h` `d` `w` `m` `y`"),
          Definition("season:2", "by season"),
          Definition("has:transcript, has:chapters", "with one; linked chapters count once they were shown or played"),
          Definition("text:WORD", "with the word in its title, notes, chapters or transcript"),
          Definition("sort:-date", "in the order of `date`, `title`, `length`, `podcast` or `played`; `-` turns it"),
          Definition("limit:10", "no more than so many"),
        ]),
      ]),
    ManualSection(
      "times", summary: "how to write a position in an episode",
      [
        .paragraph(
          "`41:07`, `1:02:03`, `90`, `90s`, `1h2m`, `50%`; with a sign, `+30` and `-1m`, from where you are.")
      ]),
    ManualSection(
      "settings", summary: "what can be set, for all podcasts or for one",
      [
        .paragraph(
          """
          What the command line says goes before what `podcli set` keeps for a podcast, that before what `podcli config` \
          keeps for all, and that before what is built in.
          """)
      ]
        + [
          ("For all podcasts, and for one", SettingScope.podcast), ("For all podcasts alike", SettingScope.global),
        ].flatMap { title, scope in [.paragraph(title + ":"), .definitions(settings(scope))] }),
    ManualSection(
      "keys", summary: "keys while an episode plays",
      [
        .definitions(PlayingKeys.lines.map { Definition($0.names, $0.meaning) })
      ]),
    RemotePage.section,
    ManualSection(
      "desktop", summary: "media keys, sleep, headphones, notifications",
      [
        .paragraph(
          """
          While it plays, podcli is on the session's bus like any media player (MPRIS), as `podcli`. Media keys, the \
          controls of a desktop, `playerctl` and the buttons of a headset work. The keys for the next and the previous \
          track go 30 seconds on and 10 back, or as `media-keys` says; a step over the end leads to the next episode.
          """),
        .paragraph(
          """
          Before the machine sleeps, the episode is paused and your position is saved. It stays paused afterwards, unless \
          `wake` is `go-on`. While something plays, the machine does not suspend by itself: see `keep-awake`. Headphones \
          that are unplugged pause it: see `headphones`.
          """),
        .paragraph(
          "Notifications are shown by `notify-send` (Debian: libnotify-bin); without it `notify-playing` does nothing."),
        .examples([
          Example("podcli config set media-keys=chapter", "the keys go from chapter to chapter"),
          Example("podcli config set notify-playing=on", "say when an episode has ended, and what follows"),
        ]),
      ]),
    ManualSection(
      "hooks", summary: "a program of your own that is run at events",
      [
        .paragraph(
          """
          `podcli config set hook=PROGRAM` names it: a path, or a program on the `PATH`. It is run without a shell, \
          with the event in `PODCLI_EVENT` and the episode's JSON, as lists print it, on standard input. Of the \
          variables it has `PATH`, `HOME`, `LANG` and those of the session's bus. Your position is saved before.
          """),
        .definitions([
          Definition("started, paused, resumed, finished, stopped", "as an episode or the player does"),
          Definition("position", "every ten seconds while something plays"),
          Definition("downloaded, new-episode", "after a download; for each new episode of a refresh, the first 100"),
        ]),
        .paragraph(
          """
          It is killed after ten seconds, and never runs twice at a time for the same event: of those that wait the \
          newest is kept. It cannot stop or delay what plays; `podcli doctor` says when it failed. A hook that says \
          something to a server, writes a note for each finished episode, and switches a light:
          """),
        .verbatim(
          #"""
          #!/bin/sh
          episode=$(cat)
          value() { printf '%s' "$episode" | jq -r "$1"; }
          case $PODCLI_EVENT in
            started)
              curl -fsS -d "track=$(value .title)" \
                -d "artist=$(value .podcast.title)" http://127.0.0.1:8000/now-playing ;;
            finished)
              mkdir -p "$HOME/notes"
              printf '# %s\n\n%s, heard on %s\n' "$(value .title)" \
                "$(value .podcast.title)" "$(date +%F)" > "$HOME/notes/$(value .id).md" ;;
          esac
          case $PODCLI_EVENT in
            started|resumed) curl -fsS -X PUT http://127.0.0.1:8000/light/on ;;
            paused|stopped) curl -fsS -X PUT http://127.0.0.1:8000/light/off ;;
          esac
          """#),
      ]),
    ManualSection(
      "screen", summary: "`podcli` alone on a terminal: four pages, and their keys",
      [
        .paragraph(
          """
          Typed alone, `podcli` opens the screen: what you were hearing and what is new, the queue, your podcasts, and \
          what plays with its transcript. The sound is another process and goes on when you leave; `podcli` comes back \
          to it. `:` lists the keys that mean something where you are, and runs any command, such as `:subscribe URL`.
          """),
        .definitions(screenKeys),
      ]),
    ManualSection(
      "json", title: "JSON", summary: "answers for programs",
      [
        .paragraph(
          """
          With `--json` a command prints one document on standard output. Times are seconds, dates RFC 3339 in UTC, \
          and what is not known is left out. A failure is `{"error":{"code":…,"message":…,"hint":…}}` on standard \
          error, with standard output empty; where several are called so, `candidates` has their numbers and titles.
          """),
        .examples([
          Example("podcli playlist unplayed --json | jq -r '.[] | [.id, .title] | @tsv'", "what is left, as a table"),
          Example("podcli episodes daily --json | jq '[.[].duration] | add / 3600'", "how many hours there are"),
          Example(
            "podcli playlist --json | jq -c '.[] | select(.favourite)' | podcli queue add -", "favourites, lined up"),
        ]),
      ]),
    ManualSection(
      "exit-status", title: "EXIT STATUS", summary: "what the exit status says",
      [
        .definitions([
          Definition("0", "done; an empty list is done, and so is a closed pipe"),
          Definition("1", "failed for a reason not listed below"),
          Definition("2", "the command line is wrong"),
          Definition("3", "nothing matches, several match, or there is nothing to resume or to control"),
          Definition("4", "credentials are needed or were refused"),
          Definition("5", "the network failed; what was playing is saved"),
          Definition("6", "some of it worked"),
          Definition("7", "another podcli is playing from this library"),
          Definition("8", "no audio output, or the medium cannot be decoded"),
          Definition("9", "the library cannot be used"),
          Definition("129, 130, 131, 143", "ended by HUP, INT, QUIT or TERM, after the position was saved"),
        ])
      ]),
    ManualSection(
      "files", summary: "where podcli keeps its things",
      [
        .definitions([
          Definition("$XDG_CONFIG_HOME/podcli/config", "settings"),
          Definition("$XDG_DATA_HOME/podcli/library.db", "what you follow, and every position"),
          Definition("$XDG_DATA_HOME/podcli/media/", "what was downloaded or played"),
          Definition("$XDG_CACHE_HOME/podcli/", "what can be fetched again, such as pictures"),
          Definition("$XDG_RUNTIME_DIR/podcli/", "the socket and the status of a player"),
        ])
      ]),
    ManualSection(
      "environment", summary: "variables podcli looks at",
      [
        .definitions([
          Definition("PODCLI_HOME", "one folder for everything, instead of the XDG ones"),
          Definition("PODCLI_AO", "the audio output: `alsa`, `pulse`, `pipewire`, `null`, …"),
          Definition("NO_COLOR, CLICOLOR_FORCE, COLUMNS", "how the screen is used"),
          Definition("PAGER", "what shows a text longer than the screen: `less` when not set, nothing for `cat`"),
          Definition("http_proxy, https_proxy, no_proxy", "how the network is reached"),
          Definition("SSL_CERT_FILE", "the certificate authorities to trust"),
        ])
      ]),
  ]
}
