package import CastProtocol

extension Plan {
  /// The plan as `plan --json` prints it and runs keep it: durations in seconds, members in a fixed order.
  package var json: JSONValue {
    var object: JSONObject = [
      "v": 1,
      "language": .int(language),
      "id": .string(id),
      "title": .string(title),
      "file": .string(file),
      "tags": .array(tags.map { .string($0) }),
    ]
    if !row.isEmpty { object["row"] = .object(JSONObject(row.map { JSONObject.Member($0.name, $0.value) })) }
    object["device"] = device.json
    object["devices"] = devices?.json
    if !roles.isEmpty {
      object["roles"] = .object(JSONObject(roles.map { JSONObject.Member($0.name, $0.device.json) }))
    }
    if !variables.isEmpty { object["variables"] = variables.json }
    if retry.retries { object["retry"] = retry.json }
    if session != Session() {
      object["session"] = .object([
        "join": .string(session.join.rawValue), "leave": .string(session.leave.rawValue),
      ])
    }
    if takeover != .fail { object["takeover"] = .string(takeover.rawValue) }
    if !schedules.isEmpty { object["schedules"] = .array(schedules.map(\.json)) }
    object["timeout"] = timeout.json
    object["finallyTimeout"] = finallyTimeout.json
    object["within"] = within.json
    object["timeouts"] = .object([
      "discover": timeouts.discover.json, "connect": timeouts.connect.json, "reply": timeouts.reply.json,
      "launch": timeouts.launch.json, "load": timeouts.load.json, "step": timeouts.step.json,
    ])
    object["watch"] = .array(watch.map(\.json))
    object["setup"] = .array(setup.map(\.json))
    object["steps"] = .array(steps.map(\.json))
    object["onFailure"] = .array(onFailure.map(\.json))
    object["finally"] = .array(finally.map(\.json))
    return .object(object)
  }
}

extension Plan.DeviceSelector {
  package var json: JSONValue {
    var object = JSONObject()
    object["inventory"] = inventoryID.map { .string($0) }
    object["name"] = name.map { .string($0) }
    object["nameLike"] = nameLike.map { .string($0) }
    object["id"] = id.map { .string($0) }
    object["host"] = host.map { .string($0.text) }
    object["model"] = model.map { .string($0) }
    object["modelLike"] = modelLike.map { .string($0) }
    object["tag"] = tag.map { .string($0) }
    if !tagged.isEmpty { object["tagged"] = .array(tagged.map(\.json)) }
    if kind != .any { object["kind"] = .string(kind.rawValue) }
    if !excluded.isEmpty { object["not"] = .array(excluded.map(\.json)) }
    if !requirements.features.isEmpty { object["expect"] = .array(requirements.features.map { .string($0) }) }
    if requirements.authentication != .report { object["auth"] = .string(requirements.authentication.rawValue) }
    if requirements.allowsLegacyTLS { object["tls"] = "legacy" }
    object["receiver"] = requirements.page.map { .string($0) }
    if let foreignIDs, !foreignIDs.isEmpty {
      object["ids"] = .object(
        JSONObject(foreignIDs.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }))
    }
    return .object(object)
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

extension Plan.Monitor {
  var json: JSONValue {
    var object: JSONObject = ["name": .string(name)]
    switch rule {
    case .always(let condition): object["always"] = condition.json()
    case .never(let condition): object["never"] = condition.json()
    }
    object["for"] = forAtLeast?.json
    object["ifFails"] = .string(ifFails.rawValue)
    object.add(span)
    return .object(object)
  }
}

extension Plan.Step {
  package var json: JSONValue {
    var object: JSONObject = [
      "id": .string(id), "name": .string(name), "verb": .string(verb), "args": .object(action.arguments),
    ]
    object["role"] = role.map { .string($0.text) }
    object["if"] = condition?.json()
    object["skip"] = skip.map { .string($0) }
    if !tags.isEmpty { object["tags"] = .array(tags.map { .string($0) }) }
    object["timeout"] = timeout.json
    object["bound"] = bound.json
    if retry.retries { object["retry"] = retry.json }
    object["ifFails"] = .string(ifFails.rawValue)
    object["onResume"] = onResume.map { .string($0.rawValue) }
    if !save.isEmpty {
      object["save"] = .object(JSONObject(save.map { JSONObject.Member($0.name, .string($0.field.text)) }))
    }
    object.add(span)
    return .object(object)
  }
}

extension RetryPolicy {
  /// At most this many tries are listed: ten thousand for each of many steps would be longer than the plan.
  private static let listedTries = 50

  var json: JSONValue {
    var object: JSONObject = [
      "attempts": .int(attempts), "wait": wait.json, "factor": JSONValue(factor), "maxWait": maxWait.json,
      "jitter": JSONValue(jitter),
    ]
    object["within"] = within?.json
    object["errors"] = .array(errors.map(\.rawValue).sorted().map { .string($0) })
    object["before"] = .string(before.rawValue)
    object["tries"] = .array(tryTimes(first: Self.listedTries).map(\.json))
    return .object(object)
  }
}

extension Duration {
  /// Seconds as a JSON number.
  package var json: JSONValue { JSONValue(seconds) }
}

extension JSONObject {
  fileprivate mutating func add(_ span: SourceSpan) {
    self["file"] = .string(span.file)
    self["line"] = .int(span.line)
    self["column"] = .int(span.column)
    self["endLine"] = .int(span.endLine)
    self["endColumn"] = .int(span.endColumn)
  }
}

extension HostAndPort {
  /// Without the usual port.
  package var shortText: String { port == Self.defaultPort ? host : text }

  /// `192.0.2.14:8009`, an IPv6 address in brackets.
  package var text: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
