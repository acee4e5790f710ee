import Testing

@testable import Podcatcher

@Suite struct SetbacksTests {
  @Test func `the pauses grow, and hearing something makes up for everything`() {
    var setbacks = Setbacks()
    var pauses: [Duration] = []
    for _ in 0..<6 {
      pauses.append(setbacks.pause)
      setbacks.add()
    }
    #expect(pauses == [250, 500, 1000, 2000, 2000, 2000].map { .milliseconds($0) })
    setbacks.overcome()
    #expect(setbacks.isFirst)
  }
}
