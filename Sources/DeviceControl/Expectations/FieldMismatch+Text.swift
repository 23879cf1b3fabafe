import CastProtocol
import RunReporting
package import ScenarioLanguage

extension FieldMismatch {
  /// `player: expected playing, observed idle`.
  package var text: String {
    let type = StatusField.type(of: path)
    let observed = mismatch.actual.map { $0.text(as: type) } ?? "none"
    return "\(path.text): expected \(mismatch.expected.text(as: type)), observed \(observed)"
  }
}
