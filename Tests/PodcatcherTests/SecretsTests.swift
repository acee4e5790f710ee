import Glibc
import TestSupport
import Testing
import Transfer

@testable import Podcatcher

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
