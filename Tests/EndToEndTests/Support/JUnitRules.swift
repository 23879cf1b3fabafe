import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The rules of Surefire's report schema that bind us: its root is one `<testsuite>`, so each of ours must be valid
/// without the five attributes it does not know (docs/runs.md "JUnit").
enum JUnitRules {
  static let attributes: [String: Set<String>] = [
    "testsuites": ["name", "tests", "failures", "errors", "skipped", "time"],
    "testsuite": ["name", "tests", "failures", "errors", "skipped", "time", "id", "hostname", "timestamp", "file"],
    "properties": [], "property": ["name", "value"],
    "testcase": ["name", "classname", "time", "file", "line"],
    "failure": ["message", "type"], "error": ["message", "type"], "skipped": ["message"],
    "rerunFailure": ["message", "type"], "rerunError": ["message", "type"],
    "flakyFailure": ["message", "type"], "flakyError": ["message", "type"],
    "stackTrace": [], "system-out": [], "system-err": [],
  ]
  static let children: [String: Set<String>] = [
    "testsuites": ["testsuite"], "testsuite": ["properties", "testcase", "system-out", "system-err"],
    "properties": ["property"],
    "testcase": [
      "failure", "error", "skipped", "rerunFailure", "rerunError", "flakyFailure", "flakyError", "system-out",
      "system-err",
    ],
    "flakyFailure": ["stackTrace", "system-out", "system-err"],
    "flakyError": ["stackTrace", "system-out", "system-err"],
    "rerunFailure": ["stackTrace", "system-out", "system-err"],
    "rerunError": ["stackTrace", "system-out", "system-err"],
  ]
  static let required: [String: [String]] = [
    "testsuite": ["name", "tests", "failures", "errors", "skipped"], "testcase": ["name", "classname", "time"],
    "property": ["name", "value"],
    "flakyFailure": ["type"], "flakyError": ["type"], "rerunFailure": ["type"], "rerunError": ["type"],
  ]

  /// What is wrong with the report at `path`; empty when nothing is.
  static func problems(of path: String) async throws -> [String] {
    let parser = try XMLParser(data: Data(contentsOf: URL(filePath: path)))
    let reader = Reader()
    parser.delegate = reader
    if !parser.parse() { return ["not XML: \(String(describing: parser.parserError))"] }
    return reader.problems
  }

  private final class Reader: NSObject, XMLParserDelegate {
    var problems: [String] = []
    private var path: [String] = []
    private var suite: (attributes: [String: String], cases: Int, failures: Int, errors: Int, skipped: Int)?

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String] = [:]
    ) {
      let parent = path.last
      path.append(name)
      guard let known = JUnitRules.attributes[name] else { return problems.append("element <\(name)>") }
      if let parent, JUnitRules.children[parent]?.contains(name) != true { problems.append("<\(name)> in <\(parent)>") }
      if parent == nil, name != "testsuites" { problems.append("root <\(name)>") }
      for attribute in attributes.keys where !known.contains(attribute) { problems.append("\(name)@\(attribute)") }
      for attribute in JUnitRules.required[name] ?? [] where attributes[attribute] == nil {
        problems.append("<\(name)> lacks \(attribute)")
      }
      for attribute in ["time", "tests", "failures", "errors", "skipped", "line"] {
        if let value = attributes[attribute], Double(value) == nil { problems.append("\(name)@\(attribute)=\(value)") }
      }
      switch name {
      case "testsuite": suite = (attributes, 0, 0, 0, 0)
      case "testcase": suite?.cases += 1
      case "failure": suite?.failures += 1
      case "error": suite?.errors += 1
      case "skipped": suite?.skipped += 1
      default: break
      }
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
      path.removeLast()
      guard name == "testsuite", let suite else { return }
      let counted = [
        "tests": suite.cases, "failures": suite.failures, "errors": suite.errors, "skipped": suite.skipped,
      ]
      for (attribute, count) in counted where suite.attributes[attribute] != "\(count)" {
        problems.append("testsuite says \(attribute)=\(suite.attributes[attribute] ?? "nothing"), has \(count)")
      }
    }
  }
}
