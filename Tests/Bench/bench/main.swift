private import Glibc

private var words = CommandLine.arguments.dropFirst().filter { !Effort.words.contains($0) }
private var folder: RecordFolder?
if let index = words.firstIndex(of: "--into"), index + 1 < words.count {
  do { folder = try RecordFolder(path: words[index + 1]) } catch {
    print("podcli-bench: cannot keep records in \(words[index + 1]): the folder above it must be there, and writable")
    exit(2)
  }
  words.removeSubrange(index...index + 1)
}
private let rest = Array(words.dropFirst())

if let tool = Part.tools.first(where: { $0.name == words.first }) {
  try await tool.run(rest)
} else if let part = Part.all.first(where: { $0.name == words.first }) {
  exit(try await Part.measure([part], rest, into: folder) ? 0 : 1)
} else if words.isEmpty {
  exit(try await Part.measure(Part.all, [], into: folder) ? 0 : 1)
} else {
  Part.explain()
  exit(2)
}
