private import PodcastStore
internal import System
private import Text
private import Transfer

/// ZIP archives with a library in them, as apps on phones write.
enum LibraryArchive {
  /// Unpacks databases and lists of subscriptions, never more than `ForeignDatabase.largest`.
  static func unpack(_ path: String, to folder: String) throws(ImportError) {
    do throws(ZipArchive.Problem) {
      let archive = try ZipArchive(path: path)
      var room = ForeignDatabase.largest
      for entry in archive.entries {
        guard let name = safeName(entry.name), Files.size(of: folder + "/" + name) == nil else { continue }
        room -= entry.size
        guard room >= 0 else {
          throw ZipArchive.Problem(message: "it is larger than \(ForeignDatabase.largest >> 30) GB")
        }
        try archive.extract(entry, to: folder + "/" + name)
      }
    } catch {
      throw error.isFull ? .diskFull(folder) : .damaged(path, app: nil, error.message)
    }
  }

  private static let endings = [".db", ".db3", ".sqlite", ".json"]

  /// The last part of a name in an archive, if it is plain and a library may be called so.
  private static func safeName(_ name: String) -> String? {
    let last = String(name.split(separator: "/").last ?? "")
    guard !last.isEmpty, last.utf8.count <= 100, !last.hasPrefix("."),
      last.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { return nil }
    let main = ["-wal", "-journal"].first(where: last.hasSuffix).map { String(last.dropLast($0.count)) } ?? last
    let isLibrary = main == "pocketcasts" || endings.contains { main.lowercased().hasSuffix($0) }
    return isLibrary || AppSurroundings.isList(last) ? last : nil
  }
}
