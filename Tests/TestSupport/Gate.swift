private import CTestSupport
private import Glibc

/// Closed until the test opens it, then open for good. A server response or any thread can wait in front of it.
package final class Gate: Sendable {
  private let event: Descriptor

  package init() {
    guard let event = try? Descriptor(eventfd(0, Int32(podcli_eventfd_cloexec)), from: "eventfd") else {
      preconditionFailure("a test needs an eventfd, and the system has none")
    }
    self.event = event
  }

  package func open() {
    var one: UInt64 = 1
    _ = write(event.number, &one, MemoryLayout<UInt64>.size)
  }

  package var isOpen: Bool { !readable([event.number], until: Deadline(after: .zero)).isEmpty }

  /// Readable once the gate is open, for whoever polls it beside other things.
  var descriptor: Int32 { event.number }
}
