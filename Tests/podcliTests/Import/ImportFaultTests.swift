import Glibc
import PodcastModel
import TestSupport
import Testing
import Text

@testable import PodcastStore

/// Libraries that are damaged, hostile, or of no version that podcli knows.
@Suite struct ImportFaultTests {
  private let stage: Stage
  private let path: String

  init() throws {
    stage = try AppLibrary.stage()
    path = try AppLibrary.named("gpodder").write(to: stage.home.path, stage)
  }

  private func execute(_ script: String) throws {
    try Connection(path: path, mode: .readWrite).executeScript(script)
  }

  @Test(arguments: [16, 100, 4096, 9000])
  func `a database that is cut off is status 1 and changes nothing`(size: Int) async throws {
    try #require(truncate(path, off_t(size)) == 0)
    let outcome = try await stage.run("import", path)
    #expect(outcome.status == .exited(1), "\(outcome)")
    #expect(outcome.error.contains("cannot be imported") || outcome.error.contains("is neither"))
    #expect(stage.server.requests.isEmpty)
  }

  @Test func `a file of Overcast that is cut off is imported in part, and that is said`() async throws {
    let list = try AppLibrary.named("overcast").write(to: stage.home.path, stage)
    let text = String(decoding: try contents(of: list), as: UTF8.self)
    let end = try #require(text.firstRange(of: "overcastId=\"19\"")).lowerBound
    let cut = try stage.home.write(String(text[..<end]), to: "cut.opml")
    let outcome = try await stage.run("import", cut)
    #expect(outcome.status == .exited(6) && outcome.error.contains("the file is cut off"), "\(outcome)")
    #expect(outcome.error.contains("Overcast: "), "\(outcome)")
  }

  @Test func `a schema of another version is named with its app`() async throws {
    try execute("ALTER TABLE episode RENAME COLUMN total_time TO total; UPDATE version SET version = 99")
    let outcome = try await stage.run("import", path)
    #expect(outcome.status == .exited(1))
    #expect(outcome.error.contains("from gPodder: no such column: e.total_time"), "\(outcome)")
    #expect(outcome.error.contains("OPML"))
  }

  @Test func `files that are no library are status 1`() async throws {
    try execute("DROP TABLE podcast")
    for (name, text) in [("a.json", "{\"x\": 1}"), ("b.json", "{\"portcast\": "), ("c.opml", "<rss/>"), ("d.txt", "")] {
      let outcome = try await stage.run("import", try stage.home.write(text, to: name))
      #expect(outcome.status == .exited(1), "\(name): \(outcome)")
    }
    #expect(try await stage.run("import", path).error.contains("is neither a list of subscriptions nor"))
    #expect(try await stage.run("import", "/no/such/file").status == .exited(1))
  }

  @Test func `texts cannot reach the terminal or a file here, and what is too large is cut`() async throws {
    let secret = try stage.home.write("<rss><channel><title>secret</title></channel></rss>", to: "secret.xml")
    try execute(
      """
      UPDATE podcast SET title = char(27) || '[31mred' || char(0x202e) || 'der', auth_username = NULL WHERE id = 1;
      INSERT INTO podcast (id, title, url) VALUES (8, 'File', 'file://\(secret)'), (9, 'Path', '\(secret)'),
        (10, 'Gopher', 'gopher://example.org/'), (11, 'Blob', x'00ff00ff'), (12, 'Nothing', '');
      UPDATE episode SET guid = '''; DROP TABLE statuses; --' WHERE id = 5;
      UPDATE episode SET current_position = -5, total_time = -1, published = 9223372036854775807 WHERE id = 3;
      UPDATE episode SET current_position = 9223372036854775807, current_position_updated = 'yesterday' WHERE id = 4;
      INSERT INTO episode (podcast_id, title, url, guid, current_position)
        VALUES (1, hex(zeroblob(100000)), 'javascript:alert(1)', hex(zeroblob(100000)), 3);
      """)
    let outcome = try await stage.run("import", path)
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(!outcome.error.contains("\u{1B}") && !outcome.error.contains("\u{202E}"))
    #expect(outcome.error.contains("without a feed's address: File, Path, Gopher"))
    let podcasts = try await stage.library().podcasts()
    #expect(podcasts.count == 2 && !podcasts.contains { $0.title.unicodeScalars.contains { $0.isUnsafeToShow } })
    #expect(try await AppLibrary.state(of: stage.library()).contains("alpha-3 favourite"))
  }

  @Test func `a view that never ends is not read`() async throws {
    try execute(
      """
      ALTER TABLE podcast RENAME TO real_podcast;
      CREATE VIEW podcast AS SELECT * FROM real_podcast, (WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
        SELECT count(*) FROM n);
      """)
    let outcome = try await stage.run("import", path)
    #expect(outcome.status == .exited(1), "\(outcome)")
  }

