import PodcastModel
import Podcatcher
import Text

// MARK: - Listening

extension Failure {
  init(_ error: ListenError, about entry: EpisodeEntry) {
    let title = "\(entry.podcast.title): \(entry.episode.title)"
    switch error {
    case .noMediaFile:
      self.init(.cannotDecode, "the feed gives nothing to play for \(title)", hint: Self.looking(at: entry))
    case .refused(let reason):
      self.init(.refused, "\(title) was refused: \(reason)", hint: "podcli plays http and https addresses only")
    case .playback(let error):
      let failure = PlaybackFailure(error)
      self.init(failure, about: title)
      if failure.reason == .stopped { hint = Self.goingOn(with: entry) }
      if code == .cannotDecode, hint == nil {
        hint =
          "podcli downloads --remove \(entry.episode.id.rawValue) deletes what is stored of it; then play fetches it anew"
      }
    case .behindItsEnd(let position, let length):
      let (end, start) = (ClockText.short(length), ClockText.short(position))
      self.init(
        .usage, "\(title) is over at \(end)" + (end == start || position < length ? "" : ", before \(start)"),
        hint: "start elsewhere with: podcli play \(entry.episode.id.rawValue) --start TIME, or --restart")
    case .noSocket(let reason):
      self.init(
        .failed, "a player in the background could not be controlled: its socket cannot be made: \(reason)",
        hint: "without --detach it plays in this terminal")
    case .media(let fault): self.init(fault, about: entry)
    }
  }

  /// A server refuses without credentials, or says that none help: an address may have run out.
  fileprivate init(refusing title: String, with status: Int) {
    let signingIn = Self.signingIn(at: "FEED-URL")
    if status == 401 {
      self.init(.credentials, "\(title) wants credentials (401)", hint: signingIn)
    } else {
      self.init(
        .credentials, "the server refuses the file of \(title) (403)",
        hint: "a refresh of the feed may bring another address; with credentials: \(signingIn)")
    }
  }

  private init(_ fault: MediaFault, about entry: EpisodeEntry) {
    let title = "\(entry.podcast.title): \(entry.episode.title)"
    switch fault {
    case .transfer(let error):
      self.init(NetworkFailure(error), about: title, again: Self.goingOn(with: entry))
    case .status(let status) where status == 401 || status == 403: self.init(refusing: title, with: status)
    case .status(let status):
      self.init(.network, "\(title) cannot be fetched: status \(status)", hint: "try again later, or refresh the feed")
    case .offline:
      self.init(
        .network, "\(title) is not on this machine, or not all of it, and --offline was given",
        hint: "without --offline it goes on; podcli download \(entry.episode.id.rawValue) brings all of it")
    case .notMedia(let what):
      self.init(
        .cannotDecode, "\(title) cannot be played: its address gives \(what) instead of audio",
        hint: "podcli plays files; a refresh of the feed may bring another address")
    case .disk(let error): self.init(error, about: entry)
    case .changed:
      self.init(
        .network, "the publisher changed the file of \(title) while it played",
        hint:
          "podcli download \(entry.episode.id.rawValue) brings it even from such a server; podcli resume starts afresh")
    }
  }

  init(_ error: MeasureError, about entry: EpisodeEntry) {
    let title = "\(entry.podcast.title): \(entry.episode.title)"
    switch error {
    case .notHere where entry.episode.enclosure == nil: self.init(ListenError.noMediaFile, about: entry)
    case .notHere:
      self.init(
        .notFound, "\(title) is not on this machine, or not all of it",
        hint: "podcli download \(entry.episode.id.rawValue) brings it")
    case .changed:
      self.init(.failed, "the file of \(title) changed while it was measured", hint: "run the command again")
    case .playback(let error): self.init(PlaybackFailure(error), about: title)
    case .store(let error): self.init(error)
    }
  }

  private static func looking(at entry: EpisodeEntry) -> String {
    "podcli info \(entry.episode.id.rawValue) shows what the feed says of it"
  }

