// What parsing costs, measured: `podcli-bench`, or one part of it by name.

let arguments = CommandLine.arguments.dropFirst()
switch arguments.first {
case "read": ReadEach.run()
default: ParseBench.run(Array(arguments))
}
