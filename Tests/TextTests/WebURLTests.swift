import Testing

@testable import Text

@Suite struct WebURLTests {
  /// The examples of RFC 3986, sections 5.4.1 and 5.4.2.
  @Test(
    arguments: [
      ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
      ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
      ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
      (";x", "http://a/b/c/;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
      ("..", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../g", "http://a/g"),
      ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
      ("./g/.", "http://a/b/c/g/"), ("g/../h", "http://a/b/c/h"), ("g;x=1/../y", "http://a/b/c/y"),
      ("g?y/../x", "http://a/b/c/g?y/../x"),
    ])
  func `relative references are resolved as the standard says`(reference: String, absolute: String) {
    #expect(WebURL.resolve(reference, against: "http://a/b/c/d;p?q") == absolute)
  }

  @Test func `outer blanks are removed, inner ones are encoded`() {
    #expect(WebURL.resolve(" \n http://e.org/a b.mp3 \t", against: nil) == "http://e.org/a%20b.mp3")
    #expect(WebURL.resolve("http://e.org/a\r\nX: y", against: nil) == "http://e.org/aX:%20y")
  }

  @Test func `a host is found between user and port`() {
    #expect(WebURL("HTTP://user:pw@Example.ORG:8080/x").host == "example.org")
    #expect(WebURL("http://[::1]:80/").host == "[::1]")
    #expect(WebURL("http://user:pw@example.org/").isHTTP)
    #expect(!WebURL("http:///x").isHTTP)
    #expect(!WebURL("file:///etc/passwd").isHTTP)
  }

  @Test func `C2: an origin is the scheme, the host and the port`() {
    let origin = WebURL("https://me:pw@Example.org/feed").origin
    #expect(WebURL("HTTPS://example.org:443/other").origin == origin)
    for other in [
      "http://example.org/", "http://example.org:443/", "https://example.org:8443/", "https://www.example.org/",
      "https://e.org/",
    ] {
      #expect(WebURL(other).origin != origin)
    }
    #expect(WebURL("http://[::1]:80/").origin == WebURL("http://[::1]/").origin)
    #expect(WebURL("http://[::1]:81/").origin != WebURL("http://[::1]/").origin)
  }

  @Test(arguments: ["https://a.b/c?d#e", "mailto:x@y", "/a/b", "", "//host", "a?b"])
  func `the parts of a URL join to the same text`(text: String) {
    #expect(WebURL(text).description == text)
  }
}
