import CastProtocol
import ScenarioLanguage

/// A document that an editor has open.
struct OpenDocument: Sendable {
  /// As the editor names it.
  let address: String
  /// What spans call it: its path, or its address where it has none.
  let name: String
  var version: Int
  var text: EditedText
  /// The newest text that was YAML.
  var lastReadable: [UInt8]?
  /// It was changed since its last check began.
  var isDirty = true
  /// The files that it was read from.
  var sources: Set<String> = []
  /// What the last check found, with where the editor shows it.
  var found: [FoundProblem] = []

  init(address: String, version: Int, text: String) {
    self.address = address
    name = DocumentAddress.path(of: address) ?? address
    self.version = version
    self.text = EditedText(text)
  }

  var source: SourceFile { SourceFile(name: name, bytes: text.bytes) }
}

/// One problem and its place as an editor counts.
struct FoundProblem: Hashable, Sendable {
  var diagnostic: Diagnostic
  var range: EditorRange
  var related: [Related]

  struct Related: Hashable, Sendable {
    var address: String
    var range: EditorRange
    var text: String
  }

  /// Source: LSP 3.17 "Diagnostic".
  var json: JSONValue {
    let told = [diagnostic.message, diagnostic.primary.text].filter { !$0.isEmpty }.joined(separator: ": ")
    let footers = diagnostic.footers.map { footer in
      switch footer {
      case .help(let text): "help: \(text)"
      case .note(let text): "note: \(text)"
      }
    }
    var object: JSONObject = [
      "range": range.json, "severity": .int(severity), "code": .string(diagnostic.code.rawValue),
      "source": "showcaller", "message": .string(([told] + footers).joined(separator: "\n")),
    ]
    if let tag { object["tags"] = [.int(tag)] }
    if !related.isEmpty {
      object["relatedInformation"] = .array(
        related.map { related in
          [
            "location": ["uri": .string(related.address), "range": related.range.json],
            "message": .string(related.text.isEmpty ? "here" : related.text),
          ]
        })
    }
    return .object(object)
  }

  private var severity: Int {
    switch diagnostic.severity {
    case .error: 1
    case .warning: 2
    case .note: 3
    }
  }

  /// What is unused is shown faint, what is to go struck through.
  private var tag: Int? {
    switch diagnostic.code {
    case .n402: 1
    case .k108: 2
    default: nil
    }
  }
}