  @Test func `nothing is left of the private copy`() async throws {
    _ = try await stage.run("import", path)
    _ = try await stage.run("import", try stage.home.write("SQLite format 3\0 and no more", to: "broken"))
    var archive = ZipFile()
    archive.add("a.opml", Array("<opml><body/></opml>".utf8))
    #expect(try await stage.run("import", try stage.home.write(archive.bytes, to: "a.zip")).status == .exited(0))
    #expect(!names(in: stage.home.path).contains { $0.hasPrefix("podcli-") })
  }

  @Test func `a hundred thousand episodes come in one go`() async throws {
    AppLibrary.serve("Alpha", 2000, stage)
    try execute(
      """
      WITH RECURSIVE n(x) AS (SELECT 100 UNION ALL SELECT x + 1 FROM n WHERE x < 100099)
      INSERT INTO episode (podcast_id, title, url, guid, published, total_time, current_position, is_new, last_playback)
      SELECT 1, 'Episode ' || x, '\(stage.server.url("/alpha"))/' || x || '.wav', 'alpha-' || x, 0, 600, 30, 0, 1710000000 FROM n
      """)
    let report = try #require(JSON(parsing: try await stage.json("import", path)))
    #expect(report["episodes"]?["positions"]?.int == 1903)
    #expect(report["episodes"]?["waiting"]?.int == 98_100)
    let again = try #require(JSON(parsing: try await stage.json("import", path)))
    #expect(again["episodes"]?["changed"]?.int == 0)
  }

  // MARK: Archives

  @Test func `data without any address of a feed is status 1, and what to import first is said`() async throws {
    let folder = stage.home.path + "/app"
    mkdir(folder, 0o700)
    _ = try AppLibrary.named("pocketcasts").write(to: folder, stage)
    for list in names(in: folder) where list.hasSuffix(".opml") { unlink(folder + "/" + list) }
    let outcome = try await stage.run("import", folder)
    #expect(outcome.status == .exited(1) && outcome.error.contains("(OPML) first"), "\(outcome)")
    #expect(try await stage.library().podcasts().isEmpty)
  }

  @Test func `an archive is read with its list of subscriptions, packed or not`() async throws {
    let app = AppLibrary.named("pocketcasts")
    let folder = stage.home.path + "/app"
    mkdir(folder, 0o700)
    let library = try app.write(to: folder, stage)
    try #require(
      rename(library, folder + "/pocketcasts") == 0 && rename(library + "-wal", folder + "/pocketcasts-wal") == 0)
    let archive = try await ZipFile.write(folder, to: stage.home.path + "/export.zip", stage.home)
    let outcome = try await stage.run("import", archive)
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(try await AppLibrary.state(of: stage.library()) == app.expected())
    #expect(outcome.error.contains("without a feed's address: Without Feed"))

    let size = try contents(of: archive).count
    for cut in [3, 21, size / 2, size - 30] {
      try #require(truncate(archive, off_t(cut)) == 0)
      #expect(try await stage.run("import", archive).status == .exited(1), "cut to \(cut)")
    }
  }

  @Test func `names in an archive lead nowhere, and it unpacks no more than it says`() async throws {
    let good = Array("<opml><body><outline xmlUrl='\(stage.server.url("/alpha.xml"))'/></body></opml>".utf8)
    var archive = ZipFile()
    archive.add("../../../\(stage.home.path)/evil.opml", good)
    archive.add("/etc/evil.xml", good)
    archive.add("bomb.db", good, saysSize: 3)
    let path = stage.home.path + "/a.zip"
    try stage.home.write(archive.bytes, to: "a.zip")
    let outcome = try await stage.run("import", path)
    #expect(outcome.status == .exited(1))
    #expect(outcome.error.contains("bomb.db"), "\(outcome)")
    #expect(!names(in: stage.home.path).contains("evil.opml"))
  }

  @Test func `an archive in an archive is not unpacked`() async throws {
    var inner = ZipFile()
    inner.add("a.opml", Array("<opml><body><outline xmlUrl='\(stage.server.url("/alpha.xml"))'/></body></opml>".utf8))
    var outer = ZipFile()
    outer.add("a.db", inner.bytes)
    let outcome = try await stage.run("import", try stage.home.write(outer.bytes, to: "a.zip"))
    #expect(outcome.status == .exited(1), "\(outcome)")
    #expect(try await stage.library().podcasts().isEmpty)
  }

  @Test func `an archive that says it is larger than any library is refused before that is unpacked`() async throws {
    var archive = ZipFile()
    archive.add("a.opml", Array("<opml><body/></opml>".utf8))
    archive.add("b.db", Array("SQLite format 3\0".utf8), saysSize: (1 << 32) - 1)
    let outcome = try await stage.run("import", try stage.home.write(archive.bytes, to: "a.zip"))
    #expect(outcome.status == .exited(1) && outcome.error.contains("it is larger than 4 GB"), "\(outcome)")
  }
}
