import TestSupport
import Testing
import Text

@testable import podcli

@Suite struct SetCommandTests {
  @Test func `a podcast's settings override the global ones`() async throws {
    let stage = try await Stage.library()
    _ = try await stage.run("config", "set", "speed=1.2")
    let set = try await stage.run("set", "sample", "speed=1.4", "skip-intro=30")
    #expect(set.error == "Sample Show: speed = 1.4\nSample Show: skip-intro = 30s\n")
    let list = try await stage.run("set", "sample").output
    #expect(list.contains("speed\t1.4\tpodcast\t"))
    #expect(try await stage.run("config", "get", "speed").output == "1.2\n")
    #expect(try await stage.run("config", "get", "speed", "--podcast", "sample").output == "1.4\n")
    _ = try await stage.run("set", "sample", "speed=")
    #expect(try await stage.run("config", "get", "speed", "--podcast", "sample").output == "1.2\n")
    #expect(try await stage.run("info", "sample").output.contains("skip-intro = 30s"))
  }

  @Test func `order decides which episode a podcast's name means`() async throws {
    let stage = try await Stage.library()
    #expect(try await stage.run("queue", "add", "sample").error.hasPrefix("Added: Episode 3"))
    _ = try await stage.run("config", "set", "order=oldest")
    #expect(try await stage.run("queue", "add", "sample").error.hasPrefix("Added: Episode 1"))
    _ = try await stage.run("set", "sample", "order=newest")
    #expect(try await stage.run("queue", "add", "sample").error.hasPrefix("Added: Episode 3"))
  }

  @Test func `a global setting is refused for a podcast`() async throws {
    let stage = try await Stage.library()
    let outcome = try await stage.run("set", "sample", "autoplay=off")
    #expect(outcome.status == .exited(2))
    #expect(outcome.error.contains("podcli config set autoplay=VALUE"))
    #expect(try await stage.run("set", "nothing", "speed=1").status == .exited(3))
  }
}
