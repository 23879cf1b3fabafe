package import CastProtocol
package import RunReporting
import ScenarioLanguage

/// What a replay tells: a line or an object for each expectation, and what they come to.
package struct ReplayReport: Sendable {
  private let judged: [RunReplay.Judged]
  /// The run's id.
  private let run: String
  /// The document that judged, as it was named.
  private let document: String
  /// What people call the devices, by their ids in events.
  private let names: [String: String]

  package init(_ judged: [RunReplay.Judged], of run: String, with document: String, names: [String: String]) {
    (self.judged, self.run, self.document, self.names) = (judged, run, document, names)
  }

  private func count(_ isMeant: (RunReplay.Judged) -> Bool) -> Int { judged.count(where: isMeant) }
  private var passed: Int { count { $0.now == .passed } }
  private var failed: Int { count { !$0.isIgnored && $0.hasFailed } }
  private var ignored: Int { count { $0.isIgnored && $0.hasFailed } }
  private var undecided: Int { judged.count - passed - failed - ignored }
  private var changed: Int { count(\.isChanged) }

  /// How a process ends by it: 5 where the run does not decide everything, and nothing has failed.
  package var exit: RunExit { failed > 0 ? .expectationFailed : undecided > 0 ? .stepFailed : .passed }

  /// For people: those that changed or did not pass with their reasons.
  package var lines: [String] {
    let scenes = Set(judged.map { Scene($0, names) })
    var lines: [String] = []
    var last: Scene?
    for one in judged {
      let scene = Scene(one, names)
      if scenes.count > 1, scene != last { lines.append(scene.text) }
      last = scene
      lines += Self.lines(one)
    }
    let all = "\(judged.count) expectation\(judged.count == 1 ? "" : "s")"
    var sums = ["\(passed) passed", "\(failed) failed"]
    if ignored > 0 { sums.append("\(ignored) ignored") }
    if undecided > 0 { sums.append("\(undecided) undecided") }
    lines.append("\(all) of \(document) on what \(run) recorded: \(sums.joined(separator: ", ")); \(changed) changed")
    return lines.map(TerminalText.escaped)
  }

  /// A scenario on a device.
  private struct Scene: Hashable {
    var text: String

    init(_ judged: RunReplay.Judged, _ names: [String: String]) {
      let row = judged.row.members.map { " \($0.name)=\($0.value.string ?? $0.value.serialized())" }.joined()
      let attempt = judged.attempt > 1 ? ", try \(judged.attempt)" : ""
      let device = judged.device.map { names[$0] ?? $0 } ?? "-"
      let repeated = judged.repeatNumber.map { " repeat \($0)/\(judged.repeats ?? $0)" } ?? ""
      text = "\(judged.document) [\(device)]\(row)\(repeated)\(attempt)"
    }
  }

  private static func lines(_ judged: RunReplay.Judged) -> [String] {
    let (word, reason): (String, String?) =
      switch judged.now {
      case .passed: ("passed", nil)
      case .failed(let reason): ("FAILED", reason)
      case .undecided(let reason): ("undecided", reason)
      }
    let before = judged.before.map { $0 ? "passed" : "FAILED" } ?? (judged.wasMissed ? "not done" : "new")
    let id = judged.step ?? (judged.kind == .rule ? "watch" : "row")
    let what = judged.isChanged || judged.wasMissed ? "\(before) -> \(word)" : word
    let head = id.padded(to: 6) + " " + what.padded(to: 21)
    let pass = judged.pass.map { ", pass \($0)" } ?? ""
    var lines = [" \(head) \(judged.name)\(pass)\(judged.isIgnored && judged.hasFailed ? ", ignored" : "")"]
    if let reason { lines.append("         \(reason)" + (judged.place.map { " (\($0.file):\($0.line))" } ?? "")) }
    return lines
  }

  /// For programs.
  package var json: JSONValue {
    let list = judged.map { judged -> JSONValue in
      var object: JSONObject = ["doc": .string(judged.document)]
      object["dev"] = judged.device.map(JSONValue.string)
      if !judged.row.members.isEmpty { object["row"] = .object(judged.row) }
      object["attempt"] = .int(judged.attempt)
      switch judged.kind {
      case .expectation: object["kind"] = "expectation"
      case .rule: object["kind"] = "rule"
      case .row: object["kind"] = "row"
      }
      object["repeat"] = judged.repeatNumber.map(JSONValue.int)
      object["step"] = judged.step.map(JSONValue.string)
      object["pass"] = judged.pass.map(JSONValue.int)
      object["name"] = .string(judged.name)
      if let place = judged.place { object.members += place.fields.members }
      object["before"] = judged.before.map { $0 ? "passed" : "failed" } ?? .null
      switch judged.now {
      case .passed: object["now"] = "passed"
      case .failed(let reason): (object["now"], object["reason"]) = ("failed", .string(reason))
      case .undecided(let reason): (object["now"], object["reason"]) = ("undecided", .string(reason))
      }
      object["changed"] = .bool(judged.isChanged)
      if judged.isIgnored { object["ignored"] = true }
      return .object(object)
    }
    return [
      "v": 1, "run": .string(run), "with": .string(document), "judged": .array(list), "passed": .int(passed),
      "failed": .int(failed), "ignored": .int(ignored), "undecided": .int(undecided), "changed": .int(changed),
      "exit": .int(Int(exit.rawValue)),
    ]
  }
}

extension RunReplay.Judged {
  fileprivate var hasFailed: Bool { if case .failed = now { true } else { false } }
}

extension String {
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
