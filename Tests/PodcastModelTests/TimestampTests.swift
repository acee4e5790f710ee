import PodcastModel
import Testing

@Suite struct TimestampTests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
      (1_704_103_200, "2024-01-01T10:00:00Z"), (-62_135_596_800, "0001-01-01T00:00:00Z"),
      (253_402_300_799, "9999-12-31T23:59:59Z"),
    ] as [(Int64, String)])
  func `prints as RFC 3339 and comes back from its parts`(seconds: Int64, text: String) {
    let moment = Timestamp(seconds: seconds)
    #expect(moment.description == text)
    #expect(Timestamp(moment.civil) == moment)
  }

  @Test func `every day of four centuries has its own date`() {
    var previous = Timestamp(seconds: -86_400).civil
    for day in 0..<146_097 {
      let civil = Timestamp(seconds: Int64(day) * 86_400).civil
      let isNextDay = civil.day == previous.day + 1 && civil.month == previous.month
      let isNextMonth = civil.day == 1 && (civil.month == previous.month + 1 || civil.month == 1)
      guard isNextDay || isNextMonth else {
        Issue.record("\(previous) is followed by \(civil)")
        return
      }
      previous = civil
    }
  }

  @Test(arguments: [.min, .max, -1 << 51, 1 << 51] as [Int64])
  func `a moment that no calendar reaches is shown and compared without an overflow`(seconds: Int64) {
    let moment = Timestamp(seconds: seconds)
    #expect(Timestamp(moment.civil) == moment)
    #expect(moment.description.hasSuffix("Z"))
    let age = Timestamp.now.seconds - moment.seconds
    #expect(abs(age) > 1 << 49 && age * 1000 / 1000 == age)
  }

  @Test func `an hour of 24 is the next midnight`() {
    let moment = Timestamp(CivilTime(year: 2024, month: 2, day: 28, hour: 24))
    #expect(moment.description == "2024-02-29T00:00:00Z")
  }
}
