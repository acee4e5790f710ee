/// Endless and other hostile feeds: the time and memory that `subscribe` takes to refuse them.
enum EndlessFeeds {
  static func run(_ workspace: Workspace) throws {
    Report.title("feeds made to hurt, \(size >> 20) MB")
    for feed in feeds {
      let file = try workspace.write(feed.bytes, to: "endless.xml")
      try workspace.clearLibrary()
      var run = try Measured.run(workspace.podcli, ["subscribe", file], in: workspace)
      // Most should be refused; accepting one with a warning is as good.
      if run.status == 1 { run.status = 0 }
      Report.tell(Figure(feed.name, of: [run], goal: "2 s, 64 MB"))
    }
  }

  private static let size = Effort.size(70 << 20, brief: 70 << 10)

  private struct Endless {
    var name: String
    var start: String
    var pattern: String
    var isLatin = false

    var bytes: [UInt8] {
      let pattern = isLatin ? self.pattern.unicodeScalars.map { UInt8($0.value) } : Array(self.pattern.utf8)
      var bytes = Array(start.utf8)
      bytes.reserveCapacity(size + pattern.count)
      while bytes.count < size { bytes += pattern }
      return bytes
    }
  }

  private static let words = String(repeating: "Many words about very little, ", count: 15)

  private static func channel(_ more: String = "") -> String {
    """
    <rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0" \
    xmlns:psc="http://podlove.org/simple-chapters"><channel><title>Endless</title>\(more)
    """
  }

  private static let feeds = [
    Endless(
      name: "items", start: channel(),
      pattern: "<item><title>Once more</title><enclosure url=\"http://localhost/1.mp3\" type=\"audio/mpeg\"/>"
        + "<description>\(words)</description></item>"),
    Endless(
      name: "items in windows-1252", start: "<?xml version=\"1.0\" encoding=\"windows-1252\"?>" + channel(),
      pattern: "<item><title>Für immer</title><description>\(words)äöü</description></item>", isLatin: true),
    Endless(name: "items with nothing in them", start: channel(), pattern: "<item/>"),
    Endless(
      name: "items with texts of 4 MB", start: channel(),
      pattern: "<item><description>" + String(repeating: words, count: Effort.size(9000, brief: 10))
        + "</description></item>"),
    Endless(name: "one text", start: channel("<description>"), pattern: words),
    Endless(
      name: "persons", start: channel("<item>"),
      pattern: "<podcast:person role=\"a role of some length\" href=\"http://localhost/somebody/with/a/page\">"
        + "Somebody with a name</podcast:person>"),
    Endless(
      name: "chapters", start: channel("<item><psc:chapters>"),
      pattern: "<psc:chapter start=\"0:10\" title=\"A chapter with a long title\" href=\"http://localhost/far/away\"/>"),
    Endless(name: "categories", start: channel("<item>"), pattern: "<category>One of so many of them</category>"),
    Endless(name: "levels", start: channel(), pattern: "<a>"),
    Endless(name: "an attribute", start: channel("<a b=\""), pattern: words),
    Endless(name: "attributes", start: channel("<a"), pattern: " b=\"c\""),
    Endless(
      name: "entities of entities",
      start: "<!DOCTYPE rss [<!ENTITY a \"\(words)\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\">"
        + "<!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY d SYSTEM \"file:///etc/passwd\">]>" + channel(),
      pattern: "<item><title>&c;&d;</title><description>&c;</description></item>"),
  ]
}
