import Testing

@testable import Desktop

@Suite struct MPRISTests {
  @Test func `without an episode the track is that for none, and nothing can be done`() {
    let properties = MPRIS.changing(MediaState(playback: .stopped))
    let none = BusValue.path("/org/mpris/MediaPlayer2/TrackList/NoTrack")
    #expect(properties.first?.value == .dictionary([BusProperty("mpris:trackid", none)]))
    #expect(properties.filter { $0.name.hasPrefix("Can") }.map(\.value) == Array(repeating: .bool(false), count: 5))
  }
}
