private import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())

switch arguments.first {
case "library": try await makeLibrary(Array(arguments.dropFirst()))
case "store": try await benchStore(Array(arguments.dropFirst()))
case "list": try await listOnce(Array(arguments.dropFirst()))
case "listen" where arguments.dropFirst().first == "start": try await ListenBench.start()
case "listen" where arguments.dropFirst().first == "cost": try await ListenBench.cost()
case "listen":
  try await ListenBench.start()
  try await ListenBench.cost()
  try await TrimBench.run()
case "trim": try await TrimBench.run()
case "follow": try FollowBench.run()
case "parse": ParseBench.run(Array(arguments.dropFirst()))
case "feed": GeneratedFeed.write(Array(arguments.dropFirst()))
case "stream": ReadOne.run(Array(arguments.dropFirst()))
case "read": ReadEach.run(Array(arguments.dropFirst()))
default:
  print(
    "usage: podcli-bench library FILE PODCASTS EPISODES [SEED] | store FILE | follow | listen [start or cost] | trim | parse [ROUNDS] | feed EPISODES | stream FILE [unlimited] | read [pretty]"
  )
  exit(2)
}