  /// The next command after a failure. A position is kept where the episode was heard, now or before.
  static func goingOn(with entry: EpisodeEntry) -> String {
    guard let kept = entry.status.lastListenTime, kept > .zero else {
      return "try again with: podcli play \(entry.episode.id.rawValue)"
    }
    return "your position, \(ClockText.short(kept)), is kept; go on with: podcli resume"
  }

  init(_ failure: PlaybackFailure, about title: String) {
    switch failure.reason {
    case .libraryMissing:
      self.init(.libraryMissing, "libmpv is not installed: \(failure.message)", hint: "sudo apt install libmpv2")
    case .noAudioOutput:
      self.init(
        .noAudioOutput, "there is no audio output: \(failure.message)",
        hint: "choose an output with PODCLI_AO, e.g. PODCLI_AO=alsa")
    case .cannotPlay:
      self.init(.cannotDecode, "\(title) cannot be played: \(failure.message)", hint: nil)
    case .stopped:
      self.init(.cannotDecode, "\(title) stopped: \(failure.message)", hint: "try it again")
    }
  }
}

// MARK: - Clips

extension Failure {
  init(_ error: ClipError, about entry: EpisodeEntry) {
    switch error {
    case .listen(let error): self.init(error, about: entry)
    case .behindItsEnd(let length):
      let end = length.map { ", at " + ClockText.short($0) } ?? ""
      self.init(.usage, "the episode ends before that" + end, hint: nil)
    case .file(let path, let reason):
      self.init(.failed, "\(path): \(reason)", hint: "name another file: podcli clip EPISODE FROM TO FILE")
    case .diskFull(let path):
      self.init(
        .failed, "the clip was not written, as the disk is full: \(path)", hint: "free some space, or name another file"
      )
    case .exists(let path):
      self.init(.refused, "\(path) is there already", hint: "replace it with --yes, or name another file")
    case .closedPipe: self.init(.failed, "standard output was closed")
    }
  }
}

// MARK: - Downloads

extension Failure {
  init(_ error: DownloadError, about entry: EpisodeEntry) {
    self.init(error, about: entry, named: "\(entry.podcast.title): \(entry.episode.title)")
  }

  /// `title` stands for the episode in the message.
  init(_ error: DownloadError, about entry: EpisodeEntry, named title: String) {
    let again = "go on with: podcli download \(entry.episode.id.rawValue)"
    switch error {
    case .noMediaFile:
      self.init(.failed, "the feed gives nothing to download for \(title)", hint: Self.looking(at: entry))
    case .refused(let reason):
      self.init(.refused, "\(title) was refused: \(reason)", hint: "podcli opens http and https only")
    case .notMedia(let what):
      self.init(
        .refused, "\(title) was refused: the server sent \(what) instead of audio",
        hint: "a refresh of the feed may bring another address")
    case .empty: self.init(.failed, "the server sent nothing at all for \(title)", hint: "try again later")
    case .status(let status) where status == 401 || status == 403: self.init(refusing: title, with: status)
    case .status(let status):
      self.init(.network, "\(title) cannot be fetched: status \(status)", hint: "try again later, or refresh the feed")
    case .rangeRefused:
      self.init(
        .network, "\(title): the server refused to go on where it broke off (416)",
        hint: "what there was is thrown away; the next try begins at the start")
    case .transfer(let error):
      self.init(NetworkFailure(error), about: title, again: again)
    case .tooLarge(let limit):
      self.init(
        .refused, "\(title) is larger than \(SizeText.short(limit))",
        hint: "it may be streamed: podcli play \(entry.episode.id.rawValue)")
    case .diskFull(let path):
      self.init(.diskFull, "disk full: \(path)", hint: "free some space, then \(again)")
    case .fileSystem(let path, let reason):
      self.init(
        .library, "\(title) cannot be kept: \(path): \(reason)",
        hint: "podcli play \(entry.episode.id.rawValue) --no-save plays it without a file")
    case .underway:
      self.init(
        .failed, "another podcli is downloading \(title)",
        hint: "podcli downloads --remove \(entry.episode.id.rawValue) stops it")
    case .removed:
      self.init(
        .failed, "another podcli stopped the download of \(title)",
        hint: "podcli download \(entry.episode.id.rawValue) begins it anew")
    case .store(let error): self.init(error)
    }
  }
}
