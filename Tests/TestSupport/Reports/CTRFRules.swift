import CastProtocol

/// The rules of the Common Test Report Format 1.0: which members an object must and may have, and of what types.
package enum CTRFRules {
  /// What is wrong with a report.
  package struct Problem: Error, CustomStringConvertible { package var description: String }

  private indirect enum Kind: Sendable {
    case text, integer, flag, object, texts, status
    case list([String: Rule])
  }

  private struct Rule: Sendable {
    var kind: Kind
    var isRequired = false
  }

  private static func must(_ kind: Kind) -> Rule { Rule(kind: kind, isRequired: true) }
  private static func may(_ kind: Kind) -> Rule { Rule(kind: kind) }

  private static let root = [
    "reportFormat": must(.text), "specVersion": must(.text), "results": must(.object), "reportId": may(.text),
    "timestamp": may(.text), "generatedBy": may(.text), "extra": may(.object),
  ]
  private static let results = [
    "tool": must(.object), "summary": must(.object), "tests": must(.list(test)), "environment": may(.object),
    "extra": may(.object),
  ]
  private static let tool = ["name": must(.text), "version": may(.text), "extra": may(.object)]
  private static let summary = [
    "tests": must(.integer), "passed": must(.integer), "failed": must(.integer), "skipped": must(.integer),
    "pending": must(.integer), "other": must(.integer), "start": must(.integer), "stop": must(.integer),
    "flaky": may(.integer), "suites": may(.integer), "duration": may(.integer), "extra": may(.object),
  ]
  private static let attempt = [
    "attempt": must(.integer), "status": must(.status), "duration": may(.integer), "message": may(.text),
    "trace": may(.text), "line": may(.integer), "start": may(.integer), "stop": may(.integer), "extra": may(.object),
  ]
  private static let test = [
    "name": must(.text), "status": must(.status), "duration": must(.integer), "id": may(.text), "start": may(.integer),
    "stop": may(.integer), "suite": may(.texts), "message": may(.text), "trace": may(.text), "snippet": may(.text),
    "line": may(.integer), "rawStatus": may(.text), "tags": may(.texts), "type": may(.text), "filePath": may(.text),
    "retries": may(.integer), "retryAttempts": may(.list(attempt)), "flaky": may(.flag), "threadId": may(.text),
    "device": may(.text), "parameters": may(.object), "labels": may(.object), "extra": may(.object),
  ]

  /// - Throws: What the format does not allow.
  package static func check(_ document: String) throws {
    let value = try JSONValue(parsing: document)
    try check(value, root, "the document")
    guard value["reportFormat"] == "CTRF", value["specVersion"] == "1.0.0" else {
      throw Problem(description: "not CTRF 1.0.0")
    }
    let results = value["results"] ?? .null
    try check(results, Self.results, "results")
    try check(results["tool"] ?? .null, tool, "tool")
    try check(results["summary"] ?? .null, summary, "summary")
    let tests = results["tests"]?.array ?? []
    func require(_ name: String, _ count: Int) throws {
      guard results["summary"]?[name]?.number == Double(count) else {
        throw Problem(description: "summary says \(results["summary"]?[name] ?? .null) \(name) of \(count)")
      }
    }
    try require("tests", tests.count)
    for status in ["passed", "failed", "skipped", "pending", "other"] {
      try require(status, tests.count { $0["status"]?.string == status })
    }
  }

  private static func check(_ value: JSONValue, _ rules: [String: Rule], _ name: String) throws {
    guard let object = value.object else { throw Problem(description: "\(name) is no object") }
    for (member, rule) in rules where rule.isRequired && object[member] == nil {
      throw Problem(description: "\(name) lacks \(member)")
    }
    for member in object.members {
      guard let rule = rules[member.name] else { throw Problem(description: "\(name) has \(member.name)") }
      try check(member.value, rule.kind, "\(name).\(member.name)")
    }
  }

  private static func check(_ value: JSONValue, _ kind: Kind, _ name: String) throws {
    let isRight =
      switch kind {
      case .text: value.string?.isEmpty == false
      case .integer: value.number.map { $0 == $0.rounded() && $0 >= 0 } ?? false
      case .flag: value.bool != nil
      case .object: value.object != nil
      case .texts: value.array.map { !$0.isEmpty && $0.allSatisfy { $0.string != nil } } ?? false
      case .status: ["passed", "failed", "skipped", "pending", "other"].contains(value.string ?? "")
      case .list: value.array != nil
      }
    guard isRight else { throw Problem(description: "\(name) is \(value.serialized().prefix(100))") }
    guard case .list(let rules) = kind else { return }
    for (index, item) in (value.array ?? []).enumerated() { try check(item, rules, "\(name)[\(index)]") }
  }
}
