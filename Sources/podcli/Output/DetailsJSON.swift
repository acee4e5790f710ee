import PodcastModel
import Podcatcher
import Text

/// The JSON of `info`: the document of a list with more members.
enum DetailsJSON {
  static func document(_ details: EpisodeDetails, _ sound: EpisodeSound? = nil) -> JSON {
    let more: JSON = [
      "author": JSON(details.author), "updatedAt": JSON(details.updatedAt), "subtitle": JSON(details.subtitle),
      "summary": JSON(details.summary), "notes": JSON(details.notes),
      "text": JSON(details.plainNotes()),
      "chapterList": JSON(nonEmpty: details.chapters.filter(\.isListed).map(chapter)),
      "transcripts": JSON(nonEmpty: details.transcripts.map(transcript)),
      "transcriptGenerated": details.isTranscriptMadeHere ? true : nil,
      "persons": JSON(nonEmpty: details.persons.map(person)),
      "bookmarks": JSON(nonEmpty: details.bookmarks.map(bookmark)), "sound": sound.map(SoundingText.json),
    ]
    return EpisodeJSON.document(details.entry).adding(more.withoutUsers)
  }

  static func document(_ details: PodcastDetails) -> JSON {
    let settings = details.settings.sorted { $0.key < $1.key }.reduce(JSON.object([])) {
      $0.adding([$1.key: JSON($1.value)])
    }
    let more: JSON = [
      "description": JSON(details.description), "subtitle": JSON(details.subtitle),
      "copyright": JSON(details.copyright), "language": JSON(details.language), "type": JSON(details.type),
      "explicit": JSON(details.isExplicit), "guid": JSON(details.guid), "medium": JSON(details.medium),
      "complete": JSON(details.isComplete), "categories": JSON(nonEmpty: details.categories.map { JSON($0) }),
      "fundings": JSON(nonEmpty: details.fundings.map { ["url": JSON($0.url), "text": JSON($0.text)] }),
      "tags": JSON(nonEmpty: details.tags.map { JSON($0) }), "settings": details.settings.isEmpty ? nil : settings,
    ]
    return PodcastJSON.document(details.entry).adding(more.withoutUsers)
  }

  static func chapter(_ chapter: Chapter) -> JSON {
    [
      "start": EpisodeJSON.number(chapter.start), "end": EpisodeJSON.number(chapter.end), "title": JSON(chapter.title),
      "url": JSON(chapter.link), "image": JSON(chapter.image), "origin": chapter.isMeasured ? "measured" : nil,
    ]
  }

  static func bookmark(_ bookmark: Bookmark) -> JSON {
    [
      "id": JSON(bookmark.id), "position": EpisodeJSON.seconds(bookmark.position), "note": JSON(bookmark.note),
      "createdAt": JSON(bookmark.createdAt),
    ]
  }

  private static func transcript(_ link: TranscriptLink) -> JSON {
    [
      "url": JSON(SafeAddress.withoutSecrets(link.url)), "type": JSON(link.type), "language": JSON(link.language),
      "rel": JSON(link.relation),
    ]
  }

  private static func person(_ person: Person) -> JSON {
    ["name": JSON(person.name), "role": JSON(person.role), "img": JSON(person.image), "href": JSON(person.link)]
  }
}

extension JSON {
  /// Appends the members of another object.
  func adding(_ other: JSON) -> JSON {
    guard case .object(let own) = self, case .object(let more) = other else { return self }
    return .object(own + more)
  }

  /// The same without the user and password of any address.
  var withoutUsers: JSON {
    switch self {
    case .string(let text) where WebURL.looksLikeHTTP(text): .string(SafeAddress.withoutUser(text))
    case .array(let elements): .array(elements.map(\.withoutUsers))
    case .object(let members):
      .object(
        members.map { member in
          var member = member
          member.value = member.value.withoutUsers
          return member
        })
    default: self
    }
  }
}
