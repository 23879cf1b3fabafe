package import CastProtocol

extension JSONObject {
  /// What has to be set and unset to come from `old` to this.
  package func changes(since old: JSONObject) -> (set: JSONObject, unset: [String]) {
    let set = JSONObject(members.filter { old[$0.name] != $0.value })
    return (set, old.members.map(\.name).filter { self[$0] == nil })
  }

  /// The opposite of ``changes(since:)``.
  package func applying(set: JSONObject, unset: [String]) -> JSONObject {
    var object = self
    for member in set.members { object[member.name] = member.value }
    for name in unset { object[name] = nil }
    return object
  }
}

extension JSONValue {
  /// Numbers with at most three decimals, all the way down.
  package var roundedToMilliseconds: JSONValue {
    switch self {
    case .double(let value): .milliseconds(value)
    case .array(let values): .array(values.map(\.roundedToMilliseconds))
    case .object(let object):
      .object(JSONObject(object.members.map { .init($0.name, $0.value.roundedToMilliseconds) }))
    default: self
    }
  }
}
