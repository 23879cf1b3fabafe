import CastProtocol

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
