internal import CMPV

/// The properties that libmpv reports on, and how each report is read.
enum ObservedProperty: UInt64, CaseIterable {
  case position = 1
  case duration, isPaused, isBuffering, silence, chapters

  var name: String {
    switch self {
    case .position: "time-pos"
    case .duration: "duration"
    case .isPaused: "pause"
    case .isBuffering: "paused-for-cache"
    case .silence: "af-metadata/silence"
    case .chapters: "chapter-list"
    }
  }

  var format: mpv_format {
    switch self {
    case .position, .duration: MPV_FORMAT_DOUBLE
    case .isPaused, .isBuffering: MPV_FORMAT_FLAG
    case .chapters, .silence: MPV_FORMAT_NODE
    }
  }

  /// Copies the value at once: the event's memory is valid only until the next event.
  func value(_ change: mpv_event_property) -> EngineProperty? {
    switch self {
    case .position: .position(change.read(Double.self))
    case .duration: .duration(change.read(Double.self))
    case .isPaused: change.read(Int32.self).map { .isPaused($0 != 0) }
    case .isBuffering: change.read(Int32.self).map { .isBuffering($0 != 0) }
    case .silence: change.read(mpv_node.self).flatMap { $0.isSilent }.map { .isSilent($0) }
    case .chapters: change.read(mpv_node.self).map { .chapters($0.chapters) }
    }
  }
}

extension mpv_event_property {
  fileprivate func read<T>(_ type: T.Type) -> T? {
    format == MPV_FORMAT_NONE ? nil : data?.assumingMemoryBound(to: type).pointee
  }
}

// MARK: - Nodes

extension mpv_node {
  var chapters: [MediaChapter] {
    elements.map { node in
      // A first chapter at 0 lies before the first sample of an encoder that pads. None may be left out, as libmpv
      // counts them. A start beyond three centuries is never reached, and is cut so that it fits every number.
      let start = min(max(0, node.double(named: "time") ?? 0), 1e10)
      return MediaChapter(start: start, title: node.string(named: "title") ?? "")
    }
  }

  /// The detector writes `silence_start` into the frame where a silence begins, and `silence_end` where it is over.
  /// libmpv keeps the old keys: after the first silence both are there, so the times of the two are compared.
  fileprivate var isSilent: Bool? {
    guard let start = seconds(named: "lavfi.silence_start") else { return nil }
    guard let end = seconds(named: "lavfi.silence_end") else { return true }
    return start > end
  }

  /// A number that a filter wrote as text.
  private func seconds(named name: String) -> Double? { string(named: name).flatMap { Double($0) } }

  private var elements: [mpv_node] {
    guard format == MPV_FORMAT_NODE_ARRAY, let list = u.list?.pointee, let values = list.values else { return [] }
    return (0..<Int(list.num)).map { values[$0] }
  }

  private subscript(name: String) -> mpv_node? {
    guard format == MPV_FORMAT_NODE_MAP, let list = u.list?.pointee, let keys = list.keys else { return nil }
    let index = (0..<Int(list.num)).first { keys[$0].map { String(cString: $0) } == name }
    return index.map { list.values[$0] }
  }

  func integer(named name: String) -> Int64? {
    guard let node = self[name], node.format == MPV_FORMAT_INT64 else { return nil }
    return node.u.int64
  }

  private func double(named name: String) -> Double? {
    guard let node = self[name], node.format == MPV_FORMAT_DOUBLE else { return nil }
    return node.u.double_
  }

  private func string(named name: String) -> String? {
    guard let node = self[name], node.format == MPV_FORMAT_STRING else { return nil }
    return node.u.string.map { String(cString: $0) }
  }
}
