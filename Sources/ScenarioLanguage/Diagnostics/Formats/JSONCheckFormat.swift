package import CastProtocol

/// One JSON object for a whole check, with each problem on a line of its own.
package struct JSONCheckFormat: CheckFormat {
  private let tool: String
  private var documents: [JSONValue] = []
  private var isFirst = true

  /// - Parameter tool: The program's name and version.
  package init(tool: String) { self.tool = tool }

  package mutating func begin() -> String {
    "{\"v\":1,\"tool\":\(SafeJSON.text(.string(tool))),\"diagnostics\":["
  }

  package mutating func add(_ result: CheckResult) -> String {
    var document: JSONObject = ["file": .string(result.file)]
    if let identity = result.identity {
      document["kind"] = .string(identity.kind.rawValue)
      document["id"] = .string(identity.id)
      document["title"] = .string(identity.title)
    }
    document["valid"] = .bool(result.errors == 0)
    document["errors"] = .int(result.errors)
    document["warnings"] = .int(result.warnings)
    if result.hidden > 0 { document["hidden"] = .int(result.hidden) }
    if result.isCut { document["stopped"] = true }
    documents.append(.object(document))

    let places = PlaceReader(result)
    var text = ""
    for diagnostic in result.diagnostics {
      text += isFirst ? "\n" : ",\n"
      isFirst = false
      text += SafeJSON.text(.object(Self.object(diagnostic, document: result.file, places)))
    }
    return text
  }

  package mutating func end(_ summary: CheckSummary) -> String {
    let totals: JSONValue = [
      "documents": .int(summary.documents), "invalid": .int(summary.invalid), "errors": .int(summary.errors),
      "warnings": .int(summary.warnings),
    ]
    let unreadable = summary.unreadable.map { file -> JSONValue in
      ["file": .string(file.file), "message": .string(file.message)]
    }
    var text = "\n],\"documents\":["
    text += documents.map { "\n" + SafeJSON.text($0) }.joined(separator: ",")
    text += "\n],\"skipped\":" + SafeJSON.text(.array(summary.skipped.map { .string($0) }))
    text += ",\"unreadable\":" + SafeJSON.text(.array(unreadable))
    return text + ",\"summary\":" + SafeJSON.text(totals) + "}\n"
  }

  /// The fields of a problem, in the order they are written.
  static func object(_ diagnostic: Diagnostic, document: String, _ places: PlaceReader) -> JSONObject {
    var object: JSONObject = [
      "severity": .string(diagnostic.severity.rawValue), "code": .string(diagnostic.code.rawValue),
      "message": .string(diagnostic.message), "label": .string(diagnostic.primary.text),
    ]
    object.members += places.place(diagnostic.primary.span).members
    object["related"] = .array(
      diagnostic.related.map { label in
        .object(JSONObject([.init("label", .string(label.text))] + places.place(label.span).members))
      })
    object["help"] = .array(diagnostic.help.map { .string($0) })
    object["notes"] = .array(diagnostic.notes.map { .string($0) })
    object["explain"] = .string(diagnostic.explanation)
    object["document"] = .string(document)
    return object
  }
}

/// JSON that is harmless on a terminal, too.
package enum SafeJSON {
  /// Serialized, with controls and bidi marks that JSON would leave as they are in escapes.
  package static func text(_ value: JSONValue) -> String {
    let text = value.serialized()
    guard text.unicodeScalars.contains(where: \.isDisplayControl) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar.isDisplayControl {
        let hex = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: max(0, 4 - hex.utf8.count)) + hex
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
