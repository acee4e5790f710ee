import Testing

@testable import CommandKit

@Suite struct LineCompletionTests {
  private func completed(_ line: String) -> LineCompletion {
    let words = line.split(separator: " ").map(String.init)
    return Sample.program.completion(ofLine: words, isNewWord: line.isEmpty || line.hasSuffix(" "))
  }

  @Test func `the names of commands and subcommands are completed`() {
    #expect(completed("pl") == .words(["play", "playlist"]))
    #expect(completed("queue m") == .words(["move"]))
    #expect(completed("nothing x") == .words([]))
  }

  @Test func `arguments are asked for by their kind`() {
    #expect(completed("play ") == .dynamic(kind: "episode", prefix: ""))
    #expect(completed("play da") == .dynamic(kind: "episode", prefix: "da"))
    #expect(completed("play daily ") == .words([]))
    #expect(completed("playlist new unp") == .dynamic(kind: "filter", prefix: "unp"))
    #expect(completed("queue add one tw") == .dynamic(kind: "episode", prefix: "tw"))
  }

  @Test func `options and their values are completed`() {
    #expect(completed("play --re") == .words(["--resume", "--restart"]))
    #expect(completed("play --trim m") == .words(["mild", "max"]))
    #expect(completed("play --speed 1.4 da") == .dynamic(kind: "episode", prefix: "da"))
    #expect(completed("--color al") == .words(["always"]))
  }
}
