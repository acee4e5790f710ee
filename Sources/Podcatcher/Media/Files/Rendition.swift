/// One version of a media file, as the server tells versions apart.
struct Rendition: Hashable, Sendable {
  var etag: String?
  var lastModified: String?
  var total: Int64?

  /// The value for `If-Range`. An empty one, as older libraries may have it, is none: libcurl drops a header without a value.
  var validator: String? { [etag, lastModified].lazy.compactMap { $0 }.first { !$0.isEmpty } }
}
