private import Glibc

/// A file descriptor that is closed when the last reference is released.
final class Descriptor: Sendable {
  let number: Int32

  /// Owns the descriptor that a system call returned; -1 becomes an error that names the call.
  init(_ number: Int32, from call: String) throws(SystemError) {
    guard number >= 0 else { throw SystemError(call) }
    self.number = number
  }

  deinit { close(number) }
}

/// The unexpected failure of a system call.
package struct SystemError: Error, CustomStringConvertible {
  package let description: String

  package init(_ call: String, code: Int32 = errno) {
    description = "\(call): \(String(cString: strerror(code)))"
  }
}

/// The descriptors that are readable or hung up; empty if the deadline passed first.
func readable(_ descriptors: [Int32], until deadline: Deadline? = nil) -> [Int32] {
  var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  while poll(&polled, nfds_t(polled.count), deadline?.pollTimeout ?? -1) < 0 && errno == EINTR {}
  return polled.filter { $0.revents != 0 }.map(\.fd)
}

/// Reads at most 64 KiB; empty at the end of the file and on an error.
func readSome(_ descriptor: Int32) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
    var result = -1
    repeat { result = read(descriptor, buffer.baseAddress, buffer.count) } while result < 0 && errno == EINTR
    count = max(0, result)
  }
}

/// Writes all bytes; false if the other end is closed.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  bytes.withUnsafeBytes { buffer in
    var rest = buffer[...]
    while !rest.isEmpty {
      let written = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if written < 0 && errno != EINTR { return false }
      rest = rest.dropFirst(max(0, written))
    }
    return true
  }
}
