import Podcatcher

// What can be answered without a library is answered without a thread; the rest runs as a task.
Signals.ignoreTheHarmless()
StandardError.keepDispatchQuiet()
Entry.run(Array(CommandLine.arguments.dropFirst()), .process)
