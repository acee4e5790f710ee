private import Glibc

/// Wakes a thread that waits in `poll`: from any thread, any number of times.
package final class WakePipe: Sendable {
  /// Readable after `wake`.
  package let descriptor: Int32
  private let end: Int32

  /// Nil, with `errno`, when the process has no more descriptors.
  package init?() {
    guard let pipe = ChildProgram.pipe() else { return nil }
    for end in [pipe.read, pipe.write] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    (descriptor, end) = pipe
  }

  deinit {
    close(descriptor)
    close(end)
  }

  package func wake() {
    var byte: UInt8 = 0
    write(end, &byte, 1)
  }

  /// Takes back every `wake` until now. To be called before looking for work: what comes later wakes again.
  package func reset() {
    var bytes: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
    while read(descriptor, &bytes, bytes.count) > 0 {}
  }
}
