internal import PodcastModel
package import Text

/// The document that `status --json` prints, and that the socket answers with.
extension PlayerStatus {
  /// Unknown values are left out.
  package var document: JSON {
    [
      "state": JSON(state.rawValue), "episode": entry.map(EpisodeJSON.document),
      "position": positionOrKept.map(EpisodeJSON.seconds), "opening": position == nil && start != nil ? true : nil,
      "approximate": isApproximate ? true : nil,
      "duration": durationOrAnnounced.map(EpisodeJSON.seconds), "speed": speed.flatMap { JSON($0) },
      "volume": volume.flatMap { JSON($0) }, "trim": JSON(trim), "boost": JSON(boost),
      "gain": gain.flatMap { JSON(($0 * 10).rounded() / 10) },
      "level": JSON(isLevelled),
      "chapter": chapter.map { ["index": JSON($0.index), "title": JSON($0.title), "count": JSON($0.count)] },
      "sleepAt": sleepAt.map { JSON($0) }, "note": JSON(note), "detached": isDetached ? true : nil, "pid": JSON(pid),
      "socket": JSON(socket),
    ]
  }

  /// Reads a document as far as a line on a screen shows it. Of the episode that is its number and its titles.
  package init?(document: JSON) {
    guard let state = document["state"]?.text.flatMap(State.init(rawValue:)) else { return nil }
    let entry = document["episode"].flatMap(Self.entry)
    self.init(state: state, episode: entry?.episode.id)
    self.entry = entry
    let position = document["position"]?.double.flatMap { Duration(validSeconds: $0) }
    if document["opening"]?.flag == true { start = position } else { self.position = position }
    isApproximate = document["approximate"]?.flag == true
    duration = document["duration"]?.double.flatMap { Duration(validSeconds: $0) }
    speed = document["speed"]?.double
    volume = document["volume"]?.double
    trim = document["trim"]?.text
    boost = document["boost"]?.flag
    gain = document["gain"]?.double
    isLevelled = document["level"]?.flag
    chapter = document["chapter"].flatMap(Self.chapter)
    note = document["note"]?.text
    isDetached = document["detached"]?.flag == true
    pid = document["pid"]?.int.map { Int32(clamping: $0) }
    socket = document["socket"]?.text
  }

  private static func entry(_ episode: JSON) -> EpisodeEntry? {
    guard let id = episode["id"]?.int, let title = episode["title"]?.text, let podcast = episode["podcast"] else {
      return nil
    }
    return EpisodeEntry(
      episode: Episode(id: EpisodeID(rawValue: id), guid: "", title: title),
      podcast: PodcastReference(
        id: PodcastID(rawValue: podcast["id"]?.int ?? 0), title: podcast["title"]?.text ?? "", feedURL: ""))
  }

  private static func chapter(_ chapter: JSON) -> Chapter? {
    guard let index = chapter["index"]?.int, (1...100_000).contains(index) else { return nil }
    return Chapter(
      index: Int(index), title: chapter["title"]?.text ?? "", count: chapter["count"]?.int.map { Int(clamping: $0) })
  }
}
