import PodcastModel
import Text

/// What one look at one thing has found.
struct Finding: Sendable {
  enum State: String, Sendable { case fine, doubtful, bad }

  var name: String
  var state: State
  var text: String
  var hint: String?
  /// What the exit status is when this is bad.
  var code = Failure.Code.failed

  static func fine(_ name: String, _ text: String) -> Finding { Finding(name: name, state: .fine, text: text) }

  static func doubtful(_ name: String, _ text: String, hint: String?) -> Finding {
    Finding(name: name, state: .doubtful, text: text, hint: hint)
  }

  static func bad(_ name: String, _ failure: Failure) -> Finding {
    Finding(name: name, state: .bad, text: failure.message, hint: failure.hint, code: failure.code)
  }

  var json: JSON {
    ["name": JSON(name), "state": JSON(state.rawValue), "text": JSON(text), "hint": JSON(hint)]
  }

  func rendered(_ paint: Paint, width: Int?) -> String {
    let mark =
      switch state {
      case .fine: paint.green("✔")
      case .doubtful: "!"
      case .bad: paint.red("✘")
      }
    // What comes below hangs where the text begins.
    let room = width.map { max(20, $0 - 13) }
    let lines = [text, hint ?? ""].filter { !$0.isEmpty }.flatMap { text in
      TextWrap.wrapped(CleanText.line(text, limit: .max), width: room).split(separator: "\n")
    }
    let margin = String(repeating: " ", count: 13)
    let head = "\(mark) \(paint.bold(DisplayWidth.column(name, 10))) "
    return head + lines.joined(separator: "\n" + margin) + "\n"
  }
}
