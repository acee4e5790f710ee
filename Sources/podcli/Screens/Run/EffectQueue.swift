import PodcastStore

/// Carries out effects on the library one after the other, away from the screen. Of several that ask for the same, such as
/// the rows of a filter line that is being typed, only the latest is carried out.
actor EffectQueue {
  private var waiting: [ScreenEffect] = []
  private var isRunning = false
  private let perform: @Sendable (ScreenEffect) async -> Void

  init(perform: @escaping @Sendable (ScreenEffect) async -> Void) { self.perform = perform }

  func add(_ effects: [ScreenEffect]) async {
    for effect in effects {
      if let subject = effect.subject { waiting.removeAll { $0.subject == subject } }
      waiting.append(effect)
    }
    guard !isRunning else { return }
    isRunning = true
    while !waiting.isEmpty { await perform(waiting.removeFirst()) }
    isRunning = false
  }
}

extension ScreenEffect {
  fileprivate enum Subject {
    case home, queue, podcasts, podcastCount, episodes, search, about, texts, completion, picture
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
    case .complete: .completion
    case .loadPicture: .picture
    default: nil
    }
  }
}
