package import PodcastModel

/// Why a request to a player came to nothing.
package enum ControlError: Error, Hashable, Sendable {
  // The request
  case notUTF8
  case notJSON
  /// Without a control word, or with too much.
  case notARequest
  case tooLong
  case unknownWord(String)
  case missingArgument(word: String, name: String, expectation: String)
  case badArgument(word: String, name: String, value: String, expectation: String)
  case tooManyClients

  // The player
  /// Not done within two seconds.
  case late
  /// There is no episode to go on or back to.
  case nothingThere
  case noSuchChapter
  /// A percentage of a length that is not known.
  case noLength
  /// A time that is behind the end, which is here.
  case beyondEnd(Duration)
  /// The same of another episode, which plays from where it was left.
  case startBeyondEnd(Duration)
  case unknownEpisode(Int64)
  /// The episode before plays on.
  case cannotPlay(EpisodeEntry, ListenError)
  /// The library did not take it.
  case notKept

  // The way to it
  case noPlayer
  /// A process holds the player lock, but its socket does not answer.
  case silent(pid: Int32)
  /// The player's own words: code, message and hint.
  case refused(code: String, message: String, hint: String?)
}
