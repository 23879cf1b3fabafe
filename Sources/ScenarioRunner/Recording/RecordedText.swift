import CastProtocol
import ScenarioLanguage

/// Makes text of a device fit to stand in a document: a device may say anything.
enum RecordedText {
  static let limit = 300

  /// One line of at most 300 letters, without anything that could act on a terminal, hide itself or turn text around.
  static func clean(_ text: String, limit: Int = limit) -> String {
    var result = ""
    var count = 0
    for scalar in text.unicodeScalars {
      if count == limit { return result + "…" }
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator:
        if result.last != " ", !result.isEmpty { result += " " }
      case .format, .surrogate, .privateUse, .unassigned: continue
      default:
        // What stands for a secret in plans is no text of a document.
        result.unicodeScalars.append(scalar == "\u{2039}" ? "<" : scalar == "\u{203A}" ? ">" : scalar)
      }
      count += 1
    }
    while result.last == " " { result.removeLast() }
    return result
  }

  /// A value as YAML: plain where nobody could read it otherwise, else between quotes. What looks like a placeholder of
  /// the language is text.
  static func value(_ text: String) -> String {
    quoted(clean(text).replacing("${", with: "$${"))
  }

  /// As it stands, between quotes where it has to be; for addresses and what has placeholders.
  static func quoted(_ text: String) -> String {
    if isPlain(text) { return text }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.utf8.first, let last = text.utf8.last, isWord(first), last != 0x20, last != 0x3A else {
      return false
    }
    // YAML readers of old take these words and numbers for something else.
    if ["true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"].contains(text.lowercased()) {
      return false
    }
    if text.utf8.allSatisfy({ (0x30...0x39).contains($0) || ".:_+-eExXoO".utf8.contains($0) }) { return false }
    var previous: UInt8 = 0
    for byte in text.utf8 {
      let isAllowed = isWord(byte) || " ._/-+?=&%~:;@()".utf8.contains(byte)
      if !isAllowed || previous == 0x3A && byte == 0x20 { return false }
      previous = byte
    }
    return true
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
  }

  /// `big-buck-bunny`: an id of the language made of a name, and one that is not taken yet.
  static func id(of name: String, taken: inout Set<String>, else fallback: String, separator: Character = "-") -> String
  {
    var id = ""
    for scalar in name.lowercased().unicodeScalars {
      let isAllowed = ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
      if isAllowed {
        id.unicodeScalars.append(scalar)
      } else if !id.isEmpty, id.last != separator {
        id.append(separator)
      }
      if id.utf8.count >= 32 { break }
    }
    while id.last == separator { id.removeLast() }
    let isLetter = id.unicodeScalars.first.map { ("a"..."z").contains($0) } ?? false
    if !isLetter { id = id.isEmpty ? fallback : "\(fallback)\(separator)\(id)" }
    if reserved.contains(id) { id = "\(fallback)\(separator)\(id)" }
    var unique = id
    var number = 2
    while taken.contains(unique) {
      unique = "\(id)\(separator)\(number)"
      number += 1
    }
    taken.insert(unique)
    return unique
  }

  /// Words that mean something where an id may stand.
  private static let reserved: Set<String> = ["next", "previous", "default", "none", "all", "start", "end", "live"]

  /// Seconds as documents spell a duration, to half a second.
  static func spelledToHalfSecond(_ seconds: Double) -> String { spelled((seconds * 2).rounded() / 2) }

  /// Seconds as documents spell a duration, to a tenth.
  static func spelledToTenth(_ seconds: Double) -> String { spelled((seconds * 10).rounded() / 10) }

  private static func spelled(_ seconds: Double) -> String {
    Duration.milliseconds(Int64(exactly: (clampedSeconds(seconds) * 1_000).rounded()) ?? 0).spelled
  }

  /// No document needs more than a year.
  static func clampedSeconds(_ seconds: Double) -> Double { seconds.isFinite ? max(0, min(seconds, 31_000_000)) : 0 }

  /// A limit that people would write: whole seconds, from ten on in steps of five, from two minutes on in steps of thirty.
  static func limit(_ duration: Duration) -> String {
    let seconds = clampedSeconds(duration.seconds)
    let step = seconds < 10 ? 1.0 : seconds < 120 ? 5 : 30
    return spelled((seconds / step).rounded(.up) * step)
  }
}
