import Testing

@testable import ScenarioLanguage

@Suite struct FormatDiffTests {
  private func diff(_ old: String, _ new: String) -> String {
    FormatDiff.unified(from: Array(old.utf8), to: Array(new.utf8), name: "a.yaml")
  }

  @Test("Without a change there is no diff")
  func same() { #expect(diff("a: 1\n", "a: 1\n") == "") }

  @Test("A change stands between three lines of what stays")
  func hunks() {
    let many = (1...20).map { "k\($0): 1\n" }
    var old = many
    old[9] = "k10:   1\n"
    #expect(
      diff(old.joined(), many.joined()) == """
        --- a.yaml
        +++ a.yaml
        @@ -7,7 +7,7 @@
         k7: 1
         k8: 1
         k9: 1
        -k10:   1
        +k10: 1
         k11: 1
         k12: 1
         k13: 1

        """)
    old[0] = "k1:  1\n"
    old[19] = "k20:  1"
    let two = diff(old.joined(), many.joined())
    #expect(two.contains("@@ -1,4 +1,4 @@\n-k1:  1\n+k1: 1\n k2: 1"))
    #expect(two.contains("@@ -7,7 +7,7 @@"))
    #expect(
      two.hasSuffix("@@ -17,4 +17,4 @@\n k17: 1\n k18: 1\n k19: 1\n-k20:  1\n\\ No newline at end of file\n+k20: 1\n"))
  }

  @Test("Empty lines that go are removed lines")
  func blanks() {
    #expect(
      diff("\n\na: 1\n\n\nb: 2\n\n", "a: 1\n\nb: 2\n") == """
        --- a.yaml
        +++ a.yaml
        @@ -1,7 +1,3 @@
        -
        -
         a: 1
         
        -
         b: 2
        -

        """)
    #expect(diff("\n", "") == "--- a.yaml\n+++ a.yaml\n@@ -1 +0,0 @@\n-\n")
  }
}
