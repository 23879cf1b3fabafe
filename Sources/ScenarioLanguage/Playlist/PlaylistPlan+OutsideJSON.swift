import CastProtocol

extension PlaylistPlan.Trigger.Source {
  var json: JSONValue {
    switch self {
    case .webhook: ["webhook": true]
    case .file(let path): ["file": .string(path)]
    case .alerts(let feed):
      [
        "cap": .string(feed.url), "severity": .array(feed.severities.map { .string($0.rawValue) }),
        "every": feed.every.json,
      ]
    }
  }
}

extension PlaylistPlan.Notification {
  var json: JSONValue {
    var object: JSONObject = [
      "when": .array(occasions.map { .string($0.rawValue) }), "for": lasting.json, "during": during.condition.json,
    ]
    object["daypart"] = during.name.map { .string($0) }
    object["again"] = again?.json
    switch channel {
    case .webhook(let url): object["webhook"] = .string(url)
    case .command(let words): object["command"] = .array(words.map { .string($0) })
    }
    object["line"] = .int(span.line)
    return .object(object)
  }
}

extension PlaylistPlan.Power {
  var json: JSONValue {
    [
      "on": .array(on.map { .string($0) }), "off": .array(off.map { .string($0) }),
      "verify": verifiesStandby ? "standby" : "nothing",
    ]
  }
}
