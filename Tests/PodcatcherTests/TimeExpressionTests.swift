import Testing

@testable import Podcatcher

@Suite struct TimeExpressionTests {
  @Test(
    arguments: [
      ("41:07", 2467), ("1:02:03", 3723), ("90", 90), ("90s", 90), ("1h2m", 3720), ("2m30s", 150), ("0", 0),
      ("1.5", 1.5), ("1H", 3600), ("0:05.5", 5.5),
    ] as [(String, Double)])
  func `reads a position`(text: String, seconds: Double) {
    #expect(TimeExpression(text) == .at(.seconds(seconds)))
  }

  @Test func `reads fractions and steps`() {
    #expect(TimeExpression("50%") == .fraction(0.5))
    #expect(TimeExpression("+30") == .relative(.seconds(30)))
    #expect(TimeExpression("-1m") == .relative(.seconds(-60)))
    #expect(TimeExpression("-1:30") == .relative(.seconds(-90)))
  }

  @Test(arguments: [
    "", "x", "1:2:3:4", "1:60", "2m1h", "1h2", "101%", "-", "+-3", "1e5", "٣", "--3", ":", "1:", "1.5:30",
  ])
  func `refuses other text`(text: String) {
    #expect(TimeExpression(text) == nil)
  }

  @Test func `a step never leads before the start`() {
    #expect(TimeExpression("-1m")?.resolved(duration: nil, current: .seconds(20)) == .zero)
    #expect(TimeExpression("50%")?.resolved(duration: .seconds(100)) == .seconds(50))
    #expect(TimeExpression("50%")?.resolved(duration: nil) == nil)
  }
}
