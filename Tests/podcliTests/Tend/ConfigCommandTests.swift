import Glibc
import ScreenKit
import System
import TestSupport
import Testing
import Text

@testable import podcli

@Suite struct ConfigCommandTests {
  @Test func `set, get, list with origins, unset`() async throws {
    let home = try TemporaryHome()
    let set = try await home.podcli("config", "set", "speed=1.40", "resume=never").run()
    #expect(set.status == .exited(0))
    #expect(set.error == "speed = 1.4 (it was 1)\nresume = never (it was always)\n")
    #expect(try await home.podcli("config", "get", "speed").run().output == "1.4\n")
    let list = try await home.podcli("config").run().output
    #expect(list.contains("speed\t1.4\tconfig\thow fast to play\n"))
    #expect(list.contains("trim\toff\tstandard\t"))
    _ = try await home.podcli("config", "unset", "speed").run()
    #expect(try await home.podcli("config", "get", "speed").run().output == "1\n")
    #expect(try await home.podcli("set", "nothing").run().status == .exited(3))
    #expect(try await home.podcli("config", "get", "resume").run().output == "never\n")
  }

  @Test func `no output has the secret of a directory in it`() async throws {
    let home = try TemporaryHome()
    for words in [
      ["set", "podcastindex-pass=s3cr3t"], ["set", "podcastindex-pass=s3cr3t", "--json"], ["list"], ["list", "--json"],
      ["get", "podcastindex-pass"], ["set", "podcastindex-pass=other"],
    ] {
      let outcome = try await home.podcli(["config"] + words).run()
      #expect(outcome.status == .exited(0) && !(outcome.output + outcome.error).contains("s3cr3t"), "\(outcome)")
    }
    #expect(try text(of: home).contains("podcastindex-pass = other"))
  }

  @Test func `the file has comments, and keeps lines of the user`() async throws {
    let home = try TemporaryHome()
    _ = try await home.podcli("config", "set", "speed=2").run()
    let path = try await home.podcli("config", "path").run().output.split(separator: "\n")[0]
    let text = String(decoding: try contents(of: String(path)), as: UTF8.self)
    #expect(text.contains("# how fast to play: a number from 0.5 to 5\nspeed = 2\n"))
    #expect(text.contains("# autoplay = next\n"))
    try home.write("# mine\n\n  speed=1.5\nspeed = 3   \n", to: "podcli/config")
    _ = try await home.podcli("config", "set", "speed=2", "mono=on").run()
    let after = String(decoding: try contents(of: String(path)), as: UTF8.self)
    #expect(after == "# mine\n\nspeed = 2\nmono = on\n")
  }

  @Test func `bytes that are not UTF-8, and notes of the user, are kept`() async throws {
    let home = try TemporaryHome()
    let before = "# speed = 1.7 is for the train\r\n# f" + "\u{FFFF}" + "r mich\n# mono = off\n"
    let bytes = Array(before.utf8).split(separator: Array("\u{FFFF}".utf8)).joined(separator: [0xFC])
    _ = try await home.podcli("config", "set", "speed=3").run()
    try home.write(Array(bytes), to: "podcli/config")
    _ = try await home.podcli("config", "set", "speed=2", "mono=on").run()
    let expected = Array(bytes).split(separator: Array("# mono = off".utf8)).joined(separator: Array("mono = on".utf8))
    #expect(try contents(of: home.path + "/podcli/config") == Array(expected) + Array("speed = 2\n".utf8))
  }

  @Test func `a byte order mark hides no setting`() async throws {
    let home = try TemporaryHome()
    _ = try await home.podcli("config", "set", "speed=3").run()
    try home.write("\u{FEFF}speed = 1.5\nresume = never\n", to: "podcli/config")
    let shown = try await home.podcli("config", "get", "speed").run()
    #expect(shown.output == "1.5\n" && shown.error.isEmpty, "\(shown)")
    _ = try await home.podcli("config", "set", "speed=2").run()
    #expect(try await home.podcli("config", "get", "speed").run().output == "2\n")
  }

  @Test func `a link to a file that is not there yet stays a link`() async throws {
    let home = try TemporaryHome()
    let target = home.path + "/dotfiles-podcli"
    mkdir(home.path + "/podcli", 0o700)
    symlink(target, home.path + "/podcli/config")
    #expect(try await home.podcli("config", "set", "speed=2").run().status == .exited(0))
    #expect(String(decoding: try contents(of: target), as: UTF8.self).contains("\nspeed = 2\n"))
    #expect(try await home.podcli("config", "get", "speed").run().output == "2\n")
    #expect(Files.target(of: home.path + "/podcli/config") == target)
  }

  private func text(of home: TemporaryHome) throws -> String {
    String(decoding: try contents(of: home.path + "/podcli/config"), as: UTF8.self)
  }

