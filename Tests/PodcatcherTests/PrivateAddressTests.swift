import Testing
import Transfer

@testable import Podcatcher

@Suite struct PrivateAddressTests {
  @Test(arguments: [
    ("https://h.example/feed", "https://h.example/feed"), ("https://u:p@h.example/feed", "https://h.example/feed"),
    ("https://h.example/feed?page=2", "https://h.example/feed?page=2"),
  ])
  func `an address without a secret is stored as it is`(address: String, listed: String) {
    #expect(PrivateAddress(address).listed == listed)
  }

  @Test func `user and password are taken out, decoded`() {
    let address = PrivateAddress("https://m%40x:p%3A@h.example:8080/feed?a=b")
    #expect(address.real == "https://h.example:8080/feed?a=b")
    #expect(address.secret == Secret(address: nil, credentials: .init(user: "m@x", password: "p:")))
  }

  @Test(arguments: [("https://h.example/feed?auth=t0k3n", false), ("https://h.example/t0k3n/feed", true)])
  func `a secret address has a stand-in, the same one every time`(address: String, isPrivate: Bool) {
    let covered = PrivateAddress(address, isPrivate: isPrivate)
    #expect(covered.listed.hasPrefix("private://h.example/"))
    #expect(!covered.listed.contains("t0k3n"))
    #expect(covered.listed == PrivateAddress(address, isPrivate: isPrivate).listed)
    #expect(covered.secret?.address == address)
  }
}
