/// A document as far as a cursor, made readable: what is being typed is replaced by a word of ours, brackets are closed,
/// and what follows is left out. Texts that are being typed are rarely YAML.
///
/// `- expect: { player: pla|` becomes `- expect: { player: <word>}`, with `pla` as what is typed.
struct CursorText {
  /// What stands for the word that is being typed.
  static let word = "showcaller__cursor"

  /// The texts to read, the likeliest first; the first that is YAML counts.
  private(set) var candidates: [String]
  /// The part of the word in front of the cursor.
  private(set) var typed: String
  /// Where ``typed`` begins in its line, from 0, in Unicode scalars.
  private(set) var start: Int
  /// The name in `${name` in front of the cursor, where one is being typed.
  private(set) var variable: String?

  /// - Parameters:
  ///   - before: The lines above the cursor's, each with its end.
  ///   - line: The cursor's line in front of it.
  /// - Returns: `nil` where nothing can be offered: in a comment, or right behind a `:` or a `-`.
  init?(before: String, line: String) {
    var scan = LineScan(line)
    guard scan.run() else { return nil }
    let scalars = Array(line.unicodeScalars)
    start = scan.tokenStart
    typed = Self.text(scalars[scan.tokenStart...])
    if let name = Self.openName(typed) {
      variable = name
      typed = name
      start = scalars.count - name.unicodeScalars.count
    }
    let head = before + Self.text(scalars[..<scan.wordStart])
    let closing = String(scan.brackets.reversed().map { $0 == "[" ? "]" : "}" })
    let isKey = !scan.isValue && scan.brackets.last != "["
    let inside = Self.word + (isKey ? ": " : "")
    candidates = [head + inside + closing + "\n"]
    // Brackets that were opened in lines above.
    let all = Self.openBrackets(head)
    if all.count > scan.brackets.count {
      let isKey = !scan.isValue && all.last != "["
      let closing = String(all.reversed().map { $0 == "[" ? "]" : "}" })
      candidates.insert(head + Self.word + (isKey ? ": " : "") + closing + "\n", at: 0)
    }
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }

  /// What follows the last `${`, where that is not closed.
  private static func openName(_ text: String) -> String? {
    guard let open = text.ranges(of: "${").last else { return nil }
    let name = text[open.upperBound...]
    return name.contains("}") ? nil : String(name)
  }

  /// The brackets that a text leaves open, outside of quotes and comments.
  private static func openBrackets(_ text: String) -> [Unicode.Scalar] {
    var open: [Unicode.Scalar] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      var scan = LineScan(String(line), inside: open)
      _ = scan.run()
      open = scan.brackets
    }
    return open
  }
}

/// Reads one line up to a cursor: where the word under it begins, and whether it is a key or a value.
private struct LineScan {
  private let scalars: [Unicode.Scalar]
  private var index = 0
  /// Those that are open, the outermost first.
  private(set) var brackets: [Unicode.Scalar]
  /// Where the word begins, without a quote in front of it.
  private(set) var tokenStart = 0
  /// The same with the quote.
  private(set) var wordStart = 0
  /// Whether a `key:` stands in front of it.
  private(set) var isValue = false
  private var quote: Unicode.Scalar?

  init(_ line: String, inside brackets: [Unicode.Scalar] = []) {
    scalars = Array(line.unicodeScalars)
    self.brackets = brackets
  }

  private var isAtStart: Bool { index == tokenStart }

  /// - Returns: Whether a word may stand at the end of the line.
  mutating func run() -> Bool {
    begin(at: 0)
    while index < scalars.count {
      let scalar = scalars[index]
      let next = index + 1 < scalars.count ? scalars[index + 1] : nil
      if let open = quote {
        if open == "\"", scalar == "\\" {
          index += 1
        } else if scalar == open {
          quote = nil
        }
        index += 1
        continue
      }
      switch scalar {
      case "#" where index == 0 || scalars[index - 1] == " ": return false
      case "\"" where isAtStart, "'" where isAtStart:
        quote = scalar
        tokenStart = index + 1
      case "-" where isAtStart && !isValue && brackets.isEmpty && (next == " " || next == nil):
        guard next != nil else { return false }
        begin(at: index + 1)
        continue
      case "{" where isAtStart || !brackets.isEmpty && scalars[max(index - 1, 0)] != "$",
        "[" where isAtStart || !brackets.isEmpty:
        brackets.append(scalar)
        isValue = false
        begin(at: index + 1)
        continue
      case "}" where !brackets.isEmpty && !isInPlaceholder, "]" where !brackets.isEmpty:
        brackets.removeLast()
        isValue = true
        begin(at: index + 1)
        continue
      case "," where !brackets.isEmpty:
        isValue = false
        begin(at: index + 1)
        continue
      case ":" where next == " " || next == nil || (next == "\t"):
        guard next != nil else { return false }
        isValue = true
        begin(at: index + 1)
        continue
      default: break
      }
      index += 1
    }
    return true
  }

  /// Whether the word so far has a `${` that is not closed.
  private var isInPlaceholder: Bool {
    var place = index - 1
    while place > tokenStart {
      if scalars[place] == "}" { return false }
      if scalars[place] == "{", scalars[place - 1] == "$" { return true }
      place -= 1
    }
    return false
  }

  private mutating func begin(at start: Int) {
    index = start
    while index < scalars.count, scalars[index] == " " || scalars[index] == "\t" { index += 1 }
    tokenStart = index
    wordStart = index
  }
}
