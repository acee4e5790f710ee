private import Glibc

// What unit tests are too short for: processes killed a thousand times, power cut four hundred times, playing ended two hundred times.

let arguments = Array(CommandLine.arguments.dropFirst())

switch arguments.first {
case "kill": try await KillStorm(kills: arguments.dropFirst().first.flatMap { Int($0) } ?? 1000).run()
case "worker" where arguments.count == 4:
  try await Worker(role: arguments[1], library: arguments[2], seed: arguments[3]).run()
case "play": try await PlayStorm(arguments.dropFirst().first).run()
case "power": try await PowerCuts(cuts: arguments.dropFirst().first.flatMap { Int($0) } ?? 400).run()
case "download": try await DownloadStorm(kills: arguments.dropFirst().first.flatMap { Int($0) } ?? 50).run()
case "servers": try await HostileServers().run()
default:
  print("usage: podcli-storm kill [TIMES] | power [TIMES] | play [TIMES or 60s] | download [TIMES] | servers")
  exit(2)
}
