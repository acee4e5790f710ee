internal import CPulse
private import Glibc

/// A connection to the sound server, which asks anew for the way of the sound whenever something changes. It lives on its
/// main loop's thread.
final class PulseClient {
  private let pulse: podcli_pulse
  private let context: OpaquePointer?
  private let gone: () -> Void
  private var watch = HeadphoneWatch()
  private let process = String(getpid())
  /// False when there is no server, or it has gone away.
  private(set) var isAlive: Bool

  init(_ pulse: podcli_pulse, _ loop: OpaquePointer, gone: @escaping () -> Void) {
    self.pulse = pulse
    self.gone = gone
    context = pulse.pa_context_new(pulse.pa_mainloop_get_api(loop), "podcli")
    isAlive = false
    let me = Unmanaged.passUnretained(self).toOpaque()
    pulse.pa_context_set_state_callback(context, { _, me in PulseClient.of(me).stateChanged() }, me)
    pulse.pa_context_set_subscribe_callback(context, { _, _, _, me in PulseClient.of(me).ask() }, me)
    isAlive = pulse.pa_context_connect(context, nil, PA_CONTEXT_NOAUTOSPAWN, nil) >= 0
  }

  /// No callback follows.
  func close() {
    pulse.pa_context_set_state_callback(context, nil, nil)
    pulse.pa_context_disconnect(context)
    pulse.pa_context_unref(context)
  }

  private static func of(_ me: UnsafeMutableRawPointer?) -> PulseClient {
    Unmanaged<PulseClient>.fromOpaque(me!).takeUnretainedValue()
  }

  private func stateChanged() {
    switch pulse.pa_context_get_state(context) {
    case PA_CONTEXT_READY:
      let events = PA_SUBSCRIPTION_MASK_SINK_INPUT.rawValue | PA_SUBSCRIPTION_MASK_SINK.rawValue
      forget(pulse.pa_context_subscribe(context, pa_subscription_mask_t(rawValue: events), nil, nil))
      ask()
    case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: isAlive = false
    default: break
    }
  }

  /// Looks for this process's sound, and then for its sink.
  private func ask() {
    let me = Unmanaged.passUnretained(self).toOpaque()
    forget(
      pulse.pa_context_get_sink_input_info_list(
        context,
        { _, input, _, me in
          if let input = input?.pointee { PulseClient.of(me).take(input) }
        }, me))
  }

  private func take(_ input: pa_sink_input_info) {
    guard property(PA_PROP_APPLICATION_PROCESS_ID, of: input.proplist) == process else { return }
    let me = Unmanaged.passUnretained(self).toOpaque()
    forget(
      pulse.pa_context_get_sink_info_by_index(
        context, input.sink,
        { _, sink, _, me in
          if let sink = sink?.pointee { PulseClient.of(me).take(sink) }
        }, me))
  }

  private func take(_ sink: pa_sink_info) {
    let route = SoundRoute(
      sink: sink.index, port: sink.active_port.map { String(cString: $0.pointee.name) },
      formFactor: property(PA_PROP_DEVICE_FORM_FACTOR, of: sink.proplist),
      bus: property(PA_PROP_DEVICE_BUS, of: sink.proplist))
    if watch.isGone(at: route) { gone() }
  }

  private func property(_ name: String, of list: OpaquePointer?) -> String? {
    pulse.pa_proplist_gets(list, name).map { String(cString: $0) }
  }

  private func forget(_ operation: OpaquePointer?) {
    if let operation { pulse.pa_operation_unref(operation) }
  }
}
