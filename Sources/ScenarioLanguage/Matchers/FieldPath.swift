/// A status field by its parts: `break.clip_time` is `["break", "clip_time"]`.
package struct FieldPath: Codable, Hashable, Sendable {
  package var parts: [String]

  package init(_ parts: [String]) { self.parts = parts }
  package var text: String { parts.count == 1 ? parts[0] : parts.joined(separator: ".") }

  /// The name of the variable or device fact that a condition's `vars` or `device` asks for.
  package var variable: String? {
    switch parts.first {
    case "vars" where parts.count > 1: parts.dropFirst().joined(separator: ".")
    case "device" where parts.count > 1: text
    default: nil
    }
  }

  // MARK: Reading

  /// Plans and events nest as deep as paths are long, and deep nesting is refused where they are read.
  static let longest = 24

  /// Reads a path as documents write it.
  package init(parsing text: String) { self.init(parsing: text, below: FieldPath([])) }

  /// Reads a path below another. What follows `raw.media` is one JSON pointer, or names and numbers with points:
  /// `raw.media./status/0/playerState` and `raw.media.status.0.playerState` are the same.
  init(parsing text: String, below prefix: FieldPath) {
    let own =
      text.utf8.contains(0x2E) ? text.split(separator: ".", omittingEmptySubsequences: false).map(String.init) : [text]
    let parts = prefix.parts.isEmpty ? own : prefix.parts + own
    guard parts.count > 3, parts[0] == "raw" else {
      self.init(parts)
      return
    }
    let known = prefix.parts.dropFirst(2).joined(separator: "/")
    let added = parts.dropFirst(max(prefix.parts.count, 2))
    let written = added.joined(separator: ".")
    // In a pointer a point is part of a name.
    let pointer = written.contains("/") ? written : added.joined(separator: "/")
    let whole = known.isEmpty || pointer.hasPrefix("/") ? known + pointer : known + "/" + pointer
    self.init([parts[0], parts[1], whole.hasPrefix("/") ? whole : "/" + whole])
  }
}

extension String {
  /// The paths that this one begins with, itself the last: `a`, `a.b` and `a.b.c` of `a.b.c`.
  package var dottedPrefixes: [String] {
    let dots = indices.lazy.filter { self[$0] == "." }.prefix(IncludeReader.Limit.depth)
    return dots.map { String(self[..<$0]) } + [self]
  }
}
