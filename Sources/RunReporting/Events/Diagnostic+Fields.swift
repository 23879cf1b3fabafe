package import CastProtocol
package import ScenarioLanguage

extension SourceSpan {
  /// `file`, `line`, `column`, `endLine`, `endColumn`.
  package var fields: JSONObject {
    [
      "file": .string(file), "line": .int(line), "column": .int(column), "endLine": .int(endLine),
      "endColumn": .int(endColumn),
    ]
  }
}

extension Diagnostic {
  /// The fields of a `diagnostic` event.
  package var fields: JSONObject {
    var object: JSONObject = [
      "severity": .string(severity.rawValue), "code": .string(code), "message": .string(message),
    ]
    object.members += primary.span.fields.members
    if !primary.text.isEmpty { object["label"] = .string(primary.text) }
    if !related.isEmpty {
      object["related"] = .array(
        related.map { label in
          var fields = label.span.fields
          fields["label"] = .string(label.text)
          return .object(fields)
        })
    }
    let notes = footers.compactMap { if case .note(let text) = $0 { text } else { nil } }
    if !notes.isEmpty { object["notes"] = .array(notes.map(JSONValue.string)) }
    let help = footers.compactMap { if case .help(let text) = $0 { text } else { nil } }
    if !help.isEmpty { object["help"] = .array(help.map(JSONValue.string)) }
    return object
  }
}