  @Test func `a bad line is passed over, kept, and replaced by setting or unsetting its key`() async throws {
    let home = try TemporaryHome()
    _ = try await home.podcli("config", "set", "speed=2").run()
    for command in ["set speed=2", "unset speed"] {
      try home.write("speed = 77\ntrim = mild\n", to: "podcli/config")
      let other = try await home.podcli("config", "set", "mono=on").run()
      #expect(other.status == .exited(0) && other.error.contains("line 1: speed must be"), "\(other)")
      #expect(try text(of: home) == "speed = 77\ntrim = mild\nmono = on\n")
      // A value that is none stops what would use it.
      let set = try await home.podcli("set", "nothing").run()
      #expect(
        set.status == .exited(1) && set.error.contains("line 1: ") && set.error.contains("config set KEY")
          && !set.error.contains("passed over"))
      let words = ["config"] + command.split(separator: " ").map(String.init)
      #expect(try await home.podcli(words).run().status == .exited(0))
      #expect(try await home.podcli("config", "get", "trim").run().output == "mild\n")
    }
  }

  @Test func `T2: a path and a value are shown without characters that hide or turn text`() async throws {
    let home = try TemporaryHome()
    let odd = home.path + "/a  b\u{202E}c\u{1B}[31m"
    let path = try await home.podcli("config", "path").setting("PODCLI_HOME", odd).run().output
    #expect(!path.unicodeScalars.contains { $0.isUnsafeToShow && $0 != "\n" })
    #expect(path.contains("bc[31m"))
    let outcome = try await home.podcli("config", "set", "fyyd-url=http://a\u{202E}b/\u{1B}[31m").run()
    let shown = outcome.error + (try await home.podcli("config", "get", "fyyd-url").run().output)
    #expect(!shown.unicodeScalars.contains { $0.isUnsafeToShow && $0 != "\n" })
  }

  @Test func `an unknown setting is refused with the nearest right one`() async throws {
    let home = try TemporaryHome()
    let unknown = try await home.podcli("config", "set", "sped=1").run()
    #expect(unknown.status == .exited(2))
    #expect(unknown.error.contains("there is no setting 'sped'; did you mean speed?"))
    let bad = try await home.podcli("config", "set", "trim=mid").run()
    #expect(bad.status == .exited(2))
    #expect(bad.error.contains("trim must be off, mild, medium or max, not 'mid'"))
    for words in [["get", "sped"], ["unset", "sped"]] {
      let other = try await home.podcli(["config"] + words).run()
      #expect(other.status == .exited(2))
      #expect(other.error == "podcli: KEY: there is no setting 'sped'\n  did you mean speed?\n")
    }
    #expect(try await home.podcli("config", "set", "speed").run().status == .exited(2))
    _ = try await home.podcli("config", "set", "speed=1").run()
    try home.write("speed = 1\nautopaly = off\n", to: "podcli/config")
    let inFile = try await home.podcli("config").run()
    #expect(inFile.status == .exited(0))
    #expect(inFile.error.contains("config, line 2: there is no setting 'autopaly'; did you mean autoplay?"))
    #expect(try await home.podcli("config", "get", "speed").run().output == "1\n")
    #expect(try await home.podcli("set", "nothing").run().status == .exited(3))
  }

  @Test func `concurrent changes lose nothing`() async throws {
    let home = try TemporaryHome()
    let settings = [
      "speed=2", "mono=on", "boost=on", "trim=mild", "skip-intro=5s", "skip-outro=6s", "keep=7", "order=oldest",
      "notify=on", "resume=never", "rewind=off", "autoplay=off", "refresh-jobs=9", "cache-size=1G",
    ]
    for _ in 1...3 {
      _ = try await home.podcli(["config", "unset"] + settings.map { String($0.prefix { $0 != "=" }) }).run()
      let setting = try settings.map { try home.podcli("config", "set", $0).start() }
      for process in setting { #expect(try await process.end().status == .exited(0)) }
      let text = String(decoding: try contents(of: home.path + "/podcli/config"), as: UTF8.self)
      let active = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { String($0).replacing(" ", with: "") }
      #expect(Set(active) == Set(settings))
    }
    #expect(names(in: home.path + "/podcli") == ["config"])
  }

  @Test func `as JSON`() async throws {
    let home = try TemporaryHome()
    let outcome = try await home.podcli("config", "get", "rewind", "--json").run()
    #expect(outcome.output.hasPrefix(#"{"key":"rewind","value":"on","origin":"standard""#))
  }

  @Test(arguments: [40, 80])
  func `fits the screen`(columns: Int) async throws {
    let stage = try await Stage.library(episodes: 1)
    for line in lines(plain(try await stage.screen(["config"], columns: columns))) {
      #expect(DisplayWidth.of(String(line)) <= columns)
    }
  }
}
