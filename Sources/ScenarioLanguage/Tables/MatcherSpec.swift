/// One matcher of a leaf field.
package struct MatcherSpec: Sendable {
  package let name: String
  package let summary: String
  package let support: Support

  init(_ name: String, _ summary: String, support: Support = .built) {
    self.name = name
    self.summary = summary
    self.support = support
  }
}
