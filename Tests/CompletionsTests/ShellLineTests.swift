import Testing

@testable import Completions

@Suite struct ShellLineTests {
  /// As bash has them unless somebody changes them.
  private static let breaks = " \t\n\"'><=;|&(:"

  @Test(
    "A line is split as bash splits it",
    arguments: [
      ("showcaller run --device Li", ["showcaller", "run", "--device"], "Li", ""),
      ("showcaller run 'with sp", ["showcaller", "run"], "with sp", ""),
      ("showcaller run a\\ b c", ["showcaller", "run", "a b"], "c", ""),
      ("showcaller run --device=Kit", ["showcaller", "run"], "--device=Kit", "--device="),
      ("showcaller run \"a b\" ", ["showcaller", "run", "a b"], "", ""),
      ("HOME=/x LANG=C showcaller ru", ["showcaller"], "ru", ""),
    ])
  func splits(line: String, words: [String], last: String, kept: String) {
    let line = ShellLine(line, breaks: Self.breaks)
    #expect(line.words == words && line.last == last && line.kept == kept)
  }

  @Test(
    "What is inserted becomes exactly the text that is meant, and bash runs nothing in it",
    arguments: [
      ("x Li", "Living Room", "Living\\ Room"), ("x 'Bo", "Bob's", "Bob'\\''s"), ("x \"a", "a$b", "a\\$b"),
      ("x \"Say", "Say \"yes\"", "Say \\\"yes\\\"\""), ("x \"hey", "hey!", "hey\"'!'\"\""),
      ("x --device=K", "--device=Kit $(rm)", "Kit\\ \\$\\(rm\\)"), ("x ~/f", "~/film", "~/film"),
      ("x Ü", "Ünïcode", "Ünïcode"),
    ])
  func quotes(line: String, text: String, typed: String) {
    #expect(ShellLine(line, breaks: Self.breaks).quoted(text) == typed)
  }
}
