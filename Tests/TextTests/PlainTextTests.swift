import Testing

@testable import Text

@Suite struct PlainTextTests {
  @Test(
    arguments: [
      ("Plain", "Plain"), ("  a \n b\t", "a b"), ("<b>Bold</b> &amp; <i>more</i>", "Bold & more"),
      ("a < b <3", "a < b <3"),
      ("List<Int>", "List<Int>"), ("one<br>two", "one two"), ("&#8217;&rsquo;&nope;&", "’’&nope;&"), ("<b", "<b"),
      ("<!-- x -->y", "y"), ("a<!-- -- >b", "ab"), ("", ""), ("<![CDATA[in]]", "in]]"),
      ("a<script>b > c</script> d<style>", "a d"), ("Why <script> matters", "Why matters"),
      ("a<embed src='x'><blink>b</blink>", "a b"), ("Hello <o:p></o:p>there", "Hello there"),
      ("The <dialog> and Vec<Option<T>> of <c:forEach>", "The <dialog> and Vec<Option<T>> of <c:forEach>"),
      ("a&#27;[31m&#0;b", "a[31mb"),
    ])
  func `a title is one plain line`(html: String, line: String) { #expect(PlainText.line(html) == line) }

  /// A library's index is changed by the same rules that made it: with others its function `plain_text_1` needs another name.
  @Test(
    arguments: [
      ("with Bob<img src='x'>Support us", "with Bob Support us"), ("Einstein<sup>1</sup>", "Einstein 1 "),
      ("Intro<!--more-->Outro", "Intro Outro"), ("f<b>a</b>t", "fat"), ("a<o:p></o:p>b", "a  b"),
      ("<picture><source srcset='https://x'>y", "  y"), ("a<script>bad()</script>b", "a  b"),
      ("nul&#0;here", "nul here"), ("Q&amp;A &lt;3", "Q&A <3"), ("no markup", "no markup"),
    ])
  func `tags separate words that are searched, unless they only change how a word looks`(html: String, text: String) {
    #expect(PlainText.withoutMarkup(html) == text)
  }

  @Test(arguments: [
    ("a<picture><source type='image/webp' srcset='https://x 424w'><img alt='A cat'></picture>b", "a[A cat]b"),
    ("Hello <o:p></o:p>there", "Hello there"), ("<table><colgroup><col width='1'></colgroup></table>x", "x"),
    ("<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby></p>", "漢(kan)"),
    ("<p><label>Name <input type='text'></label>", "Name"), ("<p>a<picture><source src='x'></picture>", "a"),
    ("cp <source> <target>\n\n0:00 Vec<Option<T>>", "cp <source> <target>\n\n0:00 Vec<Option<T>>"),
    ("Mail <mailto:me@example.org>", "Mail <mailto:me@example.org>"),
    ("List<Int> &#27;[31m&#0;", "List<Int> [31m"),
  ]) func `pictures, controls and a word processor's tags leave no markup in notes`(html: String, text: String) {
    #expect(PlainText.notes(html).text == text)
  }

  @Test func `the links of notes together have a limit, and so has their base`() {
    let short = (0..<3000).map { "<a href='\($0).h'>x</a>" }.joined(separator: " ")
    let far = PlainText.notes(short, baseURL: "http://h.example/" + String(repeating: "a", count: 100_000) + "/")
    #expect(far.links.count == 3000 && far.links.allSatisfy { $0.utf8.count < 10 })
    let long = (0..<300).map { "<a href='http://h.example/\($0)\(String(repeating: "a", count: 2000))'>x</a>" }.joined()
    let near = PlainText.notes(long)
    #expect(near.links.count > 100 && near.links.reduce(0) { $0 + $1.utf8.count } <= 256 << 10)
    #expect(near.text.hasSuffix("xx"))
    let one =
      "<a href='http://h.example/\(String(repeating: "a", count: 300_000))'>x</a> <a href='http://b.example/'>y</a>"
    #expect(PlainText.notes(one).links == ["http://b.example/"])
  }

  @Test(arguments: [
    ("if a<b and c>d\nline two", "if a<b and c>d\nline two"), ("It&#8217;s <me>", "It’s <me>"),
    ("<img src='x' alt='cat'> Hello", "[cat] Hello"), ("one<p>two", "one\n\ntwo"),
    ("the <title> element", "the <title> element"),
    ("<p>HTML</p>", "HTML"), ("one<br>two", "one\ntwo"), ("plain", "plain"),
  ]) func `plain text is shown as it is, unless it is HTML with the wrong type`(text: String, shown: String) {
    #expect(PlainText.notes(PlainText.escaped(text)).text == shown)
  }

  @Test(arguments: [
    ("We talk about the <select> element.", "We talk about the <select> element."),
    ("<p>Intro to <title> tags</p><p>Second</p>", "Intro to <title> tags\n\nSecond"),
    ("<template>x <script>bad()</script>y", "<template>x y"), ("a<select>hidden</select>b", "ab"),
  ]) func `an element without an end hides nothing of notes`(html: String, text: String) {
    #expect(PlainText.notes(html).text == text)
  }

  @Test func `notes have paragraphs, lists, tables and numbered links`() {
    let notes = PlainText.notes(
      """
      <p>Hello <a href="/x?a=1&amp;b=2">there</a>,</p><script>if (a < b) { bad() }</script><style>p {}</style>
      <p>second<br/>line &amp; <a href="https://e.org/">https://e.org/</a></p>
      <ul><li>one</li><li>two<ol><li>inner</li><li>more</li></ol></li></ul>
      <table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>
      <a href="/x?a=1&amp;b=2">again</a> <a href="javascript:x()">not</a>
      """, baseURL: "https://e.org/feed")
    #expect(
      notes.text == """
        Hello there [1],

        second
        line & https://e.org/

        • one
        • two
          1. inner
          2. more

        A | B
        1 | 2

        again [1] not
        """)
    #expect(notes.links == ["https://e.org/x?a=1&b=2"])
    #expect(notes.textWithLinks.hasSuffix("\n\n[1] https://e.org/x?a=1&b=2"))
  }

