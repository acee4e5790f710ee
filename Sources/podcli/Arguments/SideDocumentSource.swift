import CommandKit
import Glibc
import Podcatcher

/// An episode in the library, or a document on this machine.
enum SideDocumentSource {
  static func argument(_ what: String) -> Argument<String> {
    Argument(
      "EPISODE", kind: .dynamic("episode"), help: "whose \(what); or a file with them, or `-` for standard input")
  }

  /// A number is an episode, even if a file has that name.
  static func isFile(_ words: String) -> Bool {
    if words == "-" { return true }
    var information = stat()
    return Int64(words) == nil && stat(words, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
  }

  static func bytes(_ path: String) throws(Failure) -> [UInt8] {
    do throws(FollowError) {
      return try FeedFile.bytes(path)
    } catch {
      throw Failure(error, about: path)
    }
  }
}
