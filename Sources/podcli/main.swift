import Podcatcher

// Pages are shown without starting a task or a thread; commands run as a task.
Signals.ignoreTheHarmless()
StandardError.keepDispatchQuiet()
Entry.run(Array(CommandLine.arguments.dropFirst()), .process)
