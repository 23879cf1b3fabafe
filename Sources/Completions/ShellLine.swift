/// A command line as bash splits it, up to the cursor: quotes and backslashes are understood, nothing is ever run.
struct ShellLine {
  /// The words before the one at the cursor, without their quotes.
  private(set) var words: [String] = []
  /// The word at the cursor, without its quotes.
  private(set) var last = ""
  /// How much of ``last`` stands before what readline will replace.
  private(set) var kept = ""
  /// The quote that is still open at the cursor.
  private(set) var quote: Character?

  /// - Parameter breaks: Where readline begins a new word besides at spaces (`COMP_WORDBREAKS`).
  init(_ line: String, breaks: String) {
    var isEscaped = false
    var isStarted = false
    // Readline begins behind a quote that is open, but takes one that is closed as a part of the word.
    var keptOutside = ""
    func end(_ line: inout ShellLine) {
      if isStarted { line.words.append(line.last) }
      line.last = ""
      line.kept = ""
      isStarted = false
    }
    for character in line {
      if isEscaped {
        last.append(character)
        isEscaped = false
      } else if quote != "'", character == "\\" {
        isEscaped = true
        isStarted = true
      } else if let open = quote {
        if character == open {
          quote = nil
          kept = keptOutside
        } else {
          last.append(character)
        }
      } else if character == "'" || character == "\"" {
        quote = character
        keptOutside = kept
        kept = last
        isStarted = true
      } else if character == " " || character == "\t" || character == "\n" {
        end(&self)
      } else {
        last.append(character)
        isStarted = true
        if breaks.contains(character), "=:".contains(character) { kept = last }
      }
    }
    // Settings before the command are no words of it.
    if let command = words.firstIndex(where: { !$0.contains("=") || $0.hasPrefix("-") }) { words.removeFirst(command) }
  }

  /// What to type for a text where this line ends: it becomes exactly that text, and bash runs and expands nothing in it.
  func quoted(_ text: String) -> String {
    var result = ""
    for character in text.dropFirst(kept.count) {
      switch quote {
      case "'": result += character == "'" ? "'\\''" : String(character)
      case "\"":
        // Nothing else keeps the history out of double quotes.
        if character == "!" {
          result += "\"'!'\""
        } else {
          result += ("\"\\$`".contains(character) ? "\\" : "") + String(character)
        }
      default:
        let isPlain = !character.isASCII || character.isLetter || character.isNumber || "-_./:=@%+,".contains(character)
        result += (isPlain || result.isEmpty && kept.isEmpty && character == "~" ? "" : "\\") + String(character)
      }
    }
    // Readline closes a quote unless the text ends with one.
    if let quote, result.last == quote { result.append(quote) }
    return result
  }
}
