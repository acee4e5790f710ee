import Testing
import Transfer

@testable import Podcatcher

@Suite struct NetworkFailureTests {
  @Test(
    arguments: [
      (.libraryMissing, .libraryMissing), (.badAddress, .badAddress), (.refusedRedirect, .refusedRedirect),
      (.cannotResolve, .cannotResolve), (.cannotConnect, .cannotConnect), (.insecure, .insecure),
      (.tooLarge, .tooLarge), (.badAnswer, .badAnswer), (.tooManyRedirects, .badAnswer), (.stalled, .broken),
      (.cut, .broken), (.cancelled, .broken), (.failed, .broken),
    ] as [(TransferError.Code, NetworkFailure.Reason)])
  func `keeps the message and the reason of a transfer's error`(code: TransferError.Code, reason: NetworkFailure.Reason)
  {
    let failure = NetworkFailure(TransferError(code, "words of libcurl"))
    #expect(failure.reason == reason)
    #expect(failure.message == "words of libcurl")
  }

  @Test func `a transfer under --offline has its own reason`() {
    #expect(NetworkFailure(NetworkFailure.offline).reason == .offline)
  }
}
