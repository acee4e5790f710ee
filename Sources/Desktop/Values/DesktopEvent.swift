/// A request or an event of the desktop.
package enum DesktopEvent: Hashable, Sendable {
  case play, pause, playPause, stop, next, previous
  /// From the position by then; negative goes back.
  case seek(by: Duration)
  /// Inside the track that plays, as far as its length is known.
  case setPosition(Duration)
  case setRate(Double)
  /// 1 is the normal volume.
  case setVolume(Double)
  case quit
  /// True: the machine goes to sleep as soon as `DesktopBus.allowSleep` is called, or in five seconds. False: it is awake again.
  case prepareForSleep(Bool)
  /// The sound goes elsewhere than to the headphones, because they are gone or because the user moved it.
  case headphonesGone
}

/// How awake the machine is kept while something plays.
package enum Wakefulness: Hashable, Sendable {
  case none
  /// It does not suspend by itself; the screen may go dark.
  case system
  /// Nor does it lock its screen.
  case session
}
