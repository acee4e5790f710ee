import Glibc

// What can be answered without a library is answered here, without a thread; the rest runs as a task.
Signals.ignoreTheHarmless()
let environment = Entry.environment()
let arguments = Array(CommandLine.arguments.dropFirst())
Entry.run(arguments, environment)
