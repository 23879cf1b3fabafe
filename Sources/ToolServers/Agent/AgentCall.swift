package import CastProtocol
import ScenarioLanguage

/// A tool with its arguments, read once.
package enum AgentCall: Hashable, Sendable {
  package enum Subject: Hashable, Sendable {
    case path(String)
    /// A text, and the path that it is checked as.
    case text(String, name: String?)
  }

  /// What is simulated or run.
  package struct Scenario: Hashable, Sendable {
    package var path: String
    package var rows: [String] = []
    package var settings: [String] = []
    package var seed: Int?
  }

  case check(Subject)
  /// `nil`: the list of all.
  case explain(word: String?)
  case simulate(Scenario)
  /// - Parameter limit: Real seconds.
  case run(Scenario, speed: Double, limit: Double)
  case report(run: String)

  package var tool: AgentTool {
    switch self {
    case .check: .check
    case .explain: .explain
    case .simulate: .simulate
    case .run: .run
    case .report: .report
    }
  }

  /// - Throws: What is wrong with the arguments, in a sentence and a cure.
  package init(_ tool: AgentTool, _ arguments: JSONValue?) throws(AgentProblem) {
    let reader = try ArgumentReader(tool, arguments)
    switch tool {
    case .check:
      let path = try reader.text("path")
      let text = try reader.text("text")
      switch (path, text) {
      case (let path?, nil): self = .check(.path(path))
      case (nil, let text?): self = .check(.text(text, name: try reader.text("name")))
      default:
        throw AgentProblem("`check` takes either `path` or `text`", help: "give one of the two")
      }
    case .explain: self = .explain(word: try reader.text("word"))
    case .simulate: self = .simulate(try reader.scenario())
    case .run:
      self = .run(
        try reader.scenario(), speed: try reader.number("speed") ?? 20,
        limit: try reader.number("timeout") ?? AgentTool.usualRun)
    case .report: self = .report(run: try reader.text("run") ?? "latest")
    }
  }
}

/// Why a tool cannot do what it was asked to.
package struct AgentProblem: Error, Hashable, Sendable {
  /// A lowercase fragment.
  package var message: String
  package var help: String?

  package init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }

  package var text: String { "error: \(message)" + (help.map { "\nhelp: \($0)" } ?? "") }
}

/// Reads the arguments of a call by the tool's list.
private struct ArgumentReader {
  let tool: AgentTool
  let object: JSONObject

  init(_ tool: AgentTool, _ json: JSONValue?) throws(AgentProblem) {
    self.tool = tool
    guard let object = (json ?? .object([:])).isNull ? [:] : (json ?? .object([:])).object else {
      throw AgentProblem("the arguments of `\(tool.rawValue)` are an object")
    }
    self.object = object
    let names = tool.arguments.map(\.name)
    for member in object.members where !names.contains(member.name) {
      let nearest = Suggestions.nearest(to: member.name, among: names)
      throw AgentProblem(
        "`\(tool.rawValue)` has no argument `\(TerminalText.escaped(String(member.name.prefix(60))))`",
        help: nearest.map { "did you mean `\($0)`?" } ?? "it takes \(names.joined(separator: ", "))")
    }
    for argument in tool.arguments where argument.isRequired && object[argument.name] == nil {
      throw AgentProblem("`\(tool.rawValue)` needs `\(argument.name)`", help: argument.summary)
    }
  }

  func text(_ name: String) throws(AgentProblem) -> String? {
    guard let value = object[name], !value.isNull else { return nil }
    guard let text = value.string, !text.isEmpty, !text.utf8.contains(0) else {
      throw AgentProblem("`\(name)` is a text that is not empty")
    }
    return text
  }

  func texts(_ name: String) throws(AgentProblem) -> [String] {
    guard let value = object[name], !value.isNull else { return [] }
    let items = value.array ?? []
    let texts = items.compactMap(\.string)
    guard value.array != nil, texts.count == items.count, texts.count <= 100,
      !texts.contains(where: { $0.utf8.contains(0) })
    else { throw AgentProblem("`\(name)` is a list of at most 100 texts", help: "such as [\"name=value\"]") }
    return texts
  }

  func number(_ name: String) throws(AgentProblem) -> Double? {
    guard let value = object[name], !value.isNull else { return nil }
    let range: ClosedRange<Double>
    switch tool.arguments.first(where: { $0.name == name })?.kind {
    case .seconds(let own), .factor(let own): range = own
    default: range = -.infinity ... .infinity
    }
    guard let number = value.number, range.contains(number) else {
      throw AgentProblem("`\(name)` is a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func scenario() throws(AgentProblem) -> AgentCall.Scenario {
    var scenario = AgentCall.Scenario(path: try text("path") ?? "")
    scenario.rows = try texts("row")
    scenario.settings = try texts("set")
    if let seed = object["seed"], !seed.isNull {
      guard let number = seed.int, number >= 0 else { throw AgentProblem("`seed` is a whole number from 0") }
      scenario.seed = number
    }
    return scenario
  }
}
