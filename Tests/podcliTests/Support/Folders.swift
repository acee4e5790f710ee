/// Folders that tests read, by path.
enum Folders {
  static let repository = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
  static let fixtures = repository + "/Tests/podcliTests/Fixtures"
}
