private import Glibc
private import System
private import Text

/// The variables of the process, looked up one by one: copying all of them would take longer than the rest of the start.
package struct Environment: Sendable {
  private let lookup: @Sendable (String) -> String?

  package init(_ lookup: @escaping @Sendable (String) -> String?) { self.lookup = lookup }

  /// Of this process.
  package static let process = Environment { name in getenv(name).map { String(cString: $0) } }

  /// An empty variable counts as unset.
  package subscript(name: String) -> String? {
    lookup(name).flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// The folders and files of podcli, which follow the XDG variables, `PODCLI_HOME` and `--library`.
package struct Paths: Hashable, Sendable {
  package var config: String
  package var data: String
  package var cache: String
  /// Of running players: sockets, statuses and messages.
  package var runtime: String
  /// The library of a home that names no other.
  private var standardData: String

  package var library: String { data + "/library.db" }
  /// The folder of the library itself, also where `library` is a symbolic link.
  package var libraryFolder: String { Self.libraryFolder(in: data) }

  static func libraryFolder(in data: String) -> String { Files.folder(of: Files.target(of: data + "/library.db")) }
  package var media: String { data + "/media" }
  var configFile: String { config + "/config" }
  /// The messages of this library's player in the background.
  package var playerLog: String { player + ".log" }
  /// The socket of this library's player.
  package var socket: String { player + ".sock" }

  /// Players of several libraries share one folder, so the names of any but the standard library have a hash of its path,
  /// however that is spelt.
  private var player: String {
    let (data, standard) = (Self.resolved(libraryFolder), Self.resolved(Self.libraryFolder(in: standardData)))
    return runtime + (data == standard ? "/player" : "/player-\(SHA1.hex(data).prefix(16))")
  }

  /// Nil without a home directory.
  package init?(environment: Environment, library: String? = nil) {
    guard let base = Self.base(environment) else { return nil }
    self = base
    if let library { data = Self.absolute(library) }
  }

  private init(config: String, data: String, cache: String, runtime: String, standardData: String) {
    self.standardData = standardData
    self.config = config
    self.data = data
    self.cache = cache
    self.runtime = runtime
  }

  private static func base(_ environment: Environment) -> Paths? {
    if let home = environment["PODCLI_HOME"] {
      let home = absolute(home)
      return Paths(config: home, data: home, cache: home + "/cache", runtime: home + "/run", standardData: home)
    }
    guard let home = homeDirectory(environment) else { return nil }
    // The XDG specification ignores relative values.
    func folder(_ name: String, _ standard: String) -> String {
      let value = environment[name] ?? ""
      return (value.hasPrefix("/") ? value : home + "/" + standard) + "/podcli"
    }
    let runtime = environment["XDG_RUNTIME_DIR"] ?? ""
    return Paths(
      config: folder("XDG_CONFIG_HOME", ".config"), data: folder("XDG_DATA_HOME", ".local/share"),
      cache: folder("XDG_CACHE_HOME", ".cache"),
      runtime: (runtime.hasPrefix("/") ? runtime : sessionRuntime).map { $0 + "/podcli" }
        ?? privateRuntime(environment),
      standardData: home + "/.local/share/podcli")
  }

  private static func homeDirectory(_ environment: Environment) -> String? {
    if let home = environment["HOME"], home.hasPrefix("/") { return home }
    guard let home = getpwuid(getuid())?.pointee.pw_dir.map({ String(cString: $0) }), home.hasPrefix("/") else {
      return nil
    }
    return home
  }

  /// The folder of the login session, which `cron` and `su` do not tell: a player that was started there is found.
  private static var sessionRuntime: String? {
    let path = "/run/user/\(getuid())"
    var status = stat()
    return stat(path, &status) == 0 && status.st_uid == getuid() && access(path, W_OK) == 0 ? path : nil
  }

  private static func privateRuntime(_ environment: Environment) -> String {
    let temporary = environment["TMPDIR"] ?? ""
    return (temporary.hasPrefix("/") ? temporary : "/tmp") + "/podcli-\(getuid())"
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let here = getcwd(nil, 0) else { return path }
    defer { free(here) }
    return String(cString: here) + "/" + path
  }
}
