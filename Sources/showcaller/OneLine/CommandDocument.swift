import ArgumentParser
import CastProtocol
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

/// The document that a one-line command stands for.
///
/// It is compiled as every document is, so a wrong word gets the message it gets there; the message's places are moved to
/// where the words stand on the command line.
struct CommandDocument {
  private struct Piece {
    var line: Int
    /// In the document, quotes included.
    var columns: Range<Int>
    var place: WordPlace
    /// Whether it is written here as it stands there.
    var isVerbatim = true
    /// What stands in front of it there, but not here: the sign of a change.
    var sign = ""
  }

  private var text = ""
  private var line = 1
  private var column = 1
  private var pieces: [Piece] = []
  private let commandLine: CommandLineText
  /// The first argument of a text.
  private let places: [String: Int]
  /// The files that words are from.
  private var lists: [SourceFile] = []

  /// - Parameter limit: What all steps together may take; `nil`: as long as they take.
  init(_ steps: [WrittenStep], timeouts: Plan.Timeouts, limit: Written? = nil, arguments: [String]) {
    commandLine = CommandLineText(arguments)
    places = Dictionary(commandLine.arguments.map { ($0.text, $0.column) }, uniquingKeysWith: { first, _ in first })
    add("scenario: command\ndevice: command\ntimeout:")
    write(limit ?? .fixed("30d"), indent: 2)
    add("session: { leave: keep }\ndefaults:\n  timeout:\n")
    for (key, path) in Settings.timeoutKeys {
      add("    \(key): \(Int(exactly: (timeouts[keyPath: path].seconds * 1000).rounded()) ?? 1)ms\n")
    }
    add("steps:\n")
    for step in steps { write(step) }
  }

  // MARK: compiling

  /// The plan of the document.
  /// - Throws: Exit code 2, after telling what is wrong with the words.
  func compile() throws -> Plan {
    let outcome = PlanCompiler.compile(SourceFile(name: SourceSpan.commandLine, bytes: Array(text.utf8)))
    let problems = outcome.diagnostics.compactMap(moved)
    DiagnosticPrinter.standardError.print(problems, of: [commandLine.source] + lists)
    guard case .scenario(let plan)? = outcome.document, plan.refusals.isEmpty else {
      throw ExitCode.commandLineWrong
    }
    return plan
  }

  /// The problem with its places on the command line; advice that is for documents is left out.
  private func moved(_ problem: Diagnostic) -> Diagnostic? {
    let place = place(of: problem.primary.span)
    guard place != nil || problem.severity == .error else { return nil }
    var result = problem
    result.primary.span = Self.span(place ?? whole)
    result.related = []
    if let sign = piece(at: problem.primary.span)?.sign, !sign.isEmpty {
      result.primary.text = result.primary.text.replacing("did you mean `", with: "did you mean `\(sign)")
    }
    if let help = Self.help(for: problem) {
      result.footers = [.help(help)]
    } else {
      result.footers.removeAll { footer in
        guard case .help(let text) = footer else { return false }
        // A piece of a document in backticks, such as `seek: { by: -10s }`.
        let quoted = text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter {
          $0.offset % 2 == 1
        }
        return quoted.contains { $0.element.contains(": ") || $0.element.hasSuffix(":") }
      }
    }
    return result
  }

  /// The help of problems whose cure is another one here.
  private static func help(for problem: Diagnostic) -> String? {
    switch problem.code {
    case "C509" where problem.message.contains("track"):
      "subtitles are WebVTT or TTML: an address that ends with `.vtt` or `.ttml`; convert other kinds"
    case "C509" where problem.primary.text.hasPrefix("a page"):
      "a device plays the file itself: an address that ends with `.mp4`, `.m3u8` or the like"
    case "C509": "add `--type`, such as `--type video/mp4`"
    case "T202": "write `1m30s`; positions may be `1:30`, too, with two digits below 60 behind the colon"
    case "N406" where problem.message.contains("media"):
      "items are named by their number, which `showcaller queue` shows, or by their address"
    case "N406": "an app id has eight hexadecimal digits in capitals, such as `CC1AD845`"
    case "C502": "use the address that this computer has in the device's network"
    default: nil
    }
  }

  /// All that stands behind the program's name.
  private var whole: WordPlace {
    WordPlace(columns: 12..<max(13, commandLine.shown.unicodeScalars.count + 1))
  }

  private static func span(_ place: WordPlace) -> SourceSpan {
    SourceSpan(
      file: place.list?.name ?? SourceSpan.commandLine, line: place.line, column: place.columns.lowerBound,
      endLine: place.line,
      endColumn: place.columns.upperBound)
  }

