import CBuild
import Podcatcher

// Pages are shown without starting a task or a thread; commands run as a task.
Signals.ignoreTheHarmless()
StandardError.keepDispatchQuiet()
TaskQueue.replacePoolWithoutProc()
Entry.run(ProcessArguments.take(podcli_arguments(), podcli_argument_count()), .process)
