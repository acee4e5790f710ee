import PodcastStore

/// Carries out effects on the library one after the other, away from the screen. Of several that ask for the same, such as
/// the rows of a filter line that is being typed, only the latest is carried out.
actor EffectQueue {
  private var waiting: [ScreenEffect] = []
  private var running: ScreenEffect?
  private var ends: [CheckedContinuation<Void, Never>] = []
  private let perform: @Sendable (ScreenEffect) async -> Void

  init(perform: @escaping @Sendable (ScreenEffect) async -> Void) { self.perform = perform }

  func add(_ effects: [ScreenEffect]) async {
    for effect in effects {
      if let subject = effect.subject { waiting.removeAll { $0.subject == subject } }
      waiting.append(effect)
    }
    guard running == nil else { return }
    while !waiting.isEmpty {
      let effect = waiting.removeFirst()
      running = effect
      await perform(effect)
    }
    running = nil
    for end in ends { end.resume() }
    ends = []
  }

  /// Drops questions, and returns when all else is carried out.
  func finish() async {
    waiting.removeAll { $0.subject != nil }
    guard let running, !waiting.isEmpty || running.subject == nil else { return }
    await withCheckedContinuation { ends.append($0) }
  }
}

extension ScreenEffect {
  fileprivate enum Subject {
    case home, queue, podcasts, podcastCount, episodes, search, about, texts, anchors, completion, picture
  }

  /// The subject of a question; nil for what is done each time.
  fileprivate var subject: Subject? {
    switch self {
    case .loadHome: .home
    case .loadQueue: .queue
    case .loadPodcasts: .podcasts
    case .countPodcasts: .podcastCount
    case .loadEpisodes: .episodes
    case .search: .search
    case .loadAbout: .about
    case .loadTexts: .texts
    case .loadAnchors: .anchors
    case .complete: .completion
    case .loadPicture: .picture
    default: nil
    }
  }
}