  private func piece(at span: SourceSpan) -> Piece? {
    pieces.first { piece in
      piece.line == span.line && span.column >= piece.columns.lowerBound && span.column < piece.columns.upperBound
    }
  }

  private func place(of span: SourceSpan) -> WordPlace? {
    guard let piece = piece(at: span) else { return nil }
    if span.column == piece.columns.lowerBound || !piece.isVerbatim { return piece.place }
    let columns = piece.place.columns
    let offset = span.column - piece.columns.lowerBound - 1
    let start = min(columns.lowerBound + offset, max(columns.lowerBound, columns.upperBound - 1))
    let length = max(1, span.endLine == span.line ? span.endColumn - span.column : 1)
    var place = piece.place
    place.columns = start..<max(start + 1, min(start + length, columns.upperBound))
    return place
  }

  // MARK: writing

  private mutating func write(_ step: WrittenStep) {
    let modifiers = [("timeout", step.timeout), ("within", step.within)].compactMap { key, value in
      value.map { (key: key, value: $0) }
    }
    if step.value == nil, modifiers.isEmpty, step.save == nil {
      add("- \(step.verb)\n")
      return
    }
    add("- \(step.verb):")
    if let value = step.value { write(value, indent: 6) } else { add("\n") }
    for modifier in modifiers {
      add("  \(modifier.key):")
      write(modifier.value, indent: 6)
    }
    if let save = step.save { add("  save: { \(save.name): \(save.field) }\n") }
  }

  private mutating func write(_ value: Written, indent: Int) {
    switch value {
    case .word(let text): addLine(text, from: place(of: text))
    case .meant(let text, let shown):
      let sign = shown == "+" + text || shown == "-" + text ? String(shown.prefix(1)) : ""
      addLine(text, from: place(of: shown), isVerbatim: text == shown, sign: sign)
    case .listed(let text, let place): addLine(text, from: place)
    case .fixed(let text): addLine(text, from: nil)
    case .saved(let name): add(" \"${\(name)}\"\n")
    case .json(let json): add(" \(Self.withoutHoles(json.serialized()))\n")
    case .map(let entries), .typedMap(let entries):
      if entries.isEmpty { return add(" {}\n") }
      add("\n")
      for entry in entries {
        add(String(repeating: " ", count: indent))
        if case .typedMap = value { addQuoted(entry.key, from: place(of: entry.key)) } else { add(entry.key) }
        add(":")
        write(entry.value, indent: indent + 2)
      }
    case .list(let items):
      if items.isEmpty { return add(" []\n") }
      add("\n")
      for item in items {
        add(String(repeating: " ", count: indent) + "-")
        write(item, indent: indent + 2)
      }
    }
  }

  private mutating func addLine(_ text: String, from place: WordPlace?, isVerbatim: Bool = true, sign: String = "") {
    add(" ")
    addQuoted(text, from: place, isVerbatim: isVerbatim, sign: sign)
    add("\n")
  }

  /// In double quotes, whose escapes are those of JSON.
  private mutating func addQuoted(
    _ text: String, from place: WordPlace?, isVerbatim: Bool = true, sign: String = ""
  ) {
    let start = column
    add(Self.withoutHoles(JSONValue.string(text).serialized()))
    guard let place else { return }
    if let list = place.list, !lists.contains(where: { $0.name == list.name }) { lists.append(list) }
    pieces.append(Piece(line: line, columns: start..<column, place: place, isVerbatim: isVerbatim, sign: sign))
  }

  private static func withoutHoles(_ text: String) -> String { text.replacing("${", with: "$${") }

  /// Where the user typed `text`: an argument, or a side of `key=value`.
  private func place(of text: String) -> WordPlace {
    let length = max(1, text.unicodeScalars.count)
    var place = whole
    if let whole = places[text] {
      place.columns = whole..<whole + length
    } else if let left = commandLine.arguments.first(where: { $0.text.hasPrefix(text + "=") }) {
      place.columns = left.column..<left.column + length
    } else if let right = commandLine.arguments.first(where: { $0.text.hasSuffix(text) }) {
      let start = right.column + right.text.unicodeScalars.count - text.unicodeScalars.count
      place.columns = start..<start + length
    }
    return place
  }

  private mutating func add(_ more: String) {
    text += more
    for scalar in more.unicodeScalars {
      if scalar == "\n" {
        line += 1
        column = 1
      } else {
        column += 1
      }
    }
  }
}
