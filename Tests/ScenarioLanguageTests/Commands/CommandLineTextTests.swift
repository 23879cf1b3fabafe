import Testing

@testable import ScenarioLanguage

/// Where words stand on the command line that messages show.
@Suite struct CommandLineTextTests {
  static let places: [([String], String, Range<Int>)] = [
    (["seek", "90"], "90", 17..<19), (["style", "size=big"], "big", 23..<26), (["style", "size=big"], "size", 18..<22),
    (["load", "a b"], "a b", 18..<21), (["pause", ""], "", 19..<20), (["queue", "remove", "1", "1"], "1", 25..<26),
    (["load", "x"], "elsewhere", 12..<18),
  ]

  @Test("A word is an argument, or a side of key=value; else all of the line is meant", arguments: places)
  func place(arguments: [String], word: String, columns: Range<Int>) {
    let line = CommandLineText(arguments)
    let span = line.span(of: word)
    #expect(span.column..<span.endColumn == columns, "\(line.shown)")
    #expect(span.file == SourceSpan.commandLine && span.line == 1)
  }

  @Test("What a shell would take apart is shown in quotes, and in one line")
  func shown() {
    #expect(CommandLineText(["load", "https://x/y.mp4?a=1&b"]).shown == "showcaller load https://x/y.mp4?a=1&b")
    #expect(CommandLineText(["send", "{\"a\": 1}", "b\nc", ""]).shown == "showcaller send '{\"a\": 1}' 'b c' ''")
  }
}
