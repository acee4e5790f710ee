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
    // The compiler's check of its own intermediate code takes a twelfth of a build. A batch of files reads the whole
    // module anew, and the default makes nine of Podcatcher.
    .unsafeFlags(["-Xfrontend", "-disable-llvm-verify", "-driver-batch-size-limit", "200"]),
  ] + (strict ? [.treatAllWarnings(as: .error)] : [])

/// The commit that `podcli version` names in a release build, from `make release`.
let commit = Context.environment["PODCLI_COMMIT"] ?? ""

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
      name: "podcli-fuzz",
      dependencies: ["FeedKit", "PodcastModel", "Text", "PodcastStore", "Podcatcher", "CommandKit"],
      path: "Tests/Fuzz", exclude: ["Seeds", "fuzz.mk", "fuzz.sh"],
      swiftSettings: rules + [.unsafeFlags(["-parse-as-library"])])
  ]

let package = Package(
  name: "podcli",
  products: [.executable(name: "podcli", targets: ["podcli"])],
  targets: [
    // Base: text formats, and what the system offers; no domain words in either
    room("System"),
    room("Text"),

    // Words
    room("PodcastModel", uses: ["System", "Text"]),

    // Engines: one C library each, but that Transfer unpacks with zlib what libcurl fetched, and that a desktop has a bus
    // and a sound server; siblings never meet
    // Its callbacks touch the state of one parser a few hundred thousand times a second. That they do so one at a time
    // is checked wherever tests run.
    room(
      "FeedKit", uses: ["PodcastModel", "Text", "System", "CXML2"],
      [.unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))]),
    room("PodcastStore", uses: ["PodcastModel", "Text", "System", "CSQLite"]),
    room("Playback", uses: ["System", "CMPV"]),
    room("Transfer", uses: ["Text", "System", "CCurl", "CZlib"]),
    room("Desktop", uses: ["System", "CBus", "CPulse"]),

    // Journeys
    room(
      "Podcatcher",
      uses: ["PodcastModel", "Text", "System", "FeedKit", "PodcastStore", "Playback", "Transfer", "Desktop"]),

    // The command line and the screen
    room("CommandKit"),
    room("ScreenKit"),
    .target(name: "CBuild", cSettings: [.define("PODCLI_COMMIT", to: "\"\(commit)\"")]),
    .executableTarget(
      name: "podcli",
      dependencies: [
        "CBuild", "CommandKit", "ScreenKit", "Podcatcher", "PodcastModel", "Text", "System", "PodcastStore",
      ],
      swiftSettings: rules),

    // Measuring; no part of the product
    .executableTarget(
      name: "podcli-bench",
      dependencies: [
        "FeedKit", "PodcastModel", "Text", "PodcastStore", "Playback", "Podcatcher", "CXML2", "TestSupport",
      ],
      path: "Tests/Bench/bench", swiftSettings: rules),
    .executableTarget(name: "podcli-feedserver", path: "Tests/Bench/feedserver"),
    .executableTarget(name: "podcli-measure", path: "Tests/Bench/measure"),
    .executableTarget(
      name: "podcli-baseline", path: "Tests/Bench/baseline",
      cSettings: [.define("_GNU_SOURCE"), .unsafeFlags(["-I/usr/include/libxml2"])],
      linkerSettings: [.linkedLibrary("xml2"), .linkedLibrary("curl"), .linkedLibrary("sqlite3")]),

    // C libraries. Only SQLite and zlib are linked; the others are opened on first use, by the room that owns them.
    .systemLibrary(name: "CXML2", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CMPV", providers: [.apt(["libmpv-dev"])]),
    .systemLibrary(name: "CBus", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CPulse", providers: [.apt(["libpulse-dev"])]),
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),

    // Tests
    .systemLibrary(name: "CTestSupport", path: "Tests/CTestSupport"),
    .target(
      name: "TestSupport", dependencies: ["CTestSupport", "Text"], path: "Tests/TestSupport", swiftSettings: rules),
    .executableTarget(
      name: "podcli-demo", dependencies: ["TestSupport"], path: "Tests/Demo", exclude: ["Show"], swiftSettings: rules),
    .target(name: "CPowerCut", path: "Tests/CPowerCut"),
    .executableTarget(
      name: "podcli-storm", dependencies: ["PodcastModel", "PodcastStore", "CSQLite", "CPowerCut", "TestSupport"],
      path: "Tests/Storm", exclude: ["faults.mk"], swiftSettings: rules),
    tests("TestSupportTests", of: []),
    tests("SystemTests", of: ["System"]),
    tests("TextTests", of: ["Text"]),
    tests("PodcastModelTests", of: ["PodcastModel", "System"]),
    tests("FeedKitTests", of: ["FeedKit", "PodcastModel", "Podcatcher", "Text", "System"], fixtures: true),
    tests("PodcastStoreTests", of: ["PodcastStore", "PodcastModel", "System", "CSQLite"], fixtures: true),
    tests("TransferTests", of: ["Transfer"]),
    tests("PlaybackTests", of: ["Playback", "CMPV"]),
    tests("DesktopTests", of: ["Desktop"]),
    tests(
      "PodcatcherTests",
      of: ["Podcatcher", "PodcastModel", "Text", "System", "PodcastStore", "Playback", "Transfer", "Desktop"]),
    tests("CommandKitTests", of: ["CommandKit", "podcli"]),
    tests("ScreenKitTests", of: ["ScreenKit"]),
    tests("BenchTests", of: ["podcli-bench", "Text"]),
    tests(
      "podcliTests",
      of: ["podcli", "CommandKit", "ScreenKit", "Podcatcher", "PodcastModel", "Text", "System", "PodcastStore"],
      fixtures: true),
  ] + fuzzing
)
