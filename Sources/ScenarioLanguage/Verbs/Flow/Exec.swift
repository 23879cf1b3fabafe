import CastProtocol

/// `exec`: runs a program.
enum Exec: StepVerb {
  static let spec = VerbSpec(
    .exec, .flow, .inquiry,
    .keys([
      KeySpec(
        "command", .list(.savable(.text), of: "arguments"), required: true, "Program and arguments, no shell."
      ).holding(),
      KeySpec("stdin", .choice("input", of: Plan.ExecAction.Input.self), default: "json", "What it reads."),
      KeySpec(
        "output", .choice("output", of: Plan.ExecAction.Output.self), default: "json",
        "How its standard output is read into `reply`."),
    ]),
    "Runs a program, with --allow-exec.",
    done: "the program ended with exit code 0 and wrote what `output` says",
    example: "- exec: { command: [./measure, --level], stdin: json, output: none }"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.exec(step)
  }
}

extension StepCompiler {
  fileprivate mutating func exec(_ step: StepFields) -> Compiled? {
    let body = step.body
    guard let node = body.node("command"), let words = node.items else { return nil }
    guard !words.isEmpty else {
      problems.report(
        .error, .k105, "`exec` needs a program", at: node, "nothing to run",
        footers: [.help("such as `command: [curl, -sf, \"https://example.com\"]`")])
      return nil
    }
    guard let command = words.allOrNil({ planText($0) }) else { return nil }
    var action = Plan.ExecAction(command: command)
    action.stdin = body.choice("stdin", as: Plan.ExecAction.Input.self) ?? .json
    action.output = body.choice("output", as: Plan.ExecAction.Output.self) ?? .json
    let line = command.map(\.source).joined(separator: " ")
    return Compiled(action: .exec(action), argument: ScalarText.shown(line))
  }
}

extension Plan {
  package struct ExecAction: Codable, Hashable, Sendable {
    package enum Input: String, Codable, Hashable, Sendable, CaseIterable { case json, none }
    package enum Output: String, Codable, Hashable, Sendable, CaseIterable { case json, text, none }
    /// The program and its arguments; no shell.
    package var command: [Template]
    package var stdin = Input.json
    package var output = Output.json

    package init(command: [Template]) { self.command = command }
  }
}

extension Plan.ExecAction: LocalAction {
  var arguments: JSONObject {
    [
      "command": .array(command.map { .string($0.source) }), "stdin": .string(stdin.rawValue),
      "output": .string(output.rawValue),
    ]
  }
  var needsRole: Bool { false }
}
