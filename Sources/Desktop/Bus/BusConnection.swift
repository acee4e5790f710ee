internal import CBus
internal import Glibc

/// A connection to a bus. All calls are made on the bus thread; none of them waits.
final class BusConnection {
  enum Bus { case user, system }

  private let sd: podcli_bus
  private let bus: OpaquePointer

  /// Nil without the library, or without such a bus.
  init?(_ which: Bus) {
    guard let sd = Self.library else { return nil }
    var bus: OpaquePointer?
    let result = which == .user ? sd.sd_bus_open_user(&bus) : sd.sd_bus_open_system(&bus)
    guard result >= 0, let bus else { return nil }
    (self.sd, self.bus) = (sd, bus)
  }

  deinit { _ = sd.sd_bus_close_unref(bus) }

  private static let library: podcli_bus? = {
    var sd = podcli_bus()
    return podcli_bus_load(&sd) == nil ? sd : nil
  }()

  // MARK: Waiting

  /// To be polled; nil when the connection is dead.
  var poll: pollfd? {
    let (descriptor, events) = (sd.sd_bus_get_fd(bus), sd.sd_bus_get_events(bus))
    guard descriptor >= 0, events >= 0 else { return nil }
    return pollfd(fd: descriptor, events: Int16(events), revents: 0)
  }

  /// In microseconds of the monotonic clock, when `process` is to be called though nothing has come.
  var deadline: UInt64? {
    var moment: UInt64 = 0
    guard sd.sd_bus_get_timeout(bus, &moment) >= 0, moment != .max else { return nil }
    return moment
  }

  /// Takes everything that has come. False when the connection is dead.
  func process() -> Bool {
    while true {
      let result = sd.sd_bus_process(bus, nil)
      if result <= 0 { return result == 0 && poll != nil }
    }
  }

  // MARK: Serving

  /// Calls `object` for every call to that path. It must live as long as the connection.
  func serve(_ object: MediaPlayerObject, at path: String) {
    _ = sd.sd_bus_add_object(
      bus, nil, path,
      { message, object, _ in
        let object = Unmanaged<MediaPlayerObject>.fromOpaque(object!).takeUnretainedValue()
        return object.answer(BusMessage(sd: object.connection.sd, pointer: message!))
      }, Unmanaged.passUnretained(object).toOpaque())
  }

  /// Sends a signal.
  func emit(_ path: String, _ interface: String, _ member: String, _ values: [BusValue]) {
    var message: OpaquePointer?
    guard sd.sd_bus_message_new_signal(bus, &message, path, interface, member) >= 0, let message else { return }
    defer { _ = sd.sd_bus_message_unref(message) }
    BusMessage(sd: sd, pointer: message).append(values)
    _ = sd.sd_bus_send(bus, message, nil)
  }

  /// Asks for a name on the bus; false when another connection has it.
  func requestName(_ name: String, done: @escaping (Bool) -> Void) {
    let reply = Unmanaged.passRetained(Reply(sd) { done($0?.readUInt32() == 1) })
    _ = sd.sd_bus_request_name_async(bus, nil, name, 0, Self.replied, reply.toOpaque())
  }

  // MARK: Calling

  /// An object of another program, by an interface of it.
  struct Peer {
    var name: String
    var path: String
    var interface: String
  }

  /// `done` is given nil where the call failed. A program that does not run is not started for it.
  func call(_ peer: Peer, _ member: String, _ values: [BusValue], done: @escaping (BusMessage?) -> Void = { _ in }) {
    var message: OpaquePointer?
    guard
      sd.sd_bus_message_new_method_call(bus, &message, peer.name, peer.path, peer.interface, member) >= 0,
      let message
    else { return done(nil) }
    defer { _ = sd.sd_bus_message_unref(message) }
    _ = sd.sd_bus_message_set_auto_start(message, 0)
    BusMessage(sd: sd, pointer: message).append(values)
    let reply = Unmanaged.passRetained(Reply(sd, done))
    if sd.sd_bus_call_async(bus, nil, message, Self.replied, reply.toOpaque(), 0) < 0 {
      reply.takeRetainedValue().take(nil)
    }
  }

  /// Calls `handler` for each such signal, as long as the connection lives.
  func listen(to peer: Peer, _ member: String, _ handler: @escaping (BusMessage) -> Void) {
    let listener = Reply(sd) { if let message = $0 { handler(message) } }
    listeners.append(listener)
    _ = sd.sd_bus_match_signal_async(
      bus, nil, peer.name, peer.path, peer.interface, member,
      { message, listener, _ in
        let listener = Unmanaged<Reply>.fromOpaque(listener!).takeUnretainedValue()
        listener.take(message)
        return 0
      }, { _, _, _ in 0 }, Unmanaged.passUnretained(listener).toOpaque())
  }

  private var listeners: [Reply] = []

  /// Takes an answer, or signals. It is given to sd-bus as a pointer.
  private final class Reply {
    let done: (BusMessage?) -> Void
    private let sd: podcli_bus

    init(_ sd: podcli_bus, _ done: @escaping (BusMessage?) -> Void) { (self.sd, self.done) = (sd, done) }

    func take(_ pointer: OpaquePointer?) {
      let message = pointer.map { BusMessage(sd: sd, pointer: $0) }
      done(message?.isError == false ? message : nil)
    }
  }

  /// For a reply that sd-bus calls once, with an error where the connection dies first.
  private static let replied: sd_bus_message_handler_t = { message, reply, _ in
    let reply = Unmanaged<Reply>.fromOpaque(reply!).takeRetainedValue()
    reply.take(message)
    return 0
  }
}
