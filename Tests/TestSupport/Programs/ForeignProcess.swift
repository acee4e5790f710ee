private import CTestSupport
private import Glibc

/// A process that is no child of the test's, such as a player in the background. It is killed when the last reference
/// is released, if it still runs; a process that gets the same id later is left alone.
package final class ForeignProcess: Sendable {
  package let pid: Int32
  /// A pidfd, which is readable once the process has ended.
  private let handle: Descriptor

  package init(_ pid: Int32) throws(SystemError) {
    self.pid = pid
    handle = try Descriptor(pidfd_open(pid, 0), from: "pidfd_open \(pid)")
  }

  deinit { _ = pidfd_send_signal(handle.number, SIGKILL, nil, 0) }

  /// Waits for its end.
  package func ended(by deadline: Deadline = Deadline()) async throws {
    let descriptor = handle.number
    let isOver = await offPool { !readable([descriptor], until: deadline).isEmpty }
    guard isOver else { throw Overdue("the end of process \(pid)") }
  }
}
