import PodcastModel
import Testing

@Suite struct EpisodeTextsTests {
  @Test func `each text is what was last set, or nothing`() {
    var texts = EpisodeTexts()
    #expect(EpisodeTexts.Name.allCases.allSatisfy { texts[$0] == nil })
    texts[.title] = "Zwölf Fragen"
    texts[.guid] = ""
    texts[.content] = "<p>🎙</p>"
    texts[.title] = "Zwölf"
    #expect([texts[.title], texts[.guid], texts[.content], texts[.link]] == ["Zwölf", "", "<p>🎙</p>", nil])
    texts[.content] = nil
    #expect([texts[.title], texts[.guid], texts[.content]] == ["Zwölf", "", nil])
  }

  @Test func `the order of setting makes no difference`() {
    var one = EpisodeTexts()
    var other = EpisodeTexts()
    for name in EpisodeTexts.Name.allCases { one[name] = "\(name)" }
    for name in EpisodeTexts.Name.allCases.reversed() { other[name] = "\(name)" }
    #expect(one == other)
    #expect(one.hashValue == other.hashValue)
    other[.link] = nil
    #expect(one != other)
    for name in EpisodeTexts.Name.allCases { other[name] = nil }
    #expect(other == EpisodeTexts())
  }

  @Test func `of two equal texts one can change`() {
    var texts = EpisodeTexts()
    texts[.description] = "The same."
    texts[.summary] = "The same."
    texts[.description] = "Another."
    #expect([texts[.description], texts[.summary]] == ["Another.", "The same."])
  }

  @Test func `an episode's enclosure is one of its enclosures`() {
    var episode = FeedEpisode()
    episode.enclosure = Enclosure(url: "https://example.org/a.mp3", type: "audio/mpeg", length: 7)
    #expect(episode.enclosures == [Enclosure(url: "https://example.org/a.mp3", type: "audio/mpeg", length: 7)])
    episode.enclosures.append(Enclosure(url: "https://example.org/b.ogg"))
    #expect(episode.enclosures.count == 2)
    #expect(episode.enclosure?.url == "https://example.org/a.mp3")
    episode.enclosure = nil
    #expect(episode.enclosure == nil)
    #expect(episode.enclosures.count == 2)
  }
}
