private import CTestSupport
private import Glibc

/// A gate that is closed until the test opens it, and then stays open. Server responses and threads can wait for it.
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

  /// Waits until it is open.
  package func opened() async {
    let descriptor = event.number
    await offPool { _ = readable([descriptor]) }
  }

  /// A descriptor that is readable once the gate is open, for `poll`.
  var descriptor: Int32 { event.number }
}
