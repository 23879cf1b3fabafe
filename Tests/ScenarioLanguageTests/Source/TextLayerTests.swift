import Testing

@testable import ScenarioLanguage

/// Everything that the text layer refuses (docs/language/values.md "What no document may have"): with its code, at its
/// place, with its cure.
@Suite struct TextLayerTests {
  struct Refusal: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var code: String
    /// The line from 1 and the underlined text.
    var line: Int
    var shown: String
    /// A part of the message, of a label, or of a help line.
    var says: [String]

    init(_ name: String, _ text: String, _ code: String, _ line: Int, _ shown: String, _ says: String...) {
      testDescription = name
      self.text = text
      self.code = code
      self.line = line
      self.shown = shown
      self.says = says
    }
  }

  static let refusals: [Refusal] = [
    Refusal("a second document", "a: 1\n---\nb: 2\n", "Y305", 2, "---", "one document", "a file of its own"),
    Refusal("content behind the end", "a: 1\n...\n# x\n\nb: 2\n", "Y305", 5, "b", "remove the line `...`"),
    Refusal("a tag", "a: !t 1\n", "Y306", 1, "!t", "tags (`!t`)", "the field decides"),
    Refusal("a YAML type as a tag", "a: !!int 1\n", "Y306", 1, "!!int", "`!!int`"),
    Refusal("a tag of a map behind an anchor", "a: &x !t { b: 1 }\n", "Y306", 1, "!t", "tags (`!t`)"),
    Refusal("a tag on a key", "!t a: 1\n", "Y306", 1, "!t", "tags (`!t`)"),
    Refusal("a tag that includes", "a: !include b.yaml\n", "Y306", 1, "!include", "use `include:`"),
    Refusal("a tag that reads a secret", "a: !secret x\n", "Y306", 1, "!secret", "use `secrets:`"),
    Refusal("a tag without an end", "a: !<x y\n", "Y306", 1, "!", "quote a text that begins with `!`"),
    Refusal("a tag with an unknown handle", "a: !x!y z\n", "Y306", 1, "!", "tags"),
    Refusal("the YAML directive", "%YAML 1.2\n---\na: 1\n", "Y306", 1, "%YAML", "every document is YAML 1.2"),
    Refusal("a directive for tags", "%TAG ! tag:x,2000:\n---\na: 1\n", "Y306", 1, "%TAG", "directives (`%TAG`)"),
    Refusal("an unknown directive", "%FOO x\n---\na: 1\n", "Y306", 1, "%", "directives (`%FOO`)"),
    Refusal("a newer YAML", "%YAML 2.0\n---\na: 1\n", "Y306", 1, "%", "directives"),
    Refusal("half a directive", "%YAML\na: 1\n", "Y306", 1, "%", "directives (`%YAML`)"),
    Refusal("a merge key", "a: &x { b: 1 }\nc:\n  <<: *x\n", "Y303", 3, "<<", "`like: x` does this"),
    Refusal("a merge key of several maps", "a: &x { b: 1 }\nc:\n  <<: [*x]\n", "Y303", 3, "<<", "`like:` does this"),
    Refusal("a key set twice", "a: 1\nb: 2\na: 3\n", "K104", 3, "a", "duplicate key `a`", "first set here"),
    Refusal("a key set twice, in quotes", "{ a: 1, \"a\": 3 }\n", "K104", 1, "\"a\"", "duplicate key"),
    Refusal("a tab as indentation", "a:\n\tb: 1\n", "T211", 2, "\t", "use spaces; `showcaller fmt` fixes"),
    Refusal("a tab behind spaces", "a:\n  \tb: 1\n  c: 2\n", "T211", 2, "\t", "use spaces; `showcaller fmt` fixes"),
    Refusal("a tab behind a dash", "a:\n  -\tb: 1\n", "T211", 2, "\t", "use spaces; `showcaller fmt` fixes"),
    Refusal("a list as a key", "? [a]\n: 1\n", "Y307", 1, "[", "not a list or a map"),
    Refusal("a map as a key", "{ a: b }: 1\n", "Y307", 1, "{", "quote it if it is text"),
    Refusal("a block as a key", "?\n  - a\n: 1\n", "Y307", 2, "-", "not a list or a map"),
    Refusal("an alias as a key", "a: &x b\n*x : 1\n", "Y307", 2, "*x", "write the key out"),
    Refusal("an empty key", "\"\": 1\n", "Y307", 1, "\"", "a key is empty"),
    Refusal("no key at all", "a: 1\n: x\n", "Y307", 2, ":", "a key is missing", "write `key: value`"),
    Refusal("a mark of a key where none can be", "a: [b]\nc: - ? d\n", "Y309", 2, "-", "a list cannot begin here"),
    Refusal("an alias inside its anchor", "a: &x [1, *x]\n", "Y310", 1, "*x", "would never end", "`&x` begins here"),
    Refusal("an unknown anchor", "a: &left 1\nb: *lef\n", "Y301", 2, "lef", "did you mean `*left`?"),
    Refusal("an anchor used before it is set", "a: *x\nb: &x 1\n", "Y301", 1, "x", "quote a text that begins with `*`"),
    Refusal("an alias without a name", "a: * b\n", "Y309", 1, "*", "quote a text that begins with them"),
    Refusal("a variable in a flow collection", "a: [${x}]\n", "Y304", 1, "${x}", "`[\"${x}\"]`"),
    Refusal("a variable in a flow map", "a: { b: ${x} }\n", "Y304", 1, "${x}", "`\"${x}\"`"),
    Refusal("NUL", "a: b\u{0}c\n", "Y308", 1, "\u{0}", "U+0000", "NUL"),
    Refusal("an escape character", "a: b\nc: \u{1B}[1m\n", "Y308", 2, "\u{1B}", "U+001B", "control character"),
    Refusal("a line separator", "a: b\u{2028}c\n", "Y308", 1, "\u{2028}", "`\\u2028`"),
    Refusal("a mark in the middle", "a: \u{FEFF}b\n", "Y308", 1, "\u{FEFF}", "U+FEFF", "not visible"),
    Refusal("a byte order mark", "\u{FEFF}a: b\n", "Y308", 1, "a", "save it as UTF-8 without BOM"),
    Refusal("two values in a line", "a: b: c\n", "Y309", 1, ":", "a second `: `", "quote a text that holds `: `"),
    Refusal("a key below a value", "a: b\n  c: d\n", "Y309", 2, ":", "the line above already has a value"),
    Refusal("a key in the line of the mark", "--- a: b\n", "Y309", 1, ":", "begin the document on the next line"),
    Refusal(
      "a key between two depths", "a:\n    b: 1\n  c: 2\n", "Y309", 3, "c", "keys of one map begin in the same column"),
    Refusal("a list that ends in a key", "- a\nb: 1\n", "Y309", 2, "b", "items of one list begin with `- `"),
    Refusal("a line without a colon", "a: 1\nb\n", "Y309", 2, "b", "no `: ` behind this"),
    Refusal("a list in the line of its key", "a: - b\n", "Y309", 1, "-", "put the first `- ` on the next line"),
    Refusal("text behind a quote", "a: \"b\" c\n", "Y309", 1, "c", "put all of it into quotes, or none"),
    Refusal(
      "a quote that ends a line below", "a: \"b\nc: \"d\"\n", "Y309", 2, "d", "is a quote further up never closed?"),
    Refusal("text behind a list", "a: [b] c\n", "Y309", 1, "c", "quote the whole value"),
    Refusal("a quote without an end", "a: 1\nb: 'c\nd: 2\n", "Y309", 2, "'", "opened and never closed"),
    Refusal("a list without an end", "a: [b,\nc: d\n", "Y309", 2, "", "close the list with `]`"),
    Refusal("a map without an end", "a: {b: c\n", "Y309", 1, "", "close the map with `}`"),
    Refusal("a bracket too many", "a: ]\n", "Y309", 1, "]", "a value is missing here"),
    Refusal("an unknown escape", "a: \"b\\q\"\n", "Y309", 1, "\\", "use single quotes"),
    Refusal("an escape without digits", "a: \"b\\xZZ\"\n", "Y309", 1, "Z", "`\\x` takes 2 digits"),
    Refusal("an escape for half a character", "a: \"\\uD83C\"\n", "Y309", 1, "D", "write the character itself"),
    Refusal("a text beside its mark", "a: | b\n  c\n", "Y309", 1, "b", "begins on the next line"),
    Refusal("a text indented by nothing", "a: |0\n  b\n", "Y309", 1, "0", "begins on the next line"),
    Refusal("a value that begins with @", "a: @b\n", "Y309", 1, "@", "quote the value"),
    Refusal("a value that begins with a backtick", "a: `b`\n", "Y309", 1, "`", "cannot begin with a backtick"),
    Refusal("a value that begins with %", "a: %b\n", "Y309", 1, "%", "cannot begin with `%`"),
  ]

  @Test("What is refused says where, why and what to write", arguments: refusals)
  func refusal(_ refusal: Refusal) throws {
    let problems = DiagnosticCollector()
    let source = SourceFile(refusal.text)
    _ = YAMLParser.parse(source, reportingTo: problems)
    let found = problems.finished()
    let problem = try #require(found.first, "nothing is wrong with it")
    #expect(found.count == 1, "\(found.map(\.message))")
    #expect(problem.code.rawValue == refusal.code)
    #expect(problem.primary.span.line == refusal.line)
    #expect(SourceText(source).text(at: problem.primary.span) == refusal.shown)
    let rendered = DiagnosticRenderer(sources: [source]).render(found)
    for words in refusal.says { #expect(rendered.contains(words), "\(rendered)") }
    #expect(problem.message.first?.isUppercase != true)
    #expect(!rendered.contains("this is not YAML:"), "libyaml's own words: \(rendered)")
  }

  @Test(
    "A colon without a space is told before anything else",
    arguments: [
      ("scenario:x", "write `scenario: x`"), ("scenari:x", "write `scenari: x`"),
      ("scenario:Lobby TV\nsteps:play", "write `scenario: Lobby`"), ("library:\"a\"", "write `library: \"a\"`"),
    ])
  func missingSpace(text: String, help: String) {
    let found = DocumentReader.read(SourceFile(text), inputs: .init()).diagnostics.finished()
    let rendered = DiagnosticRenderer(sources: [SourceFile(text)]).render(found)
    #expect(found.map(\.code.rawValue) == ["T210"] && rendered.contains(help), "\(rendered)")
  }
}
