/// `file:line:column: error: message [K101]`, a problem a line, as editors and build tools read compilers; columns count
/// bytes.
package struct GCCCheckFormat: CheckFormat {
  package init() {}

  package func begin() -> String { "" }
  package func end(_ summary: CheckSummary) -> String { "" }

  package func add(_ result: CheckResult) -> String {
    let places = PlaceReader(result)
    var text = ""
    for diagnostic in result.diagnostics {
      let place = places.place(diagnostic.primary.span)
      text += line(place, diagnostic.severity.rawValue, "\(diagnostic.message) [\(diagnostic.code)]")
      if !diagnostic.primary.text.isEmpty { text += line(place, "note", diagnostic.primary.text) }
      for label in diagnostic.related where !label.text.isEmpty {
        text += line(places.place(label.span), "note", label.text)
      }
      for help in diagnostic.help { text += line(place, "note", "help: \(help)") }
      for note in diagnostic.notes { text += line(place, "note", note) }
    }
    return text
  }

  private func line(_ place: Place, _ level: String, _ message: String) -> String {
    let column = place.start?.bytes ?? place.span.column
    let file = TerminalText.oneLine(place.span.file)
    return "\(file):\(place.span.line):\(column): \(level): \(TerminalText.oneLine(message))\n"
  }
}
