import CastProtocol
import Testing

@testable import ScenarioLanguage

@Suite struct DocumentFormatterTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var before: String
    var after: String

    init(_ name: String, _ before: String, _ after: String) {
      testDescription = name
      self.before = before
      self.after = after
    }
  }

  static func format(_ text: String) -> String {
    switch DocumentFormatter.format(SourceFile(text)) {
    case .formatted(let bytes): String(decoding: bytes, as: UTF8.self)
    case .refused(let problems): "refused: " + problems.map(\.code.rawValue).joined(separator: " ")
    case .unsafe: "unsafe"
    }
  }

  static let cases: [Case] = [
    Case("maps are indented by two", "a:\n    b:\n         c: 1\n    d: 2\n", "a:\n  b:\n    c: 1\n  d: 2\n"),
    Case("a list is indented below its key", "a:\n- b\n- c:\n  - d\ne: 1\n", "a:\n  - b\n  - c:\n      - d\ne: 1\n"),
    Case("one space follows a dash and a colon", "a:\n  -   b:   1\n      c :  2\n", "a:\n  - b: 1\n    c: 2\n"),
    Case("lists in lists", "-   - a\n    -  b\n-\n  - c\n", "- - a\n  - b\n-\n  - c\n"),
    Case("a root that is indented", "  a: 1\n  b:\n    - c\n", "a: 1\nb:\n  - c\n"),
    Case(
      "flow collections", "a: {b: 1,c : [ x,y ,z ],  d: {},e: [ ]}\n", "a: { b: 1, c: [x, y, z], d: {}, e: [] }\n"),
    Case("a trailing comma stays", "a: [x,y , ]\nb: {c: 1,}\n", "a: [x, y,]\nb: { c: 1, }\n"),
    Case("a key in quotes", "a: {\"b\":1}\n'c'  : 2\n", "a: { \"b\": 1 }\n'c': 2\n"),
    Case("keys without a value", "a:   \nb: {c, d: }\n-e:\n", "a:\nb: { c, d: }\n-e:\n"),
    Case(
      "anchors and aliases", "a: &x   {b: 1}\nc:  *x\nd: &y\n    e: 1\nf: [*x ,*y]\n",
      "a: &x { b: 1 }\nc: *x\nd: &y\n  e: 1\nf: [*x, *y]\n"),
    Case(
      "a flow collection over lines, closed below its key", "a: [\n      x,\n   y\n ]\nb: {\n c: 1 }\n",
      "a: [\n  x,\n  y\n]\nb: {\n  c: 1 }\n"),
    Case(
      "a flow collection that begins in its line is aligned", "a: {b: 1,\n  c: 2}\nd: [x,\n y\n   ]\n",
      "a: { b: 1,\n     c: 2 }\nd: [x,\n    y\n   ]\n"),
    Case(
      "flow in flow", "a:\n - [\n  { b: 1 },\n  {\n  c: 2\n  }\n ]\n",
      "a:\n  - [\n      { b: 1 },\n      {\n        c: 2\n      }\n    ]\n"),
    Case("blank lines", "\n\na: 1\n\n\n\nb: 2\n   \n\n", "a: 1\n\nb: 2\n"),
    Case("spaces at the end", "a: 1   \nb:  \n  - c  \n", "a: 1\nb:\n  - c\n"),
    Case("no break at the end", "a: 1", "a: 1\n"),
    Case(
      "line breaks of other systems", "a: 1\r\nb: |\r\n  x\r\n  y\r\nc: 2\rd: 3", "a: 1\nb: |\n  x\n  y\nc: 2\nd: 3\n"),
    Case(
      "comments stay with the line below", "# top\n\na:\n      # one\n      b: 1\n  # two\nc: 2\n# end\n",
      "# top\n\na:\n  # one\n  b: 1\n# two\nc: 2\n# end\n"),
    Case(
      "a comment that is indented more belongs to the block above",
      "a:\n    - b\n    # - c\nd:\n    e:\n        f: 1\n      # of e\n    # of d\n# of the document\ng: 1\n",
      "a:\n  - b\n  # - c\nd:\n  e:\n    f: 1\n  # of e\n  # of d\n# of the document\ng: 1\n"),
    Case(
      "a comment instead of a value", "a:\n    # nothing yet\nb:\n  -\n     # nothing\n",
      "a:\n  # nothing yet\nb:\n  -\n    # nothing\n"),
    Case(
      "a comment in a list at its key's column", "a:\n- b\n# c\n- d\n# e\nf: 1\n",
      "a:\n  - b\n  # c\n  - d\n# e\nf: 1\n"),
    Case(
      "a comment behind a value keeps its distance", "a: {b: 1}  # one\nc: 2 \t# two\n",
      "a: { b: 1 }  # one\nc: 2  # two\n"),
    Case(
      "comments below each other stay so",
      "a: {b: 1}  # one\ncc: 2      # two\nd:\n    e: 3    # three\n\nf: 1   # four\n",
      "a: { b: 1 }  # one\ncc: 2        # two\nd:\n  e: 3    # three\n\nf: 1   # four\n"),
    Case(
      "columns that were made with spaces", "a:\n    bb:    {u: 1}  # one\n    c:     {u: 2}  # two\n    d: {u: 3}\n",
      "a:\n  bb: { u: 1 }  # one\n  c:  { u: 2 }  # two\n  d: { u: 3 }\n"),
    Case(
      "columns in flow maps",
      "a:\n  car:  { url: \"car.mp4\",  for: 15s, at: 5s }\n  soap: { url: \"soap.mp4\", for: 6s }\n",
      "a:\n  car:  { url: \"car.mp4\",  for: 15s, at: 5s }\n  soap: { url: \"soap.mp4\", for: 6s }\n"),
    Case(
      "a column moves with what is left of it", "- {a: x,   b: 1,   c: 2}\n- {a: xyz, b: 100, c: 2}\n",
      "- { a: x,   b: 1,   c: 2 }\n- { a: xyz, b: 100, c: 2 }\n"),
    Case(
      "a column goes on below a comment", "a:  {u: 1}\n# two\nbb: {u: 2}\n", "a:  { u: 1 }\n# two\nbb: { u: 2 }\n"),
    Case(
      "a column ends at an empty line and at another indentation",
      "a: 1\nbb:   2\n\ncc:   3\nd:\n  e:  4\n", "a: 1\nbb: 2\n\ncc: 3\nd:\n  e: 4\n"),
    Case(
      "no column for a bracket over lines", "a:   [1,\n      2]\nbb:  [3]\n", "a: [1,\n    2]\nbb: [3]\n"),
    Case("comments in flow collections", "a: [ # why\n b, # b\n # c\n d]\n", "a: [ # why\n  b, # b\n  # c\n  d]\n"),
    Case(
      "a literal text keeps its characters",
      "a:\n    b: |\n          one  \n            two\n\n          \tthree\n    c: 1\n",
      "a:\n  b: |\n    one  \n      two\n\n    \tthree\n  c: 1\n"),
    Case("a text that begins with spaces", "a:\n    b: |4-\n          one\n", "a:\n  b: |2-\n      one\n"),
    Case(
      "what ends a text", "a: |+\n   x\n\n\nb: |-   # why\n   y\n\n\n# c\nc: >\n   z\n   \n     \n",
      "a: |+\n  x\n\n\nb: |-   # why\n  y\n\n# c\nc: >\n  z\n\n    \n"),
    Case("a text without a last break", "a: |\n  x", "a: |\n  x"),
    Case("a stripped text without a last break", "a: |-\n  x", "a: |-\n  x\n"),
    Case("an empty text", "a: |\nb: >-\n\n# c\nd: |\n      \n", "a: |\nb: >-\n\n# c\nd: |\n"),
    Case("a text in a list at its key's column", "a:\n- |\n x\n- >\n    y\n", "a:\n  - |\n    x\n  - >\n    y\n"),
    Case("a text below its key", "a:\n     |\n  x\n", "a:\n  |\n  x\n"),
    Case(
      "long plain and quoted texts",
      "a: one\n      two\n\n      three\nb: \"x  \n   y\\ \n   z\\\n   w\"\nc: 'p\n q'\n",
      "a: one\n  two\n\n  three\nb: \"x\n  y\\ \n  z\\\n  w\"\nc: 'p\n  q'\n"),
    Case("a plain text that looks like a list", "a: b\n    - c\n    - d\n", "a: b\n  - c\n  - d\n"),
    Case(
      "long texts in flow collections", "a: [one\n two, \"three\n four\"]\n",
      "a: [one\n      two, \"three\n      four\"]\n"),
    Case("a key with a mark of its own", "?   a\n:    b\n? c\n: - d\n  - e\n", "? a\n: b\n? c\n: - d\n  - e\n"),
    Case("document marks", "---    # one\na: 1\n...\n\n# end\n", "---    # one\na: 1\n...\n\n# end\n"),
    Case("a value on a line of its own", "a:\n      b\nc:\n      [d]\n-e: 1\n", "a:\n  b\nc:\n  [d]\n-e: 1\n"),
    Case(
      "what looks like a comment and is none", "a: x#y\nb: 'it # is'\nc: \"# no\"\n",
      "a: x#y\nb: 'it # is'\nc: \"# no\"\n"),
    Case("wide letters", "a: {b: 映画🎬}   # x\nc: é\n", "a: { b: 映画🎬 }   # x\nc: é\n"),
    Case("tabs become spaces", "a:\n\tb:\n\t\t- c\n\td:\t1\n", "a:\n  b:\n    - c\n  d: 1\n"),
    Case("tabs beside spaces", "a:\n    b: 1\n\tc: 2\n", "a:\n  b: 1\n  c: 2\n"),
    Case("tabs where YAML allows them", "a:\t1\t# x\n\t# y\nb:\n-\tc\n", "a: 1  # x\n# y\nb:\n  - c\n"),
    Case("nothing", "", ""),
    Case("only blank lines", " \n\n", ""),
    Case("only comments", "\n# a\n\n\n  # b", "# a\n\n# b\n"),
    Case("what is no YAML stays", "a: b: c\n", "refused: Y309"),
    Case("what is refused stays", "a: !x 1\n<<: 1\n", "refused: Y306 Y303"),
    Case("a second document stays", "a: 1\n---\nb: 1\n", "refused: Y305"),
  ]

  @Test("A document is laid out anew, and only that", arguments: cases)
  func layout(_ example: Case) {
    #expect(Self.format(example.before) == example.after)
    if !example.after.hasPrefix("refused") { #expect(Self.format(example.after) == example.after, "again") }
  }

  @Test("Mistakes of meaning are no reason not to format")
  func meaning() {
    #expect(Self.format("scenari:  x\nsteps:  5\n") == "scenari: x\nsteps: 5\n")
  }

  private static func check(_ bytes: [UInt8], _ name: String) {
    switch DocumentFormatter.format(SourceFile(name: "lobby.yaml", bytes: bytes)) {
    case .refused(let problems): #expect(!problems.isEmpty, "\(name)")
    case .unsafe: Issue.record("another meaning: \(name)\n\(String(decoding: bytes, as: UTF8.self))")
    case .formatted(let once):
      guard case .formatted(let twice) = DocumentFormatter.format(SourceFile(name: "lobby.yaml", bytes: once)) else {
        Issue.record("not readable again: \(name)\n\(String(decoding: once, as: UTF8.self))")
        return
      }
      #expect(
        once == twice,
        "\(name) comes out otherwise again\n\(String(decoding: once, as: UTF8.self))\n\(String(decoding: twice, as: UTF8.self))"
      )
      #expect(Self.comments(once) == Self.comments(bytes), "\(name) lost a comment")
    }
  }

  /// How many `#` there are: none may be lost.
  private static func comments(_ bytes: [UInt8]) -> Int { bytes.count { $0 == UInt8(ascii: "#") } }

  @Test(
    "Every document of the repository keeps its meaning and comes out the same again",
    arguments: TestFiles.valid + TestFiles.invalid)
  func repository(document: TestFiles.Document) { Self.check(document.bytes, document.path) }

  @Test("So does every damaged document that can still be read", arguments: 0..<8)
  func damaged(seed: Int) {
    var generator = MutationTests.Generator(seed: UInt64(seed) &* 7919)
    for document in TestFiles.valid + TestFiles.invalid {
      for round in 0..<3 {
        let text = MutationTests.mutated(String(decoding: document.bytes, as: UTF8.self), &generator)
        Self.check(Array(text.utf8), "\(document.path), seed \(seed), round \(round)")
      }
    }
  }
}
