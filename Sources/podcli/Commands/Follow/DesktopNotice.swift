import Glibc
import Podcatcher

/// A word to the desktop, by libnotify's program, where there are both. Nobody waits long for it, or hears of it when it
/// fails.
struct DesktopNotice: ~Copyable {
  private let child: pid_t
  /// Says when the program has ended.
  private let end: Int32

  /// Nil where there is nobody to tell.
  init?(_ news: NewsText, environment: Environment = .process) {
    guard Self.hasDesktop(environment) else { return nil }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    let words = ["--app-name=podcli", "--", news.summary, news.body]
    let child = ChildProgram.start("notify-send", words, streams: [0: nothing, 1: ends[1], 2: ends[1]])
    close(nothing)
    close(ends[1])
    guard let child else {
      close(ends[0])
      return nil
    }
    (self.child, end) = (child, ends[0])
  }

  /// Whoever ends sooner may take it along: a service's programs end with it.
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

  /// A session bus that is there is either named or in its usual place.
  private static func hasDesktop(_ environment: Environment) -> Bool {
    if environment["DBUS_SESSION_BUS_ADDRESS"] != nil { return true }
    return environment["XDG_RUNTIME_DIR"].map { access($0 + "/bus", F_OK) == 0 } ?? false
  }
}
