package import CastProtocol

/// What a tool has to say.
package struct AgentAnswer: Sendable {
  /// In bytes; a longer text is cut.
  static let textLimit = 200_000

  package var text: String
  /// The same for programs.
  package var structured: JSONObject
  package var isError: Bool

  package init(text: String, structured: JSONObject, isError: Bool = false) {
    self.text = text
    self.structured = structured
    self.isError = isError
  }

  package init(_ problem: AgentProblem) {
    var error: JSONObject = ["message": .string(problem.message)]
    error["help"] = problem.help.map { .string($0) }
    self.init(text: problem.text, structured: ["error": .object(error)], isError: true)
  }

  /// Source: MCP 2025-06-18 "CallToolResult".
  func json(structuredToo: Bool) -> JSONValue {
    var content: [JSONValue] = [["type": "text", "text": .string(shortened)]]
    if structuredToo {
      return ["content": .array(content), "structuredContent": .object(structured), "isError": .bool(isError)]
    }
    // Earlier revisions know text alone.
    content.append(["type": "text", "text": .string(JSONValue.object(structured).serialized())])
    return ["content": .array(content), "isError": .bool(isError)]
  }

  private var shortened: String {
    guard text.utf8.count > Self.textLimit else { return text }
    return String(decoding: text.utf8.prefix(Self.textLimit), as: UTF8.self) + "\n... the rest is left out"
  }
}
