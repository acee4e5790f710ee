private import Glibc

// What unit tests are too short for: processes killed a thousand times, power cut four hundred times, playing ended two hundred times.

let arguments = Array(CommandLine.arguments.dropFirst())
private let times = arguments.dropFirst().first.flatMap { Int($0) }

switch arguments.first {
case "kill": try await KillStorm(kills: times ?? 1000).run()
case "worker" where arguments.count == 4:
  try await Worker(role: arguments[1], library: arguments[2], seed: arguments[3]).run()
case "play": try await PlayStorm(arguments.dropFirst().first).run()
case "power": try await PowerCuts(cuts: times ?? 400).run()
case "download": try await DownloadStorm(kills: times ?? 50).run()
case "refresh": try await CommandStorm(kills: times ?? 50).run(.refresh, named: "refreshes")
case "migrate": try await CommandStorm(kills: times ?? 50).run(.migrate, named: "migrations")
case "servers": try await HostileServers().run(only: arguments.dropFirst().first)
default:
  print("usage: podcli-storm kill|power|download|refresh|migrate [TIMES] | play [TIMES or 60s] | servers [WORDS]")
  exit(2)
}
