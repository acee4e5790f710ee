import Glibc
import PodcastModel
import TestSupport
import Testing
import Text
import Transfer

@testable import Podcatcher

@Suite struct PrivateAddressTests {
  @Test(arguments: [
    ("https://h.example/feed", "https://h.example/feed"), ("https://u:p@h.example/feed", "https://h.example/feed"),
    ("https://h.example/feed?page=2", "https://h.example/feed?page=2"),
  ])
  func `what is no secret stays readable`(address: String, listed: String) {
    #expect(PrivateAddress(address).listed == listed)
  }

  @Test func `user and password are taken out, decoded`() {
    let address = PrivateAddress("https://m%40x:p%3A@h.example:8080/feed?a=b")
    #expect(address.real == "https://h.example:8080/feed?a=b")
    #expect(address.secret == Secret(address: nil, credentials: .init(user: "m@x", password: "p:")))
  }

  @Test(arguments: [("https://h.example/feed?auth=t0k3n", false), ("https://h.example/t0k3n/feed", true)])
  func `a secret address is covered, the same way every time`(address: String, isPrivate: Bool) {
    let covered = PrivateAddress(address, isPrivate: isPrivate)
    #expect(covered.listed.hasPrefix("private://h.example/"))
    #expect(!covered.listed.contains("t0k3n"))
    #expect(covered.listed == PrivateAddress(address, isPrivate: isPrivate).listed)
    #expect(covered.secret?.address == address)
  }
}

@Suite struct SecretsTests {
  @Test func `C1: secrets are kept in a file for this user only`() throws {
    let home = try TemporaryHome()
    let secrets = Secrets(folder: home.path)
    let secret = Secret(address: "https://h.example/t0k3n", credentials: .init(user: "me", password: "p\"w\n"))
    #expect(secrets.keep(secret, for: "private://h.example/1"))
    #expect(secrets.keep(Secret(address: nil, credentials: .init(user: "a", password: "")), for: "https://b.example/"))
    #expect(Secrets(folder: home.path).secret(for: "private://h.example/1") == secret)
    var status = stat()
    #expect(stat(home.path + "/secrets", &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    #expect(secrets.keep(nil, for: "private://h.example/1"))
    #expect(Secrets(folder: home.path).all().count == 1)
  }

  @Test(arguments: ["[{\"feed\":\"https://a.example/\",\"user\":\"me\"", "edited by hand", "{}"])
  func `C1: a file of secrets that cannot be understood is not written over`(text: String) throws {
    let home = try TemporaryHome()
    try home.write(text, to: "secrets")
    let secrets = Secrets(folder: home.path)
    #expect(!secrets.keep(Secret(address: nil, credentials: .init(user: "a", password: "")), for: "https://b.example/"))
    #expect(try contents(of: home.path + "/secrets") == Array(text.utf8))
    #expect(secrets.all().isEmpty)
  }
}

@Suite struct HashTests {
  @Test func `SHA-1 as the standard has it`() {
    #expect(SHA1.hex("") == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
    #expect(SHA1.hex("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d")
    let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
    #expect(SHA1.hex(long) == "84983e441c3bd26ebaae4aa1f95129e5e54670f1")
    #expect(SHA1.hex(String(repeating: "a", count: 1_000_000)) == "34aa973cd4c4daa4f61eeb2bdbad27316534016f")
  }

  @Test(arguments: [1, 3, 7, 8, 64])
  func `a document's hash does not depend on the cuts`(size: Int) {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var whole = DocumentHash()
    bytes.withUnsafeBytes { whole.add($0) }
    var cut = DocumentHash()
    for start in stride(from: 0, to: bytes.count, by: size) {
      bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { cut.add($0) }
    }
    #expect(cut.value == whole.value)
  }

  @Test func `one changed byte, or a zero at the end, is another document`() {
    func hash(_ bytes: [UInt8]) -> Int64 {
      var hash = DocumentHash()
      bytes.withUnsafeBytes { hash.add($0) }
      return hash.value
    }
    #expect(Set([hash([1, 2, 3]), hash([1, 2, 4]), hash([1, 2, 3, 0]), hash([]), hash([0])]).count == 5)
  }
}
