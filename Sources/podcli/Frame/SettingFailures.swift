import CommandKit
import Glibc
import Podcatcher
import Synchronization

/// The words for a refused setting, with the nearest valid one.
enum SettingWords {
  static func explanation(_ error: SettingError) -> (message: String, hint: String?) {
    switch error {
    case .unknown(let name):
      let near = nearest(to: name, among: SettingKeys.all.map(\.name))
      return (
        "there is no setting '\(name)'",
        near.isEmpty ? "podcli config list shows them" : "did you mean \(near.joined(separator: " or "))?"
      )
    case .badValue(let key, let value, let expectation):
      let words = SettingKeys.all.first { $0.name == key }?.words ?? []
      let near = nearest(to: value, among: words)
      return (
        "\(key) must be \(expectation), not '\(value)'",
        near.isEmpty ? nil : "did you mean \(key)=\(near[0])?"
      )
    case .notPerPodcast(let name):
      return ("\(name) holds for all podcasts alike", "set it with: podcli config set \(name)=VALUE")
    case .notAnAssignment(let text):
      return ("'\(text)' is not of the form key=value", "for example: speed=1.4")
    }
  }
}

extension Failure {
  init(_ error: SettingError) {
    let (message, hint) = SettingWords.explanation(error)
    self.init(.usage, message, hint: hint)
  }

  init(_ mistake: ConfigFile.Mistake, in path: String) {
    switch mistake {
    case .file(let reason): self.init(.library, "the settings cannot be used: \(reason): \(path)", hint: Self.others)
    case .diskFull: self.init(.diskFull, "disk full: \(path)", hint: "free some space; the settings are as before")
    case .unwritten(let reason):
      self.init(.library, "the settings cannot be written: \(reason): \(path)", hint: Self.others)
    }
  }

  private static var others: String {
    "others are used with \(getenv("PODCLI_HOME") == nil ? "XDG_CONFIG_HOME" : "PODCLI_HOME")=DIR podcli …"
  }
}

extension ConfigFile.BadLine {
  fileprivate var hasBadValue: Bool { if case .badValue = error { true } else { false } }

  func text(in path: String) -> String {
    let (message, hint) = SettingWords.explanation(error)
    return "\(path), line \(number): \(message)" + (hint.map { "; \($0)" } ?? "")
  }
}

extension Context {
  private static let warns = Atomic(true)

  /// The settings for all podcasts. Lines that are passed over, such as those of a newer version, are named once.
  func config() throws(Failure) -> [String: String] {
    let (values, badLines) = try readConfig()
    // The standard value may be the contrary of what the user wants: `sync = of`.
    if let line = badLines.first(where: \.hasBadValue) {
      throw Failure(
        .failed, line.text(in: live.config.path),
        hint: "change the line, or replace it with podcli config set KEY=VALUE")
    }
    name(badLines)
    return values
  }

  /// The same where values that cannot be read are passed over, too: for the commands that show and change the file.
  func configFile() throws(Failure) -> [String: String] {
    let (values, badLines) = try readConfig()
    name(badLines)
    return values
  }

  private func readConfig() throws(Failure) -> (values: [String: String], badLines: [ConfigFile.BadLine]) {
    do throws(ConfigFile.Mistake) {
      return try live.config.read()
    } catch {
      throw Failure(error, in: live.config.path)
    }
  }

  private func name(_ badLines: [ConfigFile.BadLine]) {
    guard !badLines.isEmpty, Self.warns.exchange(false, ordering: .relaxed) else { return }
    for line in badLines.prefix(3) {
      console.say((line.hasBadValue ? "play and refresh refuse " : "passed over: ") + line.text(in: live.config.path))
    }
    if badLines.count > 3 { console.say("podcli doctor names the others") }
  }

  /// The number of feeds to fetch at once: from the command line, else from the settings.
  func refreshJobs(_ given: Int?) throws(Failure) -> Int {
    guard let given else { return Settings(config: try config())[SettingKeys.refreshJobs] }
    return given
  }
}

extension ValueKind where Value == SettingAssignment {
  static func assignment(completion kind: String) -> Self {
    ValueKind(completion: .dynamic(kind)) { text throws(BadValue) in
      do throws(SettingError) {
        return try SettingAssignment(text)
      } catch {
        let (message, hint) = SettingWords.explanation(error)
        throw BadValue([message, hint].compactMap(\.self).joined(separator: "; "))
      }
    }
  }
}
