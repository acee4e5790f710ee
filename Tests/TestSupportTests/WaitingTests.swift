import Glibc
import TestSupport
import Testing

@Suite struct WaitingTests {
  @Test func `a wait ends when another thread changes the value`() async throws {
    let numbers = Observed<[Int]>([])
    async let last = numbers.wait(for: "three numbers") { $0.count == 3 ? $0.last : nil }
    for number in 1...3 { numbers.update { $0.append(number) } }
    #expect(try await last == 3)
  }

  @Test func `a wait that times out names the missing condition`() async throws {
    let number = Observed(7)
    let error = await #expect(throws: Overdue.self) {
      try await number.wait(for: "an eight", by: Deadline(after: .zero)) { $0 == 8 }
    }
    #expect(error?.description == "waited in vain for an eight; seen so far: 7")
  }

  @Test func `a change to a file is noticed`() async throws {
    let home = try TemporaryHome()
    async let appeared: Void = eventually("the file", watching: home.path) {
      (try? contents(of: "\(home.path)/a")) == Array("done".utf8)
    }
    try home.write("begun", to: "a")
    try home.write("done", to: "a")
    try await appeared
  }

  @Test func `a home is removed with its contents`() throws {
    var path = ""
    do {
      let home = try TemporaryHome()
      path = home.path
      mkdir("\(path)/deep", 0o700)
      try home.write("x", to: "deep/file")
      symlink("/", "\(path)/deep/link")
      chmod("\(path)/deep", 0o500)
      #expect(home.environment["PODCLI_HOME"] == "\(path)/podcli")
    }
    #expect(access(path, F_OK) == -1)
    #expect(access("/usr", F_OK) == 0)
  }
}

@Suite struct SampleTests {
  @Test func `a tone is a WAV file of its length`() {
    let tone = Tone(seconds: 1.5, frequency: 1000, sampleRate: 8000).then(seconds: 0.5, frequency: nil)
    #expect(tone.wav.count == 44 + 2 * 16_000)
    #expect(tone.wav[4...7].elementsEqual([0x24, 0x7D, 0, 0]))
    #expect(tone.samples.max() == 12_000)
    #expect(tone.samples.suffix(4000).allSatisfy { $0 == 0 })
  }

  @Test func `a tone is encoded in another format`() async throws {
    let mp3 = try await Tone(seconds: 1).encoded(as: "mp3")
    #expect(mp3.starts(with: Array("ID3".utf8)))
  }

  @Test func `a feed has its episodes newest first, a day apart`() {
    let xml = SampleFeed(episodes: 60).xml
    #expect(xml.contains("<pubDate>Thu, 29 Feb 2024 12:00:00 GMT</pubDate>"))
    #expect(xml.split(separator: "<item>").count == 61)
    #expect(xml.split(separator: "<item>")[1].contains("<title>Episode 60</title>"))
  }
}
