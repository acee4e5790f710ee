private import Glibc

// Faults that need many repetitions: processes killed a thousand times, power cut four hundred times, playback ended two
// hundred times.

let arguments = Array(CommandLine.arguments.dropFirst())
private let word = arguments.dropFirst().first
private func amount(usually rounds: Int) -> Amount { Amount(word, usual: rounds) }

switch arguments.first {
case "kill": try await KillStorm(amount(usually: 1000)).run()
case "worker" where arguments.count == 4:
  try await Worker(role: arguments[1], library: arguments[2], seed: arguments[3]).run()
case "play": try await PlayStorm(amount: amount(usually: 200)).run()
case "control": try await PlayStorm(amount: amount(usually: 200), isControlled: true).run()
case "sink": try await PlayStorm(amount: amount(usually: 100), hasSoundServer: true).run()
case "power": try await PowerCuts(amount(usually: 400)).run()
case "download": try await DownloadStorm(amount: amount(usually: 50)).run()
case "refresh": try await CommandStorm(amount: amount(usually: 50)).run(.refresh, named: "refreshes")
case "migrate": try await CommandStorm(amount: amount(usually: 50)).run(.migrate, named: "migrations")
case "index": try await CommandStorm(amount: amount(usually: 50)).run(.index, named: "indexing")
case "sync": try await SyncStorm(amount: amount(usually: 200), meeting: .folder).run()
case "sync-server": try await SyncStorm(amount: amount(usually: 200), meeting: .server).run()
case "servers": try await HostileServers().run(word)
default:
  print(
    "usage: podcli-storm play|sink|control|kill|refresh|migrate|index|download|power|sync|sync-server [TIMES or 60s]"
      + " | servers [WORDS or 60s]"
  )
  exit(2)
}
