/// A small XML reader and the rules of Surefire's test report schema: element order, allowed and required attributes.
///
/// `file`, `line`, `id`, `hostname` and `timestamp` are allowed on top (docs/runs.md "JUnit").
package enum SurefireRules {
  /// What is wrong with a report.
  package struct Problem: Error, CustomStringConvertible { package var description: String }

  struct Node {
    var name: String
    var attributes: [(String, String)] = []
    var children: [Node] = []
    var text = ""
  }

  static let extras = ["file", "line", "id", "hostname", "timestamp"]
  /// Children of a test case in the schema's order, and whether each may come more than once.
  static let order: [(name: String, repeats: Bool)] = [
    ("failure", true), ("rerunFailure", true), ("flakyFailure", true), ("skipped", false), ("error", false),
    ("rerunError", true), ("flakyError", true), ("system-out", false), ("system-err", false),
  ]

  /// - Throws: What the schema does not allow.
  package static func check(_ document: String) throws {
    let root = try parse(document)
    guard root.name == "testsuites" else { throw Problem(description: "root is \(root.name)") }
    for suite in root.children {
      try require(
        suite, "testsuite", ["name", "tests", "errors", "skipped", "failures"], ["time", "group", "version"])
      guard suite.children.first?.name == "properties" else { throw Problem(description: "no properties first") }
      for property in suite.children[0].children { try require(property, "property", ["name", "value"], []) }
      for testcase in suite.children.dropFirst() { try check(testcase: testcase) }
      func count(_ name: String) -> String {
        String(suite.children.dropFirst().count { $0.children.contains { $0.name == name } })
      }
      for (attribute, name) in [("failures", "failure"), ("errors", "error"), ("skipped", "skipped")] {
        let told = suite.attributes.first { $0.0 == attribute }?.1
        if told != count(name) {
          throw Problem(description: "\(attribute) is \(told ?? "missing"), found \(count(name))")
        }
      }
    }
  }

  private static func check(testcase: Node) throws {
    try require(testcase, "testcase", ["name", "time"], ["classname", "group"])
    let time = testcase.attributes.first { $0.0 == "time" }?.1 ?? ""
    guard time.wholeMatch(of: /[0-9]+(\.[0-9]{0,3})?/) != nil else { throw Problem(description: "time \(time)") }
    var position = 0
    for child in testcase.children {
      guard let index = order.firstIndex(where: { $0.name == child.name }) else {
        throw Problem(description: "unknown element \(child.name)")
      }
      let again = index == position - 1 && order[index].repeats
      guard index >= position || again else { throw Problem(description: "\(child.name) comes too late") }
      position = index + 1
      switch child.name {
      case "failure", "error": try require(child, child.name, ["type"], ["message"])
      case "skipped": try require(child, "skipped", [], ["message"])
      case "system-out", "system-err": break
      default:
        try require(child, child.name, ["type"], ["message"])
        guard child.children.first?.name == "stackTrace" else { throw Problem(description: "no stackTrace") }
      }
    }
  }

  private static func require(_ node: Node, _ name: String, _ required: [String], _ optional: [String]) throws {
    guard node.name == name else { throw Problem(description: "\(node.name) instead of \(name)") }
    let names = node.attributes.map(\.0)
    for wanted in required where !names.contains(wanted) {
      throw Problem(description: "\(name) without \(wanted)")
    }
    for found in names where !(required + optional + extras).contains(found) {
      throw Problem(description: "\(name) has \(found)")
    }
    if Set(names).count != names.count { throw Problem(description: "\(name) has an attribute twice") }
  }

  // MARK: reading

  static func parse(_ document: String) throws -> Node {
    for scalar in document.unicodeScalars
    where scalar.value < 0x20 && scalar != "\n" || scalar.value == 0xFFFE || scalar.value == 0xFFFF {
      throw Problem(description: "a character XML cannot hold")
    }
    var rest = document[...]
    guard rest.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") else { throw Problem(description: "prolog") }
    rest = rest[rest.index(after: rest.firstIndex(of: "\n") ?? rest.startIndex)...]
    let node = try element(&rest)
    guard rest.allSatisfy(\.isWhitespace) else { throw Problem(description: "text after the root") }
    return node
  }

  private static func element(_ rest: inout Substring) throws -> Node {
    guard let tag = rest.prefixMatch(of: /\s*<([a-zA-Z-]+)((?:\s+[a-zA-Z0-9.-]+="[^"<]*")*)(\/?)>/) else {
      throw Problem(description: "no element at \(rest.prefix(60))")
    }
    var node = Node(name: String(tag.1))
    for attribute in tag.2.matches(of: /([a-zA-Z0-9.-]+)="([^"]*)"/) {
      node.attributes.append((String(attribute.1), try unescaped(attribute.2)))
    }
    rest = rest[tag.range.upperBound...]
    if !tag.3.isEmpty { return node }
    while true {
      let text = rest.prefix { $0 != "<" }
      node.text += try unescaped(text)
      rest = rest[text.endIndex...]
      if let end = rest.prefixMatch(of: /<\/([a-zA-Z-]+)>/) {
        guard String(end.1) == node.name else { throw Problem(description: "</\(end.1)> ends \(node.name)") }
        rest = rest[end.range.upperBound...]
        return node
      }
      node.children.append(try element(&rest))
    }
  }

  private static func unescaped(_ text: Substring) throws -> String {
    for part in text.split(separator: "&", omittingEmptySubsequences: false).dropFirst() {
      guard part.prefixMatch(of: /(?:amp|lt|gt|quot|#[0-9]+);/) != nil else {
        throw Problem(description: "a bare ampersand before \(part.prefix(10))")
      }
    }
    if text.contains(">") { throw Problem(description: "an unescaped >") }
    return String(text)
  }
}
