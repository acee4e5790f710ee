/// Formats a number with its noun: `1 episode`, `2 episodes`.
func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}
