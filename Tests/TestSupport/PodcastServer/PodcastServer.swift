private import Glibc
package import Text

/// A server for subscriptions and episode actions, as a test meets it: with the manners of one real program, the clock that
/// the test wants, and faults on request. The user is `alice`, the password `secret`.
package final class PodcastServer: Sendable {
  package static let user = "alice"
  package static let password = "secret"
  /// Basic authentication of the two.
  static let authorization = "Basic YWxpY2U6c2VjcmV0"

  private let server: LoopbackServer
  private let personality: Personality
  private let state = Observed(State())

  struct State {
    var account = Account()
    var faults: [Fault] = []
    var clockOffset: Int64 = 0
    var polls = 0
  }

  package init(_ personality: Personality, host: String = "127.0.0.1") throws(SystemError) {
    self.personality = personality
    server = try LoopbackServer(host: host)
    let (state, origin) = (state, server.origin)
    server.serveOthers { request in
      state.update { state in
        let answer = Self.answer(request, personality, origin, &state).header("Date", httpDate(present(state)))
        return personality == .opodsync ? answer.header("Set-Cookie", "sessionid=c00kie; path=/; HttpOnly") : answer
      }
    }
  }

  package var url: String { server.origin }
  package var requests: [Request] { server.requests }
  package func stop() { server.stop() }

  // MARK: The other side

  /// The subscriptions of the phone, which is another device.
  package var subscriptions: Set<String> { state.value.account.listed(for: "phone", personality) }

  /// All actions, as a client is told them.
  package var actions: [JSON] {
    let state = state.value
    return state.account.actions.map { personality.told($0) }
  }

  /// The phone changes its subscriptions.
  package func subscribe(_ url: String) { change(url, isAdded: true) }
  package func unsubscribe(_ url: String) { change(url, isAdded: false) }

  private func change(_ url: String, isAdded: Bool) {
    state.update { state in
      state.account.change(personality.spelled(url), by: "phone", isAdded: isAdded, at: present(state), personality)
    }
  }

  /// The phone reports, under whatever time; the JSON is stored as this server stores it.
  package func report(_ action: JSON) {
    state.update { state in _ = state.account.take([action], personality, at: present(state)) }
  }

  /// A server that was set up anew.
  package func forgetEverything() { state.update { $0.account = Account() } }

  /// Seconds by which its clock is ahead.
  package func setClock(aheadBy seconds: Int64) { state.update { $0.clockOffset = seconds } }

  // MARK: Faults

  package struct Fault: Sendable {
    package enum Kind: Sendable {
      case status(Int, headers: [(name: String, value: String)] = [])
      case page
      case truncated
      /// The request is obeyed up to this number of actions, then fails.
      case halfDone(Int)
      /// This text instead of the answer.
      case text(String)
      case endless
      case redirect(String)
    }

    var kind: Kind
    /// A part of the path.
    var path: String
    var method: String?
    var times: Int
    /// A text that the body must have.
    var body: String?
  }

  /// The next requests of that kind fail.
  package func fail(
    _ kind: Fault.Kind, at path: String = "", method: String? = nil, times: Int = 1, where body: String? = nil
  ) {
    state.update { $0.faults.append(Fault(kind: kind, path: path, method: method, times: times, body: body)) }
  }

  package func repair() { state.update { $0.faults = [] } }

  private static func fault(for request: Request, _ state: inout State) -> Fault.Kind? {
    let body = String(decoding: request.body, as: UTF8.self)
    let found = state.faults.firstIndex { fault in
      fault.times > 0 && request.path.contains(fault.path) && fault.method ?? request.method == request.method
        && fault.body.map(body.contains) ?? true
    }
    guard let found else { return nil }
    state.faults[found].times -= 1
    return state.faults[found].kind
  }

  // MARK: Answers

  private static func answer(
    _ request: Request, _ personality: Personality, _ origin: String, _ state: inout State
  ) -> Response {
    let fault = fault(for: request, &state)
    switch fault {
    case .status(let status, let headers): return headers.reduce(.status(status)) { $0.header($1.name, $1.value) }
    case .page: return .ok("<!DOCTYPE html><html><body>Maintenance</body></html>", type: "text/html")
    case .text(let text): return .ok(text, type: "application/json")
    case .endless: return .endless(type: "application/json")
    case .redirect(let address): return .redirect(to: address)
    case .truncated, .halfDone, nil: break
    }
    if personality == .nextcloud, let response = loginFlow(request, origin, &state) { return response }
    guard request.header("Authorization") == authorization else { return unauthorized(request, personality) }
    let limit = if case .halfDone(let count) = fault { count } else { Int.max }
    let response = Interface(personality: personality, present: present(state)).answer(
      request, &state.account, takingAtMost: limit)
    if case .truncated = fault { return response.truncated(at: 20) }
    return limit < .max ? .status(500) : response
  }

  private static func unauthorized(_ request: Request, _ personality: Personality) -> Response {
    let isKnown = Interface.isKnown(request.path, personality)
    guard isKnown else { return .status(404, "<html>no such page</html>") }
    return .status(401, #"{"code":401,"message":"Invalid username\/password"}"#)
      .header("WWW-Authenticate", "Basic realm=\"Please login\"")
  }

  private static func loginFlow(_ request: Request, _ origin: String, _ state: inout State) -> Response? {
    switch request.path {
    case "/status.php": return .ok(#"{"installed":true,"versionstring":"30.0.1"}"#, type: "application/json")
    case "/index.php/login/v2":
      return .ok(
        #"{"poll":{"token":"2def5b78","endpoint":"\#(origin)/index.php/login/v2/poll"},"login":"\#(origin)/login.php?token=2def5b78"}"#,
        type: "application/json")
    case "/index.php/login/v2/poll":
      state.polls += 1
      guard state.polls > 1, request.body == Array("token=2def5b78".utf8) else {
        return .status(404, #"{"code":404}"#)
      }
      return .ok(
        #"{"server":"\#(origin)","loginName":"alice","appPassword":"secret"}"#, type: "application/json")
    default: return nil
    }
  }
}

private func present(_ state: PodcastServer.State) -> Int64 { Int64(time(nil)) + state.clockOffset }

/// RFC 9110's form.
private func httpDate(_ seconds: Int64) -> String {
  var (moment, parts) = (time_t(seconds), tm())
  gmtime_r(&moment, &parts)
  return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
    strftime(text.baseAddress!, 64, "%a, %d %b %Y %H:%M:%S GMT", &parts)
    return String(cString: text.baseAddress!)
  }
}