  @Test(arguments: [
    ("<p>a</p><ul><li><p>one</p></li><li><p>two</p><p>more</p></li></ul><p>b</p>", "a\n\n• one\n• two\n\nmore\n\nb"),
    (
      "<ol><li><div>one</div></li><li></li><li><h3>two</h3><ul><li><p>in</p></li></ul></li></ol>c",
      "1. one\n2.\n3. two\n   • in\n\nc"
    ),
  ]) func `the text of a list's entry stands behind its bullet, also in a paragraph`(html: String, text: String) {
    #expect(PlainText.notes(html).text == text)
  }

  @Test(arguments: [
    ("<ul><li>a<br>b<ol><li>c<br/>d</li></ol></li><li>e</li></ul>f<br>g", "• a\n  b\n  1. c\n     d\n• e\n\nf\ng"),
    ("<ol><li>a<ul><li>b</li></ul>c</li></ol>d", "1. a\n   • b\n   c\n\nd"),
    ("<ul><ul><li>a</li></ul></ul>", "  • a"),
    ("<ul><li>a<br>b</li></ul><p>c<br>d</p>", "• a\n  b\n\nc\nd"),
    ("<ul><li>a<br>b<p>c<br>d</p>", "• a\n  b\n\nc\nd"),
    ("<ol><li value=\"7\">a</li><li>b</li></ol>", "7. a\n8. b"),
    ("<ul><li>a<ul><li>b</li></ul>c<br>d</li><li>e</li></ul>f", "• a\n  • b\n  c\n  d\n• e\n\nf"),
  ]) func `a line behind a break in a list's entry stands below its text`(html: String, text: String) {
    #expect(PlainText.notes(html).text == text)
  }

  @Test(arguments: [
    ("a<blockquote>b<br>c<p>d</p></blockquote>e", "a\n\n> b\n> c\n\n> d\n\ne"),
    ("<blockquote>a<blockquote>b</blockquote><ul><li>c</li></ul></blockquote>", "> a\n\n> > b\n\n> • c"),
    ("a</blockquote><p>b", "a\n\nb"),
    ("<blockquote>a<br><a href=\"https://e.org/x\">https://e.org/x</a></blockquote>", "> a\n> https://e.org/x"),
    ("<ul><li><blockquote>a<br>b</blockquote></li></ul>c", "• a\n  b\n\nc"),
  ]) func `the lines of a quotation have a mark`(html: String, text: String) {
    #expect(PlainText.notes(html).text == text)
  }

  @Test func `a list without an end leaves the paragraphs behind it their blank lines`() {
    #expect(PlainText.notes("<ul><li>a<p>one</p><p>two</p><p>three</p>").text == "• a\n\none\n\ntwo\n\nthree")
  }

  @Test func `the number of a link stands behind its text, also where that is a block`() {
    let html = "<a href=\"https://e.org\"><div><picture><img alt=\"a cover\"></picture></div></a><p>b</p>"
    #expect(PlainText.notes(html).text == "[a cover] [1]\n\nb")
  }

  @Test func `code keeps its indentation, and plain text loses that of the feed's elements`() {
    #expect(PlainText.notes("<p>a</p><pre><code>if x:\n  y</code></pre>").text == "a\n\nif x:\n  y")
    #expect(PlainText.notes("\n    one\n    two\n\tthree  four").text == "one\ntwo\nthree  four")
  }

  @Test func `notes without markup keep their lines`() {
    #expect(PlainText.notes("one\ntwo\n\n\n\nthree & four").text == "one\ntwo\n\nthree & four")
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      "<", "<!", "<a", "<a href=\"", "<!--", "<!-- >", "<script>", "&", "<table><td>", "<ul>", "</li>", "<p>", "<x y='",
    ])
  func `a pattern repeated without end is read to its end, and does not hang`(pattern: String) {
    let html = String(repeating: pattern, count: 300_000 / pattern.utf8.count)
    _ = PlainText.notes(html)
    _ = PlainText.line(html)
  }
}
