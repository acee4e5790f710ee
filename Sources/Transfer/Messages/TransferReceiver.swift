/// Hears of one transfer, on the client's thread: no method may block. `didEnd` comes exactly once, last.
protocol TransferReceiver: AnyObject, Sendable {
  func didReceive(_ head: HTTPHead)
  /// Returns whether to go on at once; when false, nothing more comes until `TransferHandle.resume`,
  /// and these bytes come again.
  func didReceive(_ bytes: UnsafeRawBufferPointer) -> Bool
  func didEnd(_ result: Result<HTTPHead, TransferError>)
}
