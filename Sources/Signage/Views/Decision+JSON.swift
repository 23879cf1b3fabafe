import CastProtocol
import ScenarioLanguage

extension Program {
  /// A decision with what it is by: `shows`, `play`, `decidedBy`.
  func json(of decision: Decision) -> JSONObject {
    var object: JSONObject = ["shows": .string(kind(of: decision))]
    if case .rule(let index) = decision.content { object["rule"] = .int(index) }
    if case .quiet(let screen) = decision.content { object["screen"] = .string(screen.rawValue) }
    let items = items(of: decision)
    if !items.isEmpty { object["play"] = .array(items.map { .string($0) }) }
    object["quiet"] = .bool(decision.isQuiet)
    if decision.mutes { object["mute"] = true }
    let reason = decision.decidedBy
    var decidedBy: JSONObject = ["part": .string(reason.part), "line": .int(reason.line), "time": .string(reason.time)]
    decidedBy["daypart"] = reason.daypart.map { .string($0) }
    decidedBy["daypartLine"] = reason.daypartLine.map { .int($0) }
    object["decidedBy"] = .object(decidedBy)
    return object
  }

  /// What every object begins with.
  var heading: JSONObject {
    var object: JSONObject = [
      "v": 1, "id": .string(plan.id), "title": .string(plan.title), "file": .string(plan.file),
    ]
    object["timezone"] = plan.timeZone.map { .string($0) }
    return object
  }
}
