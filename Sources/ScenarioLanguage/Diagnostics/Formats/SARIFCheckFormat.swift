import CastProtocol

/// SARIF 2.1.0, as code hosts and editors import it.
package struct SARIFCheckFormat: CheckFormat {
  private let toolVersion: String
  /// Codes in the order first met: a rule's index is its place.
  private var rules: [Code] = []
  private var ruleIndexes: [Code: Int] = [:]
  private var artifacts: [JSONValue] = []
  private var isFirst = true

  package init(toolVersion: String) { self.toolVersion = toolVersion }

  package mutating func begin() -> String {
    "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{"
      + "\"columnKind\":\"unicodeCodePoints\",\"results\":["
  }

  package mutating func add(_ result: CheckResult) -> String {
    artifacts.append(["location": Self.artifact(result.file), "roles": ["analysisTarget"]])
    var text = ""
    for diagnostic in result.diagnostics {
      text += isFirst ? "\n" : ",\n"
      isFirst = false
      text += SafeJSON.text(.object(object(diagnostic)))
    }
    return text
  }

  package mutating func end(_ summary: CheckSummary) -> String {
    var text = "\n],\"artifacts\":[" + artifacts.map { "\n" + SafeJSON.text($0) }.joined(separator: ",")
    let notifications = summary.unreadable.map { file -> JSONValue in
      [
        "level": "error", "message": ["text": .string(file.message)],
        "locations": [["physicalLocation": ["artifactLocation": Self.artifact(file.file)]]],
      ]
    }
    let invocation: JSONValue = [
      "executionSuccessful": .bool(summary.unreadable.isEmpty), "toolExecutionNotifications": .array(notifications),
    ]
    text += "\n],\"invocations\":" + SafeJSON.text([invocation])
    let driver: JSONValue = [
      "name": "showcaller", "version": .string(toolVersion), "rules": .array(rules.map { rule($0) }),
    ]
    return text + ",\"tool\":" + SafeJSON.text(["driver": driver]) + "}]}\n"
  }

  private func rule(_ code: Code) -> JSONValue {
    var rule: JSONObject = ["id": .string(code.rawValue)]
    if let page = CodePages.page(code) { rule["shortDescription"] = ["text": .string(page.title)] }
    rule["help"] = ["text": .string("`showcaller explain \(code)` shows a wrong and a right example.")]
    return .object(rule)
  }

  private mutating func object(_ diagnostic: Diagnostic) -> JSONObject {
    let index = ruleIndexes[diagnostic.code] ?? rules.count
    if index == rules.count {
      rules.append(diagnostic.code)
      ruleIndexes[diagnostic.code] = index
    }
    let told = [diagnostic.message, diagnostic.primary.text].filter { !$0.isEmpty }.joined(separator: ": ")
    let text = ([told] + diagnostic.help.map { "help: \($0)" } + diagnostic.notes.map { "note: \($0)" })
      .joined(separator: "\n")
    var object: JSONObject = [
      "ruleId": .string(diagnostic.code.rawValue), "ruleIndex": .int(index),
      "level": .string(diagnostic.severity.rawValue),
      "message": ["text": .string(text)],
      "locations": [["physicalLocation": Self.location(diagnostic.primary.span)]],
    ]
    if !diagnostic.related.isEmpty {
      object["relatedLocations"] = .array(
        diagnostic.related.enumerated().map { index, label in
          var related: JSONObject = ["id": .int(index + 1), "physicalLocation": Self.location(label.span)]
          if !label.text.isEmpty { related["message"] = ["text": .string(label.text)] }
          return .object(related)
        })
    }
    return object
  }

  private static func location(_ span: SourceSpan) -> JSONValue {
    let line = max(span.line, 1)
    let column = max(span.column, 1)
    let endLine = max(span.endLine, line)
    return [
      "artifactLocation": artifact(span.file),
      "region": [
        "startLine": .int(line), "startColumn": .int(column), "endLine": .int(endLine),
        "endColumn": .int(max(span.endColumn, endLine == line ? column : 1)),
      ],
    ]
  }

  private static func artifact(_ file: String) -> JSONValue { ["uri": .string(uri(file))] }

  /// A file's name as a URI: relative as it is, absolute with its scheme, everything else percent-encoded.
  static func uri(_ file: String) -> String {
    var path = ""
    for byte in file.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"), UInt8(ascii: "/"):
        path.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let hex = String(byte, radix: 16, uppercase: true)
        path += hex.utf8.count == 1 ? "%0\(hex)" : "%\(hex)"
      }
    }
    if path.hasPrefix("/") { return "file://" + path }
    return path.hasPrefix("./") ? String(path.dropFirst(2)) : path
  }
}
