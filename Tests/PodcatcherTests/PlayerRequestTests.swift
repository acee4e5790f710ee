import PodcastModel
import TestSupport
import Testing
import Text

@testable import Podcatcher

/// The meaning of a line of the socket, and how bytes become lines.
@Suite struct PlayerRequestTests {
  private func read(_ line: String) -> PlayerRequest.Line { PlayerRequest.read(Array(line.utf8)) }

  @Test(
    arguments: [
      (#"{"do":"seek","to":"+30","id":7}"#, .command(.seek(.relative(.seconds(30))))),
      (#"{"do":"seek","to":90,"id":7}"#, .command(.seek(.at(.seconds(90))))),
      (#"{"do":"speed","to":1.5,"id":7}"#, .command(.speed(.to(1.5)))),
      (#"{"do":"boost","to":true,"id":7}"#, .command(.boost(.to(true)))),
      (
        #"{"id":7,"do":"open","episode":142,"to":"41:07"}"#,
        .command(.open(EpisodeID(rawValue: 142), at: .at(.seconds(2467))))
      ),
      (#"{"id":7,"do":"bookmark","note":"a \"recipe\""}"#, .command(.bookmark(note: "a \"recipe\""))),
      (#"{"id":7,"do":"watch","every":1}"#, .watch(every: .seconds(1))),
      (#"{"id":7,"do":"watch"}"#, .watch(every: .zero)),
      (#"{"id":7,"do":"status","more":[1]}"#, .status),
    ] as [(String, PlayerRequest)])
  func `a request is read`(line: String, request: PlayerRequest) throws {
    let line = read(line)
    #expect(try line.request.get() == request)
    #expect(line.id == 7)
  }

  @Test(
    arguments: [
      ("", .notJSON), ("{", .notJSON), ("hello", .notJSON), (String(repeating: "[", count: 60_000), .notJSON),
      ("[]", .notARequest), ("7", .notARequest), ("{}", .notARequest), (#"{"do":7}"#, .notARequest),
      (#"{"do":"fly"}"#, .unknownWord("fly")), (#"{"do":"skip-start"}"#, .unknownWord("skip-start")),
      (#"{"do":"chapters"}"#, .unknownWord("chapters")),
    ] as [(String, ControlError)])
  func `another line is an error of its own`(line: String, error: ControlError) {
    #expect(throws: error) { try read(line).request.get() }
  }

  @Test func `bytes that are no text are refused`() {
    let line = PlayerRequest.read(Array(#"{"do":"bookmark","note":""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8))
    #expect(throws: ControlError.notUTF8) { try line.request.get() }
  }

  @Test func `lines come out whole, however they are cut`() {
    let text = Array("one\ntwo\r\n\n\nthree".utf8)
    for size in 1...text.count {
      var reader = LineReader()
      var lines: [LineReader.Line] = []
      for start in stride(from: 0, to: text.count, by: size) {
        lines += reader.take(text[start..<min(start + size, text.count)])
      }
      #expect(lines == [.bytes(Array("one".utf8)), .bytes(Array("two".utf8))])
    }
  }

  @Test func `a line of 64 KiB is read, a longer one is reported once and passed over`() {
    var reader = LineReader()
    let longest = [UInt8](repeating: 65, count: LineReader.longest)
    #expect(reader.take(longest + [10]) == [.bytes(longest)])
    #expect(reader.take(longest) == [])
    #expect(reader.take([65]) == [.tooLong])
    #expect(reader.take(longest) == [])
    #expect(reader.take([10] + Array("next\n".utf8)) == [.bytes(Array("next".utf8))])
  }

  @Test func `a slow reader loses ticks, and never a change`() {
    var outbox = Outbox()
    var taken: [UInt8] = []
    func take(_ limit: Int) {
      var left = limit
      let isReading = outbox.drain { bytes in
        let count = min(left, bytes.count)
        taken += bytes[..<count]
        left -= count
        return count
      }
      #expect(isReading)
    }
    _ = outbox.add(Array("change 1\n".utf8))
    take(3)
    for number in 1...100 { outbox.addTick(Array("tick \(number)\n".utf8)) }
    _ = outbox.add(Array("change 2\n".utf8))
    for number in 1...100 { outbox.addTick(Array("later \(number)\n".utf8)) }
    take(.max)
    #expect(String(decoding: taken, as: UTF8.self) == "change 1\nchange 2\nlater 100\n")
    #expect(outbox.isEmpty)
    var isRoom = true
    for _ in 0..<1_000 where isRoom { isRoom = outbox.add([UInt8](repeating: 65, count: 1_000)) }
    #expect(!isRoom)
  }

  @Test func `random bytes make neither the reader nor the requests fail`() {
    var random = SeededGenerator(seed: 17)
    var reader = LineReader()
    let alphabet = Array(#"{}[]":,\n do seek to 0123 \u00e9\"#.utf8) + [10, 13, 0xFF, 0xC3]
    for _ in 0..<3_000 {
      let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in alphabet.randomElement(using: &random)! }
      for case .bytes(let line) in reader.take(bytes) { _ = PlayerRequest.read(line) }
    }
  }
}
