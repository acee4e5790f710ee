/// A running transfer. Letting go of it does not end it; `cancel` does, and frees everything.
struct TransferHandle: Sendable {
  let id: UInt64
  let loop: CurlLoop

  func cancel() { loop.cancel(id) }
  func resume() { loop.resume(id) }
}
