import CommandKit
import Testing

@testable import podcli

@Suite struct PodcliDeclarationTests {
  @Test func `every command and option is explained, and help, manual and completions agree`() {
    #expect(Program.podcli.faults() == [])
  }
}
