/// One matcher of a leaf field.
package struct MatcherSpec: Sendable {
  package let name: String
  package let summary: String

  init(_ name: String, _ summary: String) {
    self.name = name
    self.summary = summary
  }
}
