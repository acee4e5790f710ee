import Testing

@testable import Desktop

@Suite struct SoundRouteTests {
  private static let speaker = SoundRoute(sink: 1, port: "analog-output-speaker", formFactor: "internal", bus: "pci")
  private static let jack = SoundRoute(sink: 1, port: "analog-output-headphones", formFactor: "internal", bus: "pci")
  private static let wireless = SoundRoute(sink: 2, port: "headset-output", formFactor: "headset", bus: "bluetooth")

  @Test(arguments: [
    (SoundRoute(sink: 1, port: "[Out] Headphones", formFactor: nil, bus: nil), true),
    (SoundRoute(sink: 1, port: nil, formFactor: "headphone", bus: nil), true),
    (SoundRoute(sink: 1, port: "analog-output", formFactor: nil, bus: "usb"), true),
    (SoundRoute(sink: 1, port: "speaker-output", formFactor: "speaker", bus: "bluetooth"), true),
    (SoundRoute(sink: 1, port: "hdmi-output-0", formFactor: "tv", bus: "pci"), false),
    (SoundRoute(sink: 1, port: nil, formFactor: nil, bus: nil), false),
  ])
  func `headphones, headsets, Bluetooth and USB are for one listener`(route: SoundRoute, isPersonal: Bool) {
    #expect(route.isPersonal == isPersonal)
  }

  @Test(arguments: [
    ([jack, speaker], true), ([wireless, speaker], true), ([wireless, jack], true), ([jack, jack], false),
    ([speaker, jack], false), ([speaker, wireless], false), ([speaker], false), ([wireless], false),
  ])
  func `sound that leaves the headphones is noticed, sound that comes to them is not`(
    routes: [SoundRoute], isGone: Bool
  ) {
    var watch = HeadphoneWatch()
    #expect(routes.map { watch.isGone(at: $0) }.last == isGone)
  }
}
