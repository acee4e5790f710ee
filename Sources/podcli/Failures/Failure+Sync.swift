import CommandKit
import Podcatcher
import Text

// MARK: - Other machines

extension Failure {
  init(_ error: SyncError) {
    let later = "nothing is lost; the next sync catches up"
    switch error {
    case .notSet:
      self.init(.notFound, "this library is not shared yet", hint: "podcli sync folder PATH, or podcli sync login URL")
    case .folderMissing(let path):
      self.init(
        .syncFailed, "the folder for sync is not there: \(path)",
        hint: "\(later); another folder: podcli sync folder PATH")
    case .folderFailed(let path, let reason):
      self.init(.syncFailed, "the folder for sync cannot be used: \(reason): \(path)", hint: later)
    case .diskFull(let path): self.init(.syncFailed, "disk full: \(path)", hint: later)
    case .busy: self.init(.syncFailed, "another podcli syncs this library", hint: "try again when it is done")
    case .noSuchDevice(let name):
      self.init(.notFound, "no machine is called '\(name)'", hint: "podcli sync devices shows them")
    case .severalDevices(let name):
      self.init(
        .ambiguous, "several machines are called '\(name)'", hint: "say which one by its id: podcli sync devices")
    case .ownDevice:
      self.init(
        .refused, "that is this machine", hint: "it leaves with: podcli sync folder --off, and forget it elsewhere then"
      )
    case .store(let error): self.init(error)
    }
  }
}

// MARK: - Sync with a server

extension Failure {
  init(_ error: ServerError, at base: String) {
    switch error {
    case .network(let failure): self.init(failure, about: base)
    case .store(let error): self.init(error)
    case .status(let status):
      self.init(.network, "\(base) answered with status \(status)", hint: "try again later; nothing was lost")
    case .busy(let pause):
      self.init(.network, "\(base) wants a pause", hint: "try again in \(counted(Int(pause + 59) / 60, "minute"))")
    case .unreadable:
      self.init(.network, "\(base) gave an answer that is of no use", hint: "try again later, or check the address")
    case .moved(let address):
      self.init(
        .network, "\(base) points to \(SafeAddress.shown(address))",
        hint: "if that is right: podcli sync logout, then podcli sync login with that address")
    case .noServer:
      self.init(
        .network, "there is no server for podcasts at \(base)",
        hint: "podcli knows gpodder.net, oPodSync, Nextcloud with the app GPodder Sync, and PodFetch")
    case .appMissing:
      self.init(.failed, "the Nextcloud at \(base) has no app for podcasts", hint: "install the app GPodder Sync there")
    case .refused, .passwordMissing, .notGranted, .notLoggedIn, .loggedInElsewhere, .notEncrypted, .badAddress,
      .secretsNotKept:
      self.init(aboutAccount: error, at: base)
    case .massRemoval(let count, let total, let isHere):
      self.init(
        .partial,
        "\(count) of \(total) podcasts would be left \(isHere ? "here" : "on \(base)"), which looks like a mistake",
        hint: "podcli sync --force does it; podcli sync logout and a new login unite both sides instead")
    case .suddenlyEmpty:
      self.init(
        .partial, "\(base) has no subscriptions any more; nothing was removed here",
        hint: "podcli sync --full --force sends all of them again")
    case .underway: self.init(.failed, "another podcli syncs", hint: "try again when it is done")
    }
  }

  private init(aboutAccount error: ServerError, at base: String) {
    switch error {
    case .passwordMissing:
      self.init(.credentials, "there is no password for \(base) on this machine", hint: Self.loggingIn(base))
    case .notGranted:
      self.init(.credentials, "access to \(base) was not granted in time", hint: Self.loggingIn(base))
    case .notLoggedIn: self.init(.notFound, "podcli is logged in at no server", hint: "podcli sync login URL")
    case .loggedInElsewhere(let other):
      self.init(.refused, "podcli is logged in at \(other)", hint: "leave that first: podcli sync logout")
    case .notEncrypted:
      self.init(
        .refused, "the password would go to \(base) for all to read",
        hint: "say https://, or --insecure in a network of your own")
    case .badAddress(let reason):
      self.init(.usage, "\(base) is no server's address: \(reason)", hint: "podcli sync login https://…")
    case .secretsNotKept: self.init(.library, "the file for secrets cannot be read or written")
    default: self.init(.credentials, "\(base) refused user and password", hint: Self.loggingIn(base))
    }
  }

  private static func loggingIn(_ base: String) -> String { "podcli sync login \(base.shellQuoted) --user NAME" }
}
