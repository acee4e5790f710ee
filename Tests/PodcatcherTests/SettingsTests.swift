import Playback
import TestSupport
import Testing

@testable import Podcatcher

@Suite struct SettingsTests {
  @Test func `flags go before the podcast's, those before all podcasts', those before what is built in`() {
    var settings = Settings(podcast: ["speed": "1.5", "trim": "mild"], config: ["speed": "2", "boost": "on"])
    #expect(settings[SettingKeys.speed] == 1.5)
    #expect(settings[SettingKeys.trim] == .mild)
    #expect(settings[SettingKeys.boost])
    #expect(settings[SettingKeys.mono] == false)
    settings.setFlag(SettingKeys.speed, to: 3)
    #expect(settings[SettingKeys.speed] == 3)
    #expect(SettingKeys.all.first.map { settings.value(of: $0).origin } == .commandLine)
    settings.setFlag(SettingKeys.speed, to: nil)
    #expect(settings[SettingKeys.speed] == 1.5)
  }

  @Test func `a value that is none is passed over, and one for all is no podcast's`() {
    let settings = Settings(podcast: ["speed": "fast", "autoplay": "off"], config: ["speed": "2"])
    #expect(settings[SettingKeys.speed] == 2)
    #expect(settings[SettingKeys.autoplay] == .next)
  }

  @Test func `what several set at once is all set`() async throws {
    let home = try TemporaryHome()
    let file = ConfigFile(path: home.path + "/config")
    let assignments = try SettingKeys.all.filter { !$0.standard.isEmpty }.map {
      try SettingAssignment("\($0.name)=\($0.standard)")
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for assignment in assignments { group.addTask { try file.set([assignment]) } }
      try await group.waitForAll()
    }
    #expect(try file.values().count == assignments.count)
  }

  @Test func `what a key writes it reads back`() {
    // What stands for "not set" cannot be set.
    for key in SettingKeys.all where !key.standard.isEmpty {
      #expect(key.normalized(key.standard) == key.standard, "\(key.name)")
    }
  }

  @Test(arguments: [
    ("cache-size", "2048m", "2G"), ("cache-size", "1000", "1000"), ("skip-intro", "1:15", "75s"),
    ("skip-chapters", "ad,  sponsor ,", "ad, sponsor"), ("keep", "all", "all"), ("boost", "YES", "on"),
    ("progress-interval", "0.5", "0.5s"),
    ("user-agents", "B.org:x/1 (y; z)|a.org: A:1 |", "a.org: A:1 | b.org: x/1 (y; z)"),
  ])
  func `values are kept in one way of writing`(key: String, text: String, written: String) throws {
    let declaration = try SettingKeys.declaration(key)
    #expect(declaration.normalized(text) == written)
  }

  @Test(arguments: ["", " ", ",", ", ,"])
  func `an empty list is not set`(text: String) throws {
    #expect(try SettingAssignment("skip-chapters=\(text)").value == nil)
  }

  @Test(arguments: [
    ("cache-size", "99999999999999T"), ("cache-size", "-1"), ("keep", "-1"), ("speed", "nan"), ("skip-intro", "+5"),
    ("user-agents", "Mozilla"), ("user-agents", "http://a.org: x"), ("user-agents", ": x"),
  ])
  func `what is none is refused`(key: String, text: String) throws {
    #expect(try SettingKeys.declaration(key).normalized(text) == nil)
  }
}
