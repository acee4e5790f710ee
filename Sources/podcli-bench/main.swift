private import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())

switch arguments.first {
case "library": try await makeLibrary(Array(arguments.dropFirst()))
case "store": try await StoreBench.run(Array(arguments.dropFirst()))
case "disturb": try await PositionBench.disturb(Array(arguments.dropFirst()))
case "list": try await listOnce(Array(arguments.dropFirst()))
case "follow": try await FollowBench.run(Array(arguments.dropFirst()))
case "parse": try ParseBench.run(Array(arguments.dropFirst()))
case "feed": GeneratedFeed.write(Array(arguments.dropFirst()))
case "stream": ReadOne.run(Array(arguments.dropFirst()))
case "read": ReadEach.run(Array(arguments.dropFirst()))
default:
  print(
    "usage: podcli-bench library FILE PODCASTS EPISODES [SEED] | store [FOLDER [questions|merge|positions]…] | follow [many] [long] [huge] | parse [ROUNDS] | feed EPISODES | stream FILE [unlimited] | read [pretty]"
  )
  exit(2)
}
