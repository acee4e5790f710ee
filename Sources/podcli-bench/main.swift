private import Glibc

/// One part of the measuring: its name, what may stand behind it, and what it does with that.
private struct Part {
  let name: String
  let usage: String
  let run: ([String]) async throws -> Void
}

private let parts = [
  Part(name: "follow", usage: "[many] [long] [huge]") { try await FollowBench.run($0) },
  Part(name: "listen", usage: "[start|cost|trim]") { try await ListenBench.run($0) },
  Part(name: "look", usage: "[ROUNDS [NAME]]") { try await LookBench.run($0) },
  Part(name: "media", usage: "[download] [start] [memory]") { try MediaBench.run($0) },
  Part(name: "parse", usage: "[ROUNDS]") { try ParseBench.run($0) },
  Part(name: "store", usage: "[FOLDER [questions|listings|merge|positions]…]") { try await StoreBench.run($0) },

  // What the others are made of, or run as processes of their own
  Part(name: "disturb", usage: "…") { try await PositionBench.disturb($0) },
  Part(name: "feed", usage: "EPISODES") { GeneratedFeed.write($0) },
  Part(name: "launch", usage: "PROGRAM …") { try Measured.launch($0) },
  Part(name: "library", usage: "FILE PODCASTS EPISODES [SEED]") { try await makeLibrary($0) },
  Part(name: "list", usage: "FILE") { try await listOnce($0) },
  Part(name: "read", usage: "[pretty]") { ReadEach.run($0) },
  Part(name: "stream", usage: "FILE [unlimited]") { ReadOne.run($0) },
]

let arguments = Array(CommandLine.arguments.dropFirst())
if let part = parts.first(where: { $0.name == arguments.first }) {
  try await part.run(Array(arguments.dropFirst()))
} else {
  print("usage: podcli-bench")
  for part in parts { print("  \(part.name) \(part.usage)") }
  exit(2)
}
