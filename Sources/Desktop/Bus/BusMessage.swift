internal import CBus
private import Glibc

/// A message of sd-bus: its values are read and appended in their order. It is valid on the bus thread, during the call that
/// brings or makes it.
struct BusMessage {
  let sd: podcli_bus
  let pointer: OpaquePointer

  var interface: String? { sd.sd_bus_message_get_interface(pointer).map { String(cString: $0) } }
  var member: String? { sd.sd_bus_message_get_member(pointer).map { String(cString: $0) } }
  var isError: Bool { sd.sd_bus_message_is_method_error(pointer, nil) > 0 }

  // MARK: Reading

  func readString() -> String? { text("s") }
  func readPath() -> String? { text("o") }
  func readBool() -> Bool? { read("b", Int32(0)).map { $0 != 0 } }
  func readUInt32() -> UInt32? { read("u", 0) }
  func readInt64() -> Int64? { read("x", 0) }

  /// A number inside a variant.
  func readVariantDouble() -> Double? {
    guard sd.sd_bus_message_enter_container(pointer, code("v"), "d") > 0 else { return nil }
    return read("d", 0.0)
  }

  /// A descriptor of the caller's own.
  func readDescriptor() -> Int32? {
    guard let theirs = read("h", Int32(-1)) else { return nil }
    let ours = fcntl(theirs, F_DUPFD_CLOEXEC, 0)
    return ours < 0 ? nil : ours
  }

  private func text(_ type: Unicode.Scalar) -> String? {
    read(type, UnsafePointer<CChar>?.none)?.map { String(cString: $0) }
  }

  private func read<Value: BitwiseCopyable>(_ type: Unicode.Scalar, _ empty: Value) -> Value? {
    var value = empty
    return sd.sd_bus_message_read_basic(pointer, code(type), &value) > 0 ? value : nil
  }

  private func code(_ type: Unicode.Scalar) -> CChar { CChar(type.value) }

  // MARK: Writing

  func append(_ values: [BusValue]) { values.forEach(append) }

  func append(_ value: BusValue) {
    switch value {
    case .string(let text): append("s", text)
    case .path(let text): append("o", text)
    case .bool(let isTrue): append("b", number: Int32(isTrue ? 1 : 0))
    case .uint32(let number): append("u", number: number)
    case .int64(let number): append("x", number: number)
    case .double(let number): append("d", number: number)
    case .strings(let texts): inside("a", "s") { texts.forEach { append("s", $0) } }
    case .dictionary(let entries): inside("a", "{sv}") { entries.forEach(append) }
    }
  }

  func appendVariant(_ value: BusValue) { inside("v", value.signature) { append(value) } }

  private func append(_ entry: BusProperty) {
    inside("e", "sv") {
      append("s", entry.name)
      appendVariant(entry.value)
    }
  }

  private func append(_ type: Unicode.Scalar, _ text: String) {
    _ = text.withCString { sd.sd_bus_message_append_basic(pointer, code(type), $0) }
  }

  private func append<Number>(_ type: Unicode.Scalar, number: Number) {
    _ = withUnsafePointer(to: number) { sd.sd_bus_message_append_basic(pointer, code(type), $0) }
  }

  private func inside(_ type: Unicode.Scalar, _ contents: String, _ body: () -> Void) {
    guard sd.sd_bus_message_open_container(pointer, code(type), contents) >= 0 else { return }
    body()
    _ = sd.sd_bus_message_close_container(pointer)
  }

  // MARK: Answering

  /// Replies to a call with these values.
  func reply(_ fill: (BusMessage) -> Void = { _ in }) -> Int32 {
    var answer: OpaquePointer?
    guard sd.sd_bus_message_new_method_return(pointer, &answer) >= 0, let answer else { return -ENOMEM }
    defer { _ = sd.sd_bus_message_unref(answer) }
    fill(BusMessage(sd: sd, pointer: answer))
    _ = sd.sd_bus_send(nil, answer, nil)
    return 1
  }

  /// Replies with an error of D-Bus.
  func refuse(_ error: String, _ text: String) -> Int32 {
    ("org.freedesktop.DBus.Error." + error).withCString { name in
      text.withCString { text in
        var error = sd_bus_error(name: name, message: text, _need_free: 0)
        _ = sd.sd_bus_reply_method_error(pointer, &error)
      }
    }
    return 1
  }
}
