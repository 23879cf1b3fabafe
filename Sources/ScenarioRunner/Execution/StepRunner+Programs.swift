import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// `exec`: a program of this computer, started only where the user allowed it (docs/security.md Y6).
extension StepRunner {
  func execute(_ action: Plan.ExecAction, _ scope: StepScope, until deadline: Duration) async throws(StepFailure) {
    guard let start = configuration.startProgram else {
      // A simulation starts nothing: the step counts as done, and what it would have read is unknown.
      if configuration.assumesPrograms { return }
      throw StepFailure(
        .execFailed, "programs may not be started", help: "`--allow-exec` allows it, if you trust the document")
    }
    let command = action.command.map { resolved($0, scope) }
    guard let name = command.first, !name.isEmpty else { throw StepFailure(.execFailed, "the program has no name") }
    let device = device(scope)
    let asked = self.action(scope, on: device)
    await device.catchUp(asked)
    var call = ProgramCall(command: command)
    if action.stdin == .json {
      call.input = Array((snapshot(of: device, await device.view(since: asked.mark), scope).serialized() + "\n").utf8)
    }
    call.environment = [("SHOWCALLER_RUN", configuration.runID), ("SHOWCALLER_DEVICE", device.device?.name ?? "")]
    // A program knows nothing of `--speed`.
    call.limit = max(.zero, deadline - now) / max(configuration.speed ?? 1, 0.001)
    let end = await times.show.aside { [call] in await start(call) }
    if Task.isCancelled { throw .cancelled }
    let shown = secrets.hidden(name)
    switch end {
    case .exited(0, let output, _): try read(output, as: action.output, of: shown, scope)
    case .exited(let code, _, let standardError):
      throw StepFailure(.execFailed, "`\(shown)` ended with exit code \(code)\(lastLine(of: standardError))")
    case .signalled(let number, let standardError):
      throw StepFailure(.execFailed, "`\(shown)` was ended by signal \(number)\(lastLine(of: standardError))")
    case .overdue: throw StepFailure(.timeout, "`\(shown)` did not end in time and was killed")
    case .tooMuchOutput:
      throw StepFailure(
        .execFailed, "`\(shown)` wrote more than \(ProgramCall.outputLimit / 1024) KiB and was killed")
    case .notStarted(let reason):
      throw StepFailure(.execFailed, "`\(shown)` could not be started: \(reason)")
    }
  }

  /// The merged status as events tell it, and where the run stands.
  private func snapshot(of session: DeviceSession, _ view: StatusView, _ scope: StepScope) -> JSONValue {
    let device = session.device
    var object: JSONObject = ["run": .string(configuration.runID), "doc": .string(plan.id)]
    object["step"] = scope.stepID.map(JSONValue.string)
    var facts = JSONObject()
    facts["name"] = device.map { .string($0.name) }
    facts["id"] = device?.id.map(JSONValue.string)
    facts["model"] = device?.model.map(JSONValue.string)
    facts["ip"] = device.map { .string($0.address.host) }
    object["device"] = .object(facts)
    object["status"] = .object(view.document)
    return .object(secrets.hidden(object))
  }

  private func read(_ output: [UInt8], as kind: Plan.ExecAction.Output, of name: String, _ scope: StepScope)
    throws(StepFailure)
  {
    switch kind {
    case .none: return
    case .text:
      guard let text = String(validating: output, as: UTF8.self) else {
        throw StepFailure(.execFailed, "`\(name)` wrote no UTF-8 text")
      }
      reply(.string(text.hasSuffix("\n") ? String(text.dropLast()) : text), scope)
    case .json:
      guard let text = String(validating: output, as: UTF8.self), let json = try? JSONValue(parsing: text) else {
        let help =
          output.isEmpty
          ? "`output: none` reads nothing" : "`output: text` takes what it writes as it is, `output: none` nothing"
        throw StepFailure(
          .execFailed, output.isEmpty ? "`\(name)` wrote nothing, where JSON is read" : "`\(name)` wrote no JSON",
          help: help)
      }
      reply(json, scope)
    }
  }

  /// The last line of what a program wrote on its standard error, behind a colon; nothing where it wrote none.
  private func lastLine(of standardError: [UInt8]) -> String {
    let lines = String(decoding: standardError, as: UTF8.self).split(whereSeparator: \.isNewline)
    return lines.last.map { ": \(secrets.hidden(String($0.prefix(200))))" } ?? ""
  }
}
