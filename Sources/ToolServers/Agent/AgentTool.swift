package import CastProtocol

/// What an agent may ask for. Source: MCP 2025-06-18 "Tools".
package enum AgentTool: String, CaseIterable, Sendable {
  case check, explain, simulate, run, report

  package var title: String {
    switch self {
    case .check: "Check documents"
    case .explain: "Explain a code or a word"
    case .simulate: "Simulate a scenario"
    case .run: "Run a scenario on a virtual receiver"
    case .report: "Read the report of a run"
    }
  }

  package var summary: String {
    switch self {
    case .check:
      "Find the mistakes of a Showcaller document (scenario, playlist or library): each with its code, place and cure. "
        + "Give `path`, a file or folder below the working folder, or `text`. Touches no network and changes nothing."
    case .explain:
      "Explain the code of a problem, such as T208, or a word of the language, such as load, expect or media: keys, "
        + "types, defaults, an example. Without `word` it lists all of both."
    case .simulate:
      "Play a scenario on a virtual clock against a virtual receiver: the timeline and the verdict, in milliseconds. Of a "
        + "playlist it tells what its screens show in a day. Uses no network and starts no program."
    case .run:
      "Run a scenario on a virtual receiver in this computer, over the real protocol, and tell the verdict with the "
        + "evidence of what failed. Never touches a real device. Leaves a folder below .showcaller/runs."
    case .report: "Read a run that is stored below .showcaller/runs: verdict, failures and their evidence."
    }
  }

  /// One argument of a tool.
  struct Argument {
    enum Kind { case text, texts, seconds(ClosedRange<Double>), factor(ClosedRange<Double>), whole }
    var name: String
    var kind: Kind
    var summary: String
    var isRequired = false

    init(_ name: String, _ kind: Kind, _ summary: String, required: Bool = false) {
      (self.name, self.kind, self.summary, isRequired) = (name, kind, summary, required)
    }
  }

  static let longestRun = 600.0
  static let usualRun = 120.0

  var arguments: [Argument] {
    let path = Argument("path", .text, "The document, relative to the working folder.", required: true)
    let row = Argument("row", .texts, "Rows of the matrix to take, each `name=value`.")
    let set = Argument("set", .texts, "Variables of the document, each `name=value`.")
    switch self {
    case .check:
      return [
        Argument("path", .text, "The document, or a folder of them, relative to the working folder."),
        Argument("text", .text, "The text of a document, in place of `path`."),
        Argument("name", .text, "With `text`: the path that the text is checked as; its includes are relative to it."),
      ]
    case .explain: return [Argument("word", .text, "A code such as T208, or a word such as load.")]
    case .simulate:
      return [path, row, set, Argument("seed", .whole, "Orders what is due at the same time; 0 unless given.")]
    case .run:
      return [
        path, row, set,
        Argument("speed", .factor(0.1...100), "How many times as fast the document's time passes; 20 unless given."),
        Argument("seed", .whole, "Repeats a run's jitter and identifiers."),
        Argument(
          "timeout", .seconds(1...Self.longestRun), "Real seconds after which the run is ended; 120 unless given."),
      ]
    case .report:
      return [Argument("run", .text, "The id of a run, or `latest`, which it is unless given.")]
    }
  }

  /// The tool as it is listed.
  package var json: JSONValue {
    var properties = JSONObject()
    for argument in arguments { properties[argument.name] = argument.schema }
    var schema: JSONObject = [
      "type": "object", "properties": .object(properties), "additionalProperties": false,
    ]
    let required = arguments.filter(\.isRequired).map { JSONValue.string($0.name) }
    if !required.isEmpty { schema["required"] = .array(required) }
    return [
      "name": .string(rawValue), "title": .string(title), "description": .string(summary),
      "inputSchema": .object(schema),
      "annotations": [
        "title": .string(title), "readOnlyHint": .bool(self != .run), "destructiveHint": false,
        "idempotentHint": .bool(self != .run), "openWorldHint": false,
      ],
    ]
  }
}

extension AgentTool.Argument {
  fileprivate var schema: JSONValue {
    var schema: JSONObject = ["description": .string(summary)]
    switch kind {
    case .text: schema["type"] = "string"
    case .texts:
      schema["type"] = "array"
      schema["items"] = ["type": "string"]
    case .whole:
      schema["type"] = "integer"
      schema["minimum"] = 0
    case .seconds(let range), .factor(let range):
      schema["type"] = "number"
      schema["minimum"] = JSONValue(range.lowerBound)
      schema["maximum"] = JSONValue(range.upperBound)
    }
    return .object(schema)
  }
}
