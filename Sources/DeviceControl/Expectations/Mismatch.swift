package import CastProtocol
package import ScenarioLanguage

/// Why a value does not satisfy a matcher.
package struct Mismatch: Hashable, Sendable {
  package var expected: Matcher
  /// `nil` when the field is absent.
  package var actual: JSONValue?
  /// How far a number is from being right, in the field's unit; 0 when only just outside an exclusive bound; `nil`
  /// where there is no distance.
  package var distance: Double?

  package init(expected: Matcher, actual: JSONValue?, distance: Double? = nil) {
    self.expected = expected
    self.actual = actual
    self.distance = distance
  }
}

/// A mismatch and the field it was found in.
package struct FieldMismatch: Hashable, Sendable {
  package var path: FieldPath
  package var mismatch: Mismatch
  /// The matcher's place in the document.
  package var span: SourceSpan

  package init(path: FieldPath, mismatch: Mismatch, span: SourceSpan) {
    self.path = path
    self.mismatch = mismatch
    self.span = span
  }

  /// `player: expected playing, observed idle`.
  package var text: String {
    let type = StatusField.type(of: path)
    let observed = mismatch.actual.map { $0.text(as: type) } ?? "none"
    return "\(path.text): expected \(mismatch.expected.text(as: type)), observed \(observed)"
  }
}
