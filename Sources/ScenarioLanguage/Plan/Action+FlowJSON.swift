package import CastProtocol

extension Plan.Action {
  /// The arguments of the verbs that hold steps, assign or save; `nil` for every other verb.
  package var flowArguments: JSONObject? {
    switch self {
    case .group(let group):
      var object: JSONObject = ["steps": .array(group.steps.map(\.json))]
      if !group.finally.isEmpty { object["finally"] = .array(group.finally.map(\.json)) }
      return object
    case .choose(let branches): return ["branches": .array(branches.map(\.json))]
    case .repeat(let loop):
      var object = JSONObject()
      switch loop.bound {
      case .times(let times): object["times"] = .int(times)
      case .until(let condition, let atMost):
        object["until"] = condition.json()
        object["atMost"] = .int(atMost)
      }
      object["steps"] = .array(loop.steps.map(\.json))
      return object
    case .forEach(let loop): return ["item": .string("${\(loop.list)}"), "steps": .array(loop.steps.map(\.json))]
    case .parallel(let parallel):
      return ["failFast": .bool(parallel.failFast), "branches": .array(parallel.branches.map(\.json))]
    case .set(let assignments): return ["values": assignments.json]
    case .save: return JSONObject()
    default: return nil
    }
  }
}

extension Plan.Branch {
  fileprivate var json: JSONValue {
    var object = JSONObject()
    object["if"] = condition?.json()
    object["steps"] = .array(steps.map(\.json))
    return .object(object)
  }
}

extension Plan.ParallelAction.Branch {
  fileprivate var json: JSONValue {
    var object: JSONObject = ["name": .string(name)]
    object["role"] = role.map { .string($0.text) }
    object["steps"] = .array(steps.map(\.json))
    return .object(object)
  }
}

extension [Plan.Assignment] {
  /// Values by name, in the document's order.
  var json: JSONValue {
    .object(
      JSONObject(
        map { assignment in
          switch assignment.value {
          case .literal(let value): JSONObject.Member(assignment.name, value)
          case .text(let text): JSONObject.Member(assignment.name, .string(text.source))
          }
        }))
  }
}

extension Plan.RoleTarget {
  /// As a document writes it.
  package var text: String {
    switch self {
    case .one(let name): name
    case .all: "all"
    }
  }
}

extension Plan.DeviceSet {
  var json: JSONValue {
    var object: JSONObject = ["match": .array(selectors.map(\.json))]
    object["atLeast"] = atLeast.map { .int($0) }
    object["atMost"] = atMost.map { .int($0) }
    object["run"] = .string(order.rawValue)
    return .object(object)
  }
}
