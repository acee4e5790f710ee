import PodcastModel
import Testing

@testable import Podcatcher

@Suite struct SafeAddressTests {
  @Test(arguments: [
    ("https://example.org/feed", "https://example.org/feed"),
    ("https://me:pass@example.org/feed", "https://example.org/feed"),
    ("https://example.org/feed?token=1", "https://example.org/feed?…"),
    ("https://a@b@example.org/x@y?z", "https://example.org/x@y?…"),
  ])
  func `secrets are removed from addresses`(address: String, shown: String) {
    #expect(SafeAddress.shown(address) == shown)
  }
}
