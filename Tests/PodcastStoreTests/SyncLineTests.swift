import PodcastModel
import TestSupport
import Testing
import Text

@testable import PodcastStore

/// Lines and keys by themselves.
struct SyncLineTests {
  private func line(_ text: String) -> SyncLine? {
    JSON(parsing: text).flatMap { SyncLine($0, from: "0f3c9a1be2d47586") }
  }

  @Test(
    arguments: [
      #"{"k":"podcast","p":"example.org/a.xml","r":{"sub":[1795352164123,1],"title":[5,"Alpha (mine)"],"tag:science":[7,1],"set:speed":[9,"1.5"]}}"#,
      #"{"k":"episode","p":"example.org/a.xml","g":"alpha-2","u":"9ae16a3b2f90404f","d":1789000000,"r":{"play":[1795352164123,{"at":1795352164,"done":0,"len":900000,"pos":300000}],"fav":[3,1,"aaaa"],"q":[4,"aV3f"]}}"#,
      #"{"k":"bookmark","p":"example.org/a.xml","g":"alpha-2","u":"9ae16a3b2f90404f","d":1789000000,"b":"5f1e0c77a2b4d690","r":{"is":[1795352164123,{"at":1795352164,"note":"quote","pos":61000}]}}"#,
    ]) func `a line is read and written alike`(text: String) throws
  {
    #expect(try #require(line(text)).texts(of: "0f3c9a1be2d47586") == [text])
  }

  @Test func `a podcast with many long former addresses has lines that every machine reads`() throws {
    let addresses = (0..<60).map { "https://example.org/\($0)/" + String(repeating: "a", count: 3900) }
    let others = Array(addresses.dropFirst())
    let identity = SyncValue.identity(url: addresses[0], others: others, guid: nil, title: "Alpha")
    var registers = [
      SyncRegister("is", stamp: 1, device: "a", value: identity.compact),
      SyncRegister("sub", stamp: 2, device: "a", value: "1"),
    ]
    for number in 0..<20 {
      let value = JSON(String(repeating: "\(number % 10)", count: 3900)).compact
      registers.append(SyncRegister("set:key\(number)", stamp: 3, device: "a", value: value))
    }
    let lines = SyncLine(SyncEntity(podcast: "example.org/0"), registers).texts(of: "0f3c9a1be2d47586")
    #expect(lines.allSatisfy { $0.utf8.count < 64 << 10 })
    #expect(lines.compactMap(line).flatMap(\.registers).map(\.name) == registers.map(\.name))
    #expect(lines.compactMap(line).flatMap(\.registers).first?.value == identity.compact)
  }

  @Test func `values that make no sense are left out, one by one`() throws {
    let registers = [
      #""sub":[1,2]"#, #""sub":["x",1]"#, #""sub":[-1,1]"#, #""sub":[4102444800001,1]"#, #""set:hook":[1,7]"#,
      #""is":[1,{"url":"file:///etc/passwd"}]"#, #""is":[1,{"url":"https://u:p@example.org/"}]"#, #""unknown":[1,1]"#,
      #""tag:":[1,1]"#, #""tag:a":[1,1,"é"]"#, #""title":[1,""]"#, #""play":[1,{"pos":1,"done":0}]"#,
    ]
    for register in registers {
      let read = try #require(line(#"{"k":"podcast","p":"a","r":{\#(register),"sub":[3,1]}}"#))
      #expect(read.registers.map(\.name).filter { $0 != "sub" } == [], "\(register)")
    }
    #expect(line(#"{"k":"nonsense","p":"a","r":{}}"#) == nil)
    #expect(line(#"{"k":"episode","p":"a","r":{"fav":[1,1]}}"#) == nil)
    let told = line(#"{"k":"podcast","p":"a","r":{"title":[1,"a\u001b[31mb<b>c</b>"]}}"#)
    #expect(told?.registers.first?.value == #""a[31mbc""#)
  }

  @Test func `the greater stamp wins, then the device, then the value, by bytes`() {
    let register = SyncRegister("fav", stamp: 5, device: "b", value: "1")
    #expect(SyncRegister("fav", stamp: 6, device: "a", value: "0").beats(register))
    #expect(SyncRegister("fav", stamp: 5, device: "c", value: "0").beats(register))
    #expect(!SyncRegister("fav", stamp: 5, device: "a", value: "2").beats(register))
    #expect(SyncRegister("fav", stamp: 5, device: "b", value: "2").beats(register))
    #expect(!register.beats(register))
  }

  @Test func `an address is one key however it is spelt`() {
    let spellings = [
      "https://example.org/a.xml", "http://Example.org/a.xml", "https://u:p@example.org:443/a.xml#x",
      "http://example.org:80/a.xml",
    ]
    #expect(Set(spellings.map(SyncAddress.key)) == ["example.org/a.xml"])
    #expect(SyncAddress.key("https://example.org/") == "example.org")
  }

  // MARK: The queue's keys

  @Test func `there is a key between any two keys, until they are dealt anew`() {
    var generator = SeededGenerator(seed: 7)
    var keys: [String] = []
    var dealt = 0
    for _ in 0..<3000 {
      let index = Int.random(in: 0...keys.count, using: &generator)
      let low = index > 0 ? keys[index - 1] : nil
      let high = index < keys.count ? keys[index] : nil
      if let key = QueueKey.between(low, high, using: &generator) {
        keys.insert(key, at: index)
      } else {
        dealt += 1
        keys = QueueKey.dealt(keys.count + 1, using: &generator)
      }
      #expect(zip(keys, keys.dropFirst()).allSatisfy { QueueKey.precedes($0, $1) })
    }
    #expect(dealt < 30)
    #expect(keys.allSatisfy { $0.utf8.count <= QueueKey.longest })
  }

  @Test func `a long queue that only grows at its end keeps its keys`() {
    var generator = SeededGenerator(seed: 7)
    var last: String?
    for _ in 0..<300 {
      let key = QueueKey.between(last, nil, using: &generator)
      if let key, let last { #expect(QueueKey.precedes(last, key)) }
      last = key ?? QueueKey.dealt(1, using: &generator)[0]
    }
  }

  @Test func `as few elements as possible move`() {
    #expect(QueueKey.longestRun(["b", "c", "a", "d"]) == [0, 1, 3])
    #expect(QueueKey.longestRun([nil, "b", nil]) == [1])
  }
}
