package import CastProtocol

extension Plan {
  /// The plan as `plan --json` prints it and runs keep it: durations in seconds, members in a fixed order.
  package var json: JSONValue {
    .object([
      "v": 1,
      "language": .int(language),
      "id": .string(id),
      "title": .string(title),
      "file": .string(file),
      "tags": .array(tags.map { .string($0) }),
      "device": device.json,
      "timeout": timeout.json,
      "finallyTimeout": finallyTimeout.json,
      "within": within.json,
      "timeouts": .object([
        "discover": timeouts.discover.json, "connect": timeouts.connect.json, "reply": timeouts.reply.json,
        "launch": timeouts.launch.json, "load": timeouts.load.json, "step": timeouts.step.json,
      ]),
      "watch": .array(watch.map(\.json)),
      "setup": .array(setup.map(\.json)),
      "steps": .array(steps.map(\.json)),
      "onFailure": .array(onFailure.map(\.json)),
      "finally": .array(finally.map(\.json)),
    ])
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
      "timeout": timeout.json, "bound": bound.json,
    ]
    if retry.retries { object["retry"] = retry.json }
    object["ifFails"] = .string(ifFails.rawValue)
    if !save.isEmpty {
      object["save"] = .object(JSONObject(save.map { JSONObject.Member($0.name, .string($0.field.text)) }))
    }
    object.add(span)
    return .object(object)
  }
}

extension RetryPolicy {
  var json: JSONValue {
    var object: JSONObject = [
      "attempts": .int(attempts), "wait": wait.json, "factor": JSONValue(factor), "maxWait": maxWait.json,
      "jitter": JSONValue(jitter),
    ]
    object["within"] = within?.json
    object["errors"] = .array(errors.sorted().map { .string($0) })
    object["before"] = .string(before.rawValue)
    object["tries"] = .array(tryTimes.map(\.json))
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
  /// `192.0.2.14:8009`, an IPv6 address in brackets.
  package var text: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
