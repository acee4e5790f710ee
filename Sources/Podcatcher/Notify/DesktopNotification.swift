private import Glibc
internal import System

/// A desktop notification, shown by libnotify's `notify-send`. Its failure is ignored.
struct DesktopNotification: ~Copyable {
  private let child: pid_t
  /// Reaches its end of file when the program has ended.
  private let end: Int32

  /// Starts `notify-send`; nil without a desktop or without the program.
  init?(summary: String, body: String, environment: Environment = .process) {
    guard Self.hasDesktop(environment) else { return nil }
    guard let pipe = ChildProgram.pipe() else { return nil }
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    let words = ["--app-name=podcli", "--", summary, body]
    let child = ChildProgram.start("notify-send", words, streams: [0: nothing, 1: pipe.write, 2: pipe.write])
    close(nothing)
    close(pipe.write)
    guard let child else {
      close(pipe.read)
      return nil
    }
    (self.child, end) = (child, pipe.read)
  }

  /// Waits until the program has ended: systemd kills the children of a service that ends sooner.
  consuming func wait(atMost patience: Duration) {
    let deadline = ContinuousClock.now + patience
    var bytes = [UInt8](repeating: 0, count: 256)
    var output = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
    while case let left = deadline - .now, left > .zero, poll(&output, 1, Int32(left / .milliseconds(1)) + 1) > 0 {
      guard read(end, &bytes, bytes.count) > 0 else { break }
    }
    close(end)
    _ = waitpid(child, nil, WNOHANG)
  }

  /// Leaves the program to itself, which a player does: it goes on, or its children outlive it.
  consuming func leave() {
    let (child, end) = (child, end)
    onThread {
      _ = waitpid(child, nil, 0)
      close(end)
    }
  }

  /// The session bus is named by a variable or has its standard path.
  static func hasDesktop(_ environment: Environment = .process) -> Bool {
    if environment["DBUS_SESSION_BUS_ADDRESS"] != nil { return true }
    return environment["XDG_RUNTIME_DIR"].map { access($0 + "/bus", F_OK) == 0 } ?? false
  }
}
