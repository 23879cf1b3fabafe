import Testing

/// A text that is too long for the log of a test, and what it is called there.
struct NamedText: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var text: String

  init(_ name: String, _ text: String) { (testDescription, self.text) = (name, text) }
}
