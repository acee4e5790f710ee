internal import System

/// The path of a media file in podcli's folder of data. Stored paths are absolute, and the library may have been moved
/// since: to another home, or to another machine.
struct MediaPath {
  private let folder: String

  init(in dataFolder: String) { folder = dataFolder + Self.name }

  private static let name = "/media/"

  /// Of a path from the library: where that file is now.
  func located(_ stored: String?) -> String? {
    guard let stored, !stored.hasPrefix(folder) else { return stored }
    let parts = stored.split(separator: "/", omittingEmptySubsequences: false)
    // `…/media/FOLDER/FILE`
    guard stored.hasPrefix("/"), folder.hasPrefix("/"), parts.count > 3, parts[parts.count - 3] == "media" else {
      return stored
    }
    return folder + parts.suffix(2).joined(separator: "/")
  }
}
