import FeedKit
import Glibc
import PodcastModel

/// The functions to fuzz, chosen by the name in `PODCLI_FUZZ_TARGET`, else by the first byte.
private let targets: [(name: String, run: @Sendable ([UInt8]) -> Void)] = [
  ("feed", fuzzFeed), ("jsonfeed", fuzzFeed), ("dates", { _ = DateText.timestamp(text($0)) }),
  ("durations", { _ = DurationText.seconds(text($0)) }), ("opml", fuzzOutlines),
  ("chapters", { _ = ChapterFile.chapters(in: $0) }), ("transcripts", { _ = Transcript.segments(in: $0) }),
  ("html", fuzzHTML), ("json", fuzzJSON), ("addresses", fuzzAddress), ("commands", fuzzCommandLine),
  ("filters", fuzzFilter), ("words", fuzzWords), ("config", fuzzConfig),
  ("remote", fuzzRemote), ("libraries", fuzzLibrary), ("sync", fuzzSync),
]

private let chosen = getenv("PODCLI_FUZZ_TARGET").map { name in
  targets.first { $0.name == String(cString: name) } ?? { fatalError("no target is called \(String(cString: name))") }()
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  if let chosen {
    chosen.run(bytes)
  } else if let first = bytes.first {
    targets[Int(first) % targets.count].run(Array(bytes.dropFirst()))
  }
  return 0
}

/// Like `precondition`, but with its message in an optimised build, too.
func insist(_ condition: Bool, _ words: @autoclosure () -> String) {
  if !condition { fatalError(words()) }
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
