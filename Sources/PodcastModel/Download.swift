/// The state of an episode's media file on this machine.
package struct Download: Hashable, Sendable {
  /// The state of the transfer; the database and JSON have its raw value.
  package enum State: String, Sendable, CaseIterable { case pending, downloading, paused, failed, complete }

  package var state: State
  /// 0 to 1; absent while the size is unknown.
  package var progress: Double?
  package var path: String?
  /// Why the last attempt failed, where the state is `failed`.
  package var error: String?

  package init(state: State, progress: Double? = nil, path: String? = nil, error: String? = nil) {
    self.state = state
    self.progress = progress
    self.path = path
    self.error = error
  }
}
