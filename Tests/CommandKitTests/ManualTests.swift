import CommandKit
import Testing

struct ManualTests {
  private func formatted(_ arguments: String...) throws -> Child.Result {
    try Child.run(
      ["groff", "-man", "-Kutf8", "-ww"] + arguments, environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"],
      input: Sample.program.text(of: .manual))
  }

  @Test func `the manual is roff without a complaint`() throws {
    let result = try formatted("-z")
    #expect(result.status == 0 && result.output.isEmpty, "\(result.output)")
  }

  @Test func `the manual reads well`() throws {
    let text = try formatted("-Tutf8", "-P-cbou").output
    print(text)
  }
}
