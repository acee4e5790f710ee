internal import Text

/// Feed addresses with a name and a password, which apps keep apart: an address that has both in it is private, and
/// following it moves them to the file for secrets.
enum FeedSignIn {
  static func address(_ address: String, _ user: String?, _ password: String?) -> String {
    guard let user, !user.isEmpty else { return address }
    var parts = WebURL(address)
    guard let authority = parts.authority, !authority.contains("@") else { return address }
    parts.authority =
      PercentCoding.encoded(user) + ":" + PercentCoding.encoded(password ?? "") + "@" + authority
    return parts.description
  }
}
