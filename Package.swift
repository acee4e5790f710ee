// swift-tools-version: 6.2
import PackageDescription

/// One list of rules for every target: Swift 6 mode comes from the tools version,
/// and `PODCLI_STRICT` (set by `make lint` and CI) turns warnings into errors.
let strict = Context.environment["PODCLI_STRICT"] != nil
let rules: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    // libxml2's headers live one folder down. Its pkg-config file would also link it, and ICU with it.
    .unsafeFlags(["-Xcc", "-I/usr/include/libxml2"]),
  ] + (strict ? [.treatAllWarnings(as: .error)] : [])

/// A room: a library target that may import only what is listed here.
/// The build is run with `--explicit-target-dependency-import-check error`, so the list is the law.
func room(_ name: String, uses dependencies: [Target.Dependency] = [], _ more: [SwiftSetting] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: rules + more)
}

/// Fixtures are read by path, beside the test that uses them: a resource bundle would need Foundation.
func tests(_ name: String, of dependencies: [Target.Dependency], fixtures: Bool = false) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], exclude: fixtures ? ["Fixtures"] : [],
    swiftSettings: rules)
}

/// `PODCLI_FUZZ` adds the fuzzing target, which only a build with `--sanitize fuzzer` can link.
let fuzzing: [Target] =
  Context.environment["PODCLI_FUZZ"] == nil
  ? []
  : [
    .executableTarget(
      name: "podcli-fuzz", dependencies: ["FeedKit", "PodcastModel", "PodcastStore", "Podcatcher", "CommandKit"],
      path: "Tests/Fuzz", exclude: ["Seeds", "fuzz.sh"],
      swiftSettings: rules + [.unsafeFlags(["-parse-as-library"])])
  ]

let package = Package(
  name: "podcli",
  products: [.executable(name: "podcli", targets: ["podcli"])],
  targets: [
    // Words
    room("PodcastModel"),

    // Engines: one C library each, but that Transfer unpacks with zlib what libcurl fetched; siblings never meet
    // Its callbacks touch the state of one parser a few hundred thousand times a second. That they do so one at a time
    // is checked wherever tests run.
    room(
      "FeedKit", uses: ["PodcastModel", "CXML2"],
      [.unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))]),
    room("PodcastStore", uses: ["PodcastModel", "CSQLite"]),
    room("Playback", uses: ["CMPV"]),
    room("Transfer", uses: ["CCurl", "CZlib"]),

    // Journeys
    room("Podcatcher", uses: ["PodcastModel", "FeedKit", "PodcastStore", "Playback", "Transfer"]),

    // Faces
    room("CommandKit"),
    .executableTarget(
      name: "podcli",
      dependencies: [
        "CommandKit", "Podcatcher", "PodcastModel", "FeedKit", "PodcastStore", "Playback", "Transfer",
      ],
      swiftSettings: rules),

    // Measuring; no part of the product
    .executableTarget(
      name: "podcli-bench",
      dependencies: ["FeedKit", "PodcastModel", "PodcastStore", "Playback", "CXML2", "TestSupport"],
      swiftSettings: rules),

    .executableTarget(name: "podcli-feedserver"),
    .executableTarget(name: "podcli-measure"),
    .executableTarget(
      name: "podcli-baseline",
      cSettings: [.define("_GNU_SOURCE"), .unsafeFlags(["-I/usr/include/libxml2"])],
      linkerSettings: [.linkedLibrary("xml2"), .linkedLibrary("curl"), .linkedLibrary("sqlite3")]),

    // C libraries. Only SQLite and zlib are linked; the others are opened on first use, by the room that owns them.
    .systemLibrary(name: "CXML2", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CMPV", providers: [.apt(["libmpv-dev"])]),
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),

    // Tests
    .systemLibrary(name: "CTestSupport", path: "Tests/CTestSupport"),
    .target(name: "TestSupport", dependencies: ["CTestSupport"], path: "Tests/TestSupport", swiftSettings: rules),
    .executableTarget(
      name: "podcli-demo", dependencies: ["TestSupport"], path: "Tests/Demo", exclude: ["Show"], swiftSettings: rules),
    .target(name: "CPowerCut", path: "Tests/CPowerCut"),
    .executableTarget(
      name: "podcli-storm", dependencies: ["PodcastModel", "PodcastStore", "CSQLite", "CPowerCut", "TestSupport"],
      path: "Tests/Storm",
      swiftSettings: rules),
    tests("TestSupportTests", of: []),
    tests("PodcastModelTests", of: ["PodcastModel"]),
    tests("FeedKitTests", of: ["FeedKit", "PodcastModel"], fixtures: true),
    tests("PodcastStoreTests", of: ["PodcastStore", "PodcastModel", "CSQLite"], fixtures: true),
    tests("TransferTests", of: ["Transfer"]),
    tests("PlaybackTests", of: ["Playback"]),
    tests("PodcatcherTests", of: ["Podcatcher", "PodcastModel", "PodcastStore", "Playback", "Transfer"]),
    tests("CommandKitTests", of: ["CommandKit"]),
    tests("BenchTests", of: ["podcli-bench", "PodcastModel"]),
    tests("podcliTests", of: ["podcli", "CommandKit", "PodcastModel", "PodcastStore"], fixtures: true),
  ] + fuzzing
)
