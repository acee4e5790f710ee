import Testing

@testable import Playback

@Suite struct MPVOptionsTests {
  private func value(_ name: String, _ audioOutput: String?) -> String? {
    (MPVOptions.fixed + MPVOptions.audioOutput(audioOutput)).last { $0.name == name }?.value
  }

  @Test func `the device gets 0.4 s of sound ahead, unless the user's output says otherwise`() {
    #expect(value("pulse-buffer", nil) == "400")
    #expect(value("pipewire-buffer", "pipewire") == "400")
    #expect(value("pulse-buffer", "pulse:pulse-buffer=50") == "50")
  }

  @Test func `a whole file is read without a thread and a cache; bytes that may block are not`() {
    #expect(MPVHandle.fileOptions(.file("/a.mp3"), LoadOptions()) == "demuxer-thread=no,cache=no")
    #expect(MPVHandle.fileOptions(.bytes(NoBytes()), LoadOptions()).isEmpty)
  }

  private struct NoBytes: ByteSource {
    func open() -> (any ByteStream)? { nil }
  }
}
