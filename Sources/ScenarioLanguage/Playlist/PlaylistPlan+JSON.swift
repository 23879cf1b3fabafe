package import CastProtocol

extension PlaylistPlan {
  /// The plan as `plan --json` prints it: durations in seconds, members in a fixed order.
  package var json: JSONValue {
    var object: JSONObject = [
      "v": 1, "kind": "playlist", "language": .int(language), "id": .string(id), "title": .string(title),
      "file": .string(file), "tags": .array(tags.map { .string($0) }), "devices": devices.json,
    ]
    object["timezone"] = timeZone.map { .string($0) }
    object["app"] = .string(appID)
    object["volume"] = volume.map { JSONValue($0) } ?? "keep"
    object["program"] = .array(program.map(\.json))
    object["interrupts"] = .array(interrupts.map(\.json))
    object["fallback"] = .array(fallback.map(\.json))
    object["quiet"] = quiet.map { quiet in
      [
        "during": quiet.condition.json, "screen": .string(quiet.screen.rawValue), "mute": .bool(quiet.mutes),
      ]
    }
    object["takeover"] = [
      "policy": .string(takeover.policy.rawValue), "resumeAfter": takeover.resumeAfter.json,
      "ignoreApps": .array(takeover.ignoredApps.map { .string($0) }),
    ]
    object["keepAwake"] = keepAwake?.json ?? "never"
    object["watchdog"] = [
      "stalledAfter": watchdog.stalledAfter.json, "bufferingOver": watchdog.bufferingOver.json,
      "then": .string(watchdog.then.rawValue), "retry": watchdog.retry.json,
    ]
    if isSynchronised { object["sync"] = true }
    object["onError"] = .string(onError.rawValue)
    var ledgerObject: JSONObject = [
      "rotate": .string(ledger.rotation.rawValue), "sign": .bool(ledger.signs),
    ]
    ledgerObject["file"] = ledger.file.map { .string($0) }
    object["ledger"] = .object(ledgerObject)
    if !triggers.isEmpty { object["triggers"] = .object(JSONObject(triggers.map { .init($0.name, $0.source.json) })) }
    if !notify.isEmpty { object["notify"] = .array(notify.map(\.json)) }
    object["power"] = power?.json
    return .object(object)
  }
}

extension PlaylistPlan.During {
  fileprivate func add(to object: inout JSONObject) {
    object["daypart"] = name.map { .string($0) }
    object["during"] = condition.json
  }
}

extension PlaylistPlan.Item {
  var json: JSONValue {
    var object = JSONObject()
    object["id"] = id.map { .string($0) }
    object["media"] = media.json
    object["for"] = length?.json
    object["times"] = .int(times)
    object["weight"] = .int(weight)
    object["valid"] = valid.map { .string($0.text) }
    switch volume {
    case .keep: object["volume"] = "keep"
    case .level(let level): object["volume"] = JSONValue(level)
    case nil: break
    }
    if !ids.isEmpty {
      object["ids"] = .object(JSONObject(ids.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }))
    }
    return .object(object)
  }
}

extension PlaylistPlan.Rule {
  var json: JSONValue {
    var object = JSONObject()
    during.add(to: &object)
    object["order"] = .string(order.rawValue)
    object["repeat"] = .bool(repeats)
    object["switch"] = .string(switches.rawValue)
    object["play"] = .array(items.map(\.json))
    object["line"] = .int(span.line)
    return .object(object)
  }
}

extension PlaylistPlan.Interrupt {
  var json: JSONValue {
    var object = JSONObject()
    recurrence?.add(to: &object)
    if let trigger {
      object["on"] = .string(trigger.name)
      object["untilCleared"] = .bool(trigger.untilCleared)
      object["atMost"] = trigger.atMost?.json
    }
    during.add(to: &object)
    object["cut"] = .string(cut.rawValue)
    object["maxDelay"] = maxDelay?.json
    object["then"] = .string(then.rawValue)
    object["play"] = .array(items.map(\.json))
    object["line"] = .int(span.line)
    return .object(object)
  }
}
