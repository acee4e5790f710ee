/// One version of a media file, as the server tells versions apart.
struct Rendition: Hashable, Sendable {
  var etag: String?
  var lastModified: String?
  var total: Int64?

  /// The value for `If-Range`.
  var validator: String? { etag ?? lastModified }
}
