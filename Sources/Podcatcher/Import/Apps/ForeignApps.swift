/// The apps whose libraries can be read. The first that recognises a library has it: hullcaster's has all that
/// shellcaster's has.
enum ForeignApps {
  static let all: [ForeignApp] = [
    .antennaPod, .gPodder, .castero, .newsboat, .kasts, .gnomePodcasts, .hullcaster, .shellcaster, .podliner, .overcast,
    .pocketCasts, .applePodcasts, .podcastAddict, .portCast,
  ]

  static func named(_ name: String) -> ForeignApp? { all.first { $0.name == name.lowercased() } }
}
