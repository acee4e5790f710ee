import Playback
import TestSupport
import Testing

@testable import Podcatcher

@Suite struct SettingsTests {
  @Test func `flags override the podcast's values, those the values for all podcasts, those the built-in ones`() {
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

  @Test func `a value with line feeds is one line of the file`() throws {
    let assignment = try SettingAssignment("hook=notify.sh\n  speed = 3\r\nend")
    #expect(assignment.value == "notify.sh   speed = 3 end")
  }

  @Test func `an invalid value is skipped, and a global setting has no value of a podcast`() {
    let settings = Settings(podcast: ["speed": "fast", "autoplay": "off"], config: ["speed": "2"])
    #expect(settings[SettingKeys.speed] == 2)
    #expect(settings[SettingKeys.autoplay] == .next)
  }

  @Test func `settings written at the same time are all kept`() async throws {
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

  @Test func `a key reads the value that it writes`() {
    // An empty value stands for "not set" and cannot be set.
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
  func `values are normalized`(key: String, text: String, written: String) throws {
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
  func `invalid values are refused`(key: String, text: String) throws {
    #expect(try SettingKeys.declaration(key).normalized(text) == nil)
  }
}
