import TestSupport
import Testing

@Suite struct ResourceTests {
  private func answer(_ headers: (String, String)..., ranges: Response.Ranges = .honoured) -> Response {
    let resource = Response.resource(
      Array("0123456789".utf8), etag: "\"v1\"", lastModified: "Mon, 01 Jan 2024 10:00:00 GMT", ranges: ranges)
    return resource.answering(Request(headers: headers.map { (name: $0.0, value: $0.1) }))
  }

  private func header(_ name: String, of response: Response) -> String? {
    response.headers.first { $0.name == name }?.value
  }

  @Test(arguments: [
    ("bytes=2-4", "bytes 2-4/10"), ("bytes=7-", "bytes 7-9/10"), ("bytes=-3", "bytes 7-9/10"),
    ("bytes=5-99", "bytes 5-9/10"), ("bytes=-99", "bytes 0-9/10"), ("bytes=0-0", "bytes 0-0/10"),
    ("bytes=5-9223372036854775807", "bytes 5-9/10"),
  ])
  func `a range gets its part`(range: String, contentRange: String) {
    let response = answer(("Range", range))
    #expect(response.status == 206)
    #expect(header("Content-Range", of: response) == contentRange)
  }

  @Test(arguments: ["bytes=10-", "bytes=99-100", "bytes=-0"])
  func `a range beyond the end gets 416`(range: String) {
    let response = answer(("Range", range))
    #expect(response.status == 416)
    #expect(header("Content-Range", of: response) == "bytes */10")
  }

  @Test(arguments: ["bytes=4-2", "bytes=", "bytes=a-b", "items=0-1", "bytes=0-1,3-4", "bytes=-"])
  func `anything but a single byte range gets the whole body`(range: String) {
    #expect(answer(("Range", range)).status == 200)
  }

  @Test(arguments: [
    ("\"v1\"", 206), ("\"v2\"", 200), ("W/\"v1\"", 200), ("Mon, 01 Jan 2024 10:00:00 GMT", 206),
    ("Tue, 02 Jan 2024 10:00:00 GMT", 200),
  ])
  func `If-Range limits a range to one version`(condition: String, status: Int) {
    #expect(answer(("Range", "bytes=2-4"), ("If-Range", condition)).status == status)
  }

  @Test(arguments: [("\"v1\"", 304), ("\"v0\", W/\"v1\"", 304), ("*", 304), ("\"v2\"", 200)])
  func `If-None-Match gets 304 for a matching tag`(tags: String, status: Int) {
    let response = answer(("If-None-Match", tags))
    #expect(response.status == status)
    #expect(header("ETag", of: response) == "\"v1\"")
  }

  @Test func `If-None-Match takes precedence over If-Modified-Since`() {
    let date = ("If-Modified-Since", "Mon, 01 Jan 2024 10:00:00 GMT")
    #expect(answer(date).status == 304)
    #expect(answer(date, ("If-None-Match", "\"v2\"")).status == 200)
  }

  @Test func `ranges can be ignored, refused or answered from a wrong offset`() {
    #expect(answer(("Range", "bytes=2-4"), ranges: .ignored).status == 200)
    #expect(answer(("Range", "bytes=2-4"), ranges: .refused).status == 416)
    let shifted = answer(("Range", "bytes=2-4"), ranges: .shifted(1))
    #expect(header("Content-Range", of: shifted) == "bytes 3-4/10")
  }
}
