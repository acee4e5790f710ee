private import CMPV
private import Glibc
private import Synchronization

/// A libmpv core that draws one picture into memory, so that no picture library is needed. It is made, used and freed
/// on one thread.
final class PictureCore {
  private let mpv: podcli_mpv
  private let core: OpaquePointer
  private let byteSources = ByteSourceRegistry()

  /// As for sound, but with video on. A picture that claims to be enormous is not decoded.
  private static let options =
    MPVOptions.fixed + [
      ("vid", "auto"), ("aid", "no"), ("ao", "null"), ("vo", "libmpv"), ("hwdec", "no"), ("keepaspect", "no"),
      ("image-display-duration", "inf"), ("vd-lavc-o", "max_pixels=16777216"),
    ]

  init() throws(PlaybackError) {
    mpv = try MPVLibrary.table()
    guard let core = mpv.mpv_create() else { throw PlaybackError(.failed, "libmpv does not start") }
    self.core = core
    for (name, value) in Self.options { _ = mpv.mpv_set_option_string(core, name, value) }
    let code = mpv.mpv_initialize(core)
    guard code >= 0 else { throw PlaybackError(mpv, code: code) }
    _ = byteSources.register(with: mpv, core)
  }

  deinit {
    byteSources.cancelAll()
    mpv.mpv_terminate_destroy(core)
  }

  func picture(of file: [UInt8], fitting side: Int, within limit: Duration) -> DecodedPicture? {
    guard let canvas = makeCanvas() else { return nil }
    defer { mpv.mpv_render_context_free(canvas) }
    load(byteSources.address(of: BytesInMemory(file)))
    let deadline = ContinuousClock.now + limit
    var picture: DecodedPicture?
    while ContinuousClock.now < deadline {
      if mpv.mpv_render_context_update(canvas) & UInt64(MPV_RENDER_UPDATE_FRAME.rawValue) != 0 {
        picture = drawn(on: canvas, fitting: side) ?? picture
      }
      switch mpv.mpv_wait_event(core, 0.005)?.pointee.event_id {
      // A picture drawn before this may have been an empty screen.
      case MPV_EVENT_PLAYBACK_RESTART: return drawn(on: canvas, fitting: side) ?? picture
      case MPV_EVENT_END_FILE, MPV_EVENT_SHUTDOWN: return nil
      default: break
      }
    }
    return nil
  }

  private func load(_ address: String) {
    address.withCString { address in
      "loadfile".withCString { verb in
        var words: [UnsafePointer<CChar>?] = [verb, address, nil]
        _ = mpv.mpv_command_ret(core, &words, nil)
      }
    }
  }

  private func makeCanvas() -> OpaquePointer? {
    var kind = Array(MPV_RENDER_API_TYPE_SW.utf8CString)
    var canvas: OpaquePointer?
    let code = kind.withUnsafeMutableBufferPointer { kind in
      var parameters = [
        mpv_render_param(type: MPV_RENDER_PARAM_API_TYPE, data: kind.baseAddress),
        mpv_render_param(type: MPV_RENDER_PARAM_INVALID, data: nil),
      ]
      return mpv.mpv_render_context_create(&canvas, core, &parameters)
    }
    return code >= 0 ? canvas : nil
  }

  private func number(_ name: String) -> Int {
    var value: Int64 = 0
    return mpv.mpv_get_property(core, name, MPV_FORMAT_INT64, &value) >= 0 ? Int(clamping: value) : 0
  }

  private func drawn(on canvas: OpaquePointer, fitting side: Int) -> DecodedPicture? {
    let (width, height) = (number("dwidth"), number("dheight"))
    guard width > 0, height > 0 else { return nil }
    let scale = Double(side) / Double(max(width, height))
    let size = [max(1, Int(Double(width) * scale)), max(1, Int(Double(height) * scale))]
    // Rows that begin at multiples of 64 bytes are the fast ones.
    let stride = (size[0] * 4 + 63) / 64 * 64
    let surface = UnsafeMutableRawBufferPointer.allocate(byteCount: stride * (size[1] + 1), alignment: 64)
    defer { surface.deallocate() }
    guard render(canvas, size, stride, surface) else { return nil }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(size[0] * size[1] * 3)
    for row in 0..<size[1] {
      for column in 0..<size[0] {
        let start = row * stride + column * 4
        pixels.append(contentsOf: surface[start..<(start + 3)])
      }
    }
    return DecodedPicture(width: size[0], height: size[1], pixels: pixels)
  }

  private func render(
    _ canvas: OpaquePointer, _ size: [Int], _ stride: Int, _ surface: UnsafeMutableRawBufferPointer
  ) -> Bool {
    var size = size.map { Int32($0) }
    var stride = stride
    var waits: Int32 = 0
    var format = Array("rgb0".utf8CString)
    return size.withUnsafeMutableBytes { size in
      format.withUnsafeMutableBytes { format in
        withUnsafeMutableBytes(of: &stride) { stride in
          withUnsafeMutableBytes(of: &waits) { waits in
            var parameters = [
              mpv_render_param(type: MPV_RENDER_PARAM_SW_SIZE, data: size.baseAddress),
              mpv_render_param(type: MPV_RENDER_PARAM_SW_FORMAT, data: format.baseAddress),
              mpv_render_param(type: MPV_RENDER_PARAM_SW_STRIDE, data: stride.baseAddress),
              mpv_render_param(type: MPV_RENDER_PARAM_SW_POINTER, data: surface.baseAddress),
              mpv_render_param(type: MPV_RENDER_PARAM_BLOCK_FOR_TARGET_TIME, data: waits.baseAddress),
              mpv_render_param(type: MPV_RENDER_PARAM_INVALID, data: nil),
            ]
            return mpv.mpv_render_context_render(canvas, &parameters) >= 0
          }
        }
      }
    }
  }
}

/// A file that is in memory already.
private final class BytesInMemory: ByteSource {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func open() -> (any ByteStream)? { Reading(bytes) }

  private final class Reading: ByteStream {
    private let bytes: [UInt8]
    private let offset = Mutex(0)

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var size: Int64? { Int64(bytes.count) }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
      offset.withLock { offset in
        let count = min(buffer.count, bytes.count - offset)
        buffer.copyBytes(from: bytes[offset..<(offset + count)])
        offset += count
        return count
      }
    }

    func seek(to target: Int64) -> Bool {
      guard (0...Int64(bytes.count)).contains(target) else { return false }
      offset.withLock { $0 = Int(target) }
      return true
    }

    func cancel() {}
    func close() {}
  }
}
