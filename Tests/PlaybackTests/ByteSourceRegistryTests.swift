import CMPV
import Testing

@testable import Playback

@Suite struct ByteSourceRegistryTests {
  /// libmpv takes `cancel_fn` off only after `close_fn`, so that another thread may call it in between.
  @Test func `a stream that libmpv has closed may still be cancelled`() throws {
    let registry = ByteSourceRegistry()
    let source = ArraySource([1, 2, 3])
    var closed: [mpv_stream_cb_info] = []
    for _ in 0..<1000 {
      var info = mpv_stream_cb_info()
      #expect(registry.open(registry.address(of: source), &info))
      info.close_fn(info.cookie)
      closed.append(info)
    }
    // Takes the memory of what was freed.
    let others = (0..<10_000).map { ArraySource([UInt8(truncatingIfNeeded: $0)]) }
    for info in closed { info.cancel_fn(info.cookie) }
    var byte: CChar = 0
    #expect(closed[0].read_fn(closed[0].cookie, &byte, 1) < 0)
    #expect(source.closeCount == 1000 && others.count == 10_000)
  }
}
