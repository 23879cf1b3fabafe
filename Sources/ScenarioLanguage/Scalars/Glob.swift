/// A pattern with `*` (any characters) and `?` (one character), over a whole text.
struct Glob: Hashable, Sendable {
  private let pattern: [Character]

  init(_ pattern: String) { self.pattern = Array(pattern) }

  /// Linear in pattern times text: after a mismatch only the last `*` takes one character more.
  func matches(_ text: String) -> Bool {
    let text = Array(text)
    var at = 0
    var position = 0
    var star: (pattern: Int, text: Int)?
    while position < text.count {
      if at < pattern.count, pattern[at] == "*" {
        star = (at, position)
        at += 1
      } else if at < pattern.count, pattern[at] == "?" || pattern[at] == text[position] {
        at += 1
        position += 1
      } else if let last = star {
        star = (last.pattern, last.text + 1)
        at = last.pattern + 1
        position = last.text + 1
      } else {
        return false
      }
    }
    return pattern[at...].allSatisfy { $0 == "*" }
  }
}
