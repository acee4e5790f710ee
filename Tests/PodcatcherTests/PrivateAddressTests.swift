import Testing
import Transfer

@testable import Podcatcher

@Suite struct PrivateAddressTests {
  @Test func `an unencrypted address replaces no encrypted one, and one in clear only a secret that is missing`() {
    let http = PrivateAddress("http://a.example/s", isPrivate: true)
    let https = PrivateAddress("https://a.example/s", isPrivate: true)
    #expect(http.secret(replacing: https.secret)?.address == "https://a.example/s")
    #expect(https.secret(replacing: http.secret)?.address == "https://a.example/s")
    let other = PrivateAddress("http://a.example/other", isPrivate: true)
    #expect(other.secret(replacing: https.secret)?.address == "http://a.example/other")
    let signedIn = PrivateAddress("https://me:pw@a.example/s", isPrivate: true)
    #expect(http.secret(replacing: signedIn.secret) == signedIn.secret)
    #expect(other.secret(replacing: signedIn.secret)?.credentials == nil)
    let elsewhere = PrivateAddress("https://cdn.example/s", isPrivate: true)
    #expect(PrivateAddress("https://me:pw@a.example/s").secret(replacing: elsewhere.secret) == signedIn.secret)
    let clear = PrivateAddress("http://a.example/s")
    #expect(clear.secret(replacing: https.secret) == nil)
    #expect(clear.secret(replacing: nil)?.address == "http://a.example/s")
  }

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
