private import FeedKit
internal import PodcastStore
internal import System
internal import Text

extension ForeignApp {
  /// newsboat with podboat: `cache.db`, with the files `urls` and `queue`. A feed with a media file is a podcast.
  static let newsboat = ForeignApp(
    name: "newsboat", title: "newsboat", lacks: ["positions", "favourites", "dates of listening"],
    paths: { folders in [folders.data + "/newsboat/cache.db", folders.home + "/.newsboat/cache.db"] },
    form: .database(columns: ["rss_feed.rssurl", "rss_item.feedurl", "rss_item.enclosure_url"]) {
      database, surroundings throws(StoreError) in
      try NewsboatLibrary(database, surroundings).library()
    })
}

private struct NewsboatLibrary {
  private let database: ForeignDatabase
  private let surroundings: AppSurroundings

  init(_ database: ForeignDatabase, _ surroundings: AppSurroundings) {
    self.database = database
    self.surroundings = surroundings
  }

  func library() throws(StoreError) -> PortableLibrary {
    let podcasts = Set(
      try database.rows(
        """
        SELECT DISTINCT feedurl feed FROM rss_item WHERE enclosure_url != ''
          AND (enclosure_type LIKE 'audio/%' OR enclosure_type LIKE 'video/%' OR enclosure_type IS NULL
            OR enclosure_type = '')
        """
      ).compactMap { $0.text("feed").flatMap(NewsboatURLs.address) })
    var subscriptions = try database.subscriptions("SELECT rssurl feed, title FROM rss_feed").compactMap { record in
      NewsboatURLs.address(record.feedURL).map { address in
        var record = record
        record.feedURL = address
        return record
      }
    }
    if let listed = text(of: "urls") { subscriptions = NewsboatURLs.read(listed) }
    return PortableLibrary(
      subscriptions: subscriptions.filter { podcasts.contains($0.feedURL) }, episodes: try episodes())
  }

  /// `unread` tells of the notes only; podboat's queue tells of listening. One name space of guids for all feeds mixes
  /// them up, so the address decides.
  private func episodes() throws(StoreError) -> [ListeningRecord] {
    let marks = PodboatQueue.read(text(of: "queue") ?? "")
    let records = try database.episodes(
      """
      SELECT feedurl feed, CASE WHEN url != '' AND substr(guid, 1, length(url)) = url AND guid != url THEN NULL
          ELSE guid END guid,
        enclosure_url media, title, pubDate published, 1 favourite, unread = 0 done
      FROM rss_item WHERE enclosure_url != '' AND deleted = 0
      """)
    return records.compactMap { record in
      guard let address = NewsboatURLs.address(record.feedURL) else { return nil }
      var record = record
      record.feedURL = address
      let mark = marks[record.enclosure ?? ""]
      record.isFavourite = false
      record.isPlayed = mark?.isPlayed ?? false || (surroundings.readsAsPlayed && record.isPlayed)
      record.queueNumber = record.isPlayed ? nil : mark?.number
      return record.isEmpty ? nil : record
    }
  }

  /// A file beside the cache, or where newsboat keeps its configuration.
  private func text(of name: String) -> String? {
    let folders =
      [surroundings.folder] + (surroundings.folders.map { [$0.config + "/newsboat", $0.data + "/newsboat"] } ?? [])
    let isOwn = surroundings.folder.hasSuffix("newsboat")
    for folder in isOwn ? folders : [surroundings.folder] {
      if let bytes = Files.read(folder + "/" + name, atMost: 16 << 20) { return String(decoding: bytes, as: UTF8.self) }
    }
    return nil
  }
}

/// The file `urls`: an address, then tags, of which `~` begins a title and `!` hides the feed.
enum NewsboatURLs {
  static func read(_ text: String) -> [SubscriptionRecord] {
    text.split(whereSeparator: \.isNewline).compactMap { line in
      let words = words(of: line)
      guard let first = words.first, let address = address(first) else { return nil }
      var record = SubscriptionRecord(feedURL: address)
      for word in words.dropFirst() where word != "!" {
        if word.hasPrefix("~") { record.ownTitle = String(word.dropFirst()) } else { record.tags.append(word) }
      }
      return record
    }
  }

  /// `filter:PROGRAM:ADDRESS` has the address at its end; queries and programs have none.
  static func address(_ word: String) -> String? {
    if word.hasPrefix("filter:") {
      return word.split(separator: ":", maxSplits: 2).last.map(String.init)
    }
    return word.hasPrefix("query:") || word.hasPrefix("exec:") || word.hasPrefix("#") ? nil : word
  }

  /// Words as a shell divides them: in quotation marks, with a backslash before a mark. `#` begins a comment.
  static func words(of line: Substring) -> [String] {
    var words: [String] = []
    var (word, isWord) = ("", false)
    var isQuoted = false
    var isEscaped = false
    for character in line {
      if isEscaped {
        word.append(character)
        (isWord, isEscaped) = (true, false)
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
        isWord = true
      } else if !isQuoted, character == "#", !isWord {
        break
      } else if !isQuoted, character.isWhitespace {
        if isWord { words.append(word) }
        (word, isWord) = ("", false)
      } else {
        word.append(character)
        isWord = true
      }
    }
    return isWord ? words + [word] : words
  }
}

/// podboat's file `queue`: `ADDRESS "FILE" STATE`, in the order of the queue.
enum PodboatQueue {
  static func read(_ text: String) -> [String: (number: Int64, isPlayed: Bool)] {
    var marks: [String: (number: Int64, isPlayed: Bool)] = [:]
    for (number, line) in text.split(whereSeparator: \.isNewline).enumerated() {
      let words = NewsboatURLs.words(of: line)
      guard let address = words.first else { continue }
      marks[address] = (Int64(number), words.count > 2 && ["played", "finished"].contains(words[words.count - 1]))
    }
    return marks
  }
}
