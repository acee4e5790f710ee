/// libmpv's options, set before it starts. It must read no configuration, run no script, open no address, look for no
/// file beside the one it is given, and keep no position of its own.
enum MPVOptions {
  static let fixed: [(name: String, value: String)] = [
    ("vid", "no"), ("audio-display", "no"), ("sid", "no"),
    ("terminal", "no"), ("config", "no"), ("load-scripts", "no"), ("ytdl", "no"), ("osc", "no"),
    // Its own scripts, fonts and overlays, which would be made ready before the first sound.
    ("load-stats-overlay", "no"), ("load-osd-console", "no"), ("load-auto-profiles", "no"), ("osd-level", "0"),
    ("osd-font-provider", "none"), ("sub-font-provider", "none"),
    ("access-references", "no"), ("load-unsafe-playlists", "no"), ("ordered-chapters", "no"),
    ("autoload-files", "no"), ("audio-file-auto", "no"), ("sub-auto", "no"), ("cover-art-auto", "no"),
    ("input-default-bindings", "no"), ("input-vo-keyboard", "no"), ("input-media-keys", "no"),
    ("save-position-on-quit", "no"), ("resume-playback", "no"),
    ("audio-client-name", "podcli"), ("audio-fallback-to-null", "no"), ("stop-screensaver", "no"),
    ("gapless-audio", "weak"), ("prefetch-playlist", "yes"), ("keep-open", "no"), ("idle", "yes"),
    ("hr-seek", "default"),
    ("audio-pitch-correction", "yes"), ("volume-max", "400"),
    // In milliseconds. libmpv wakes up four times for each buffer of the device, so a longer one costs less. A pause and a
    // seek take effect at once all the same; a new volume or speed is heard after the buffer.
    ("pulse-buffer", "400"), ("pipewire-buffer", "400"),
    // podcli's byte source is the cache; libmpv's own only bridges a short pause.
    ("cache", "auto"), ("cache-pause", "yes"), ("cache-pause-wait", "2"),
    ("demuxer-max-bytes", "16MiB"), ("demuxer-max-back-bytes", "4MiB"),
    ("demuxer-lavf-o", demuxer),
    ("network-timeout", "15"), ("tls-verify", "yes"),
  ]

  /// A hostile file can name further addresses in its headers; none of them may be opened.
  static let demuxer = "protocol_whitelist=[file,crypto,data]"

  /// `alsa`, `pulse`, …, with libmpv's options for it behind a colon: `alsa:audio-device=alsa/hw:1`.
  static func audioOutput(_ choice: String?) -> [(name: String, value: String)] {
    guard let choice, !choice.isEmpty else { return [] }
    let parts = choice.split(separator: ":", maxSplits: 1)
    let options = parts.dropFirst().first?.split(separator: ",") ?? []
    return [("ao", String(parts[0]))]
      + options.compactMap { option in
        let pair = option.split(separator: "=", maxSplits: 1).map(String.init)
        return pair.count == 2 ? (pair[0], pair[1]) : nil
      }
  }
}
