package import CastProtocol

extension Plan.Action {
  /// The verb's arguments, defaults filled in, under the names of the long form.
  package var arguments: JSONObject {
    switch self {
    case .discover(let action):
      var object: JSONObject = ["atLeast": .int(action.atLeast)]
      object["for"] = action.listenFor?.json
      object["where"] = action.selector?.json
      object["via"] = .string(action.via.rawValue)
      return object
    case .connect(let host, let authentication):
      var object = JSONObject()
      object["host"] = host.map { .string($0.text) }
      object["auth"] = authentication.map { .string($0.rawValue) }
      return object
    case .disconnect(let abrupt): return ["abrupt": .bool(abrupt)]
    case .launch(let action):
      var object: JSONObject = ["app": .string(action.appID)]
      object["language"] = action.language.map { .string($0) }
      object["params"] = action.params
      object["join"] = .string(action.join.rawValue)
      return object
    case .volume(let action): return ["to": action.level.json, "over": action.ramp.json]
    case .mute(let muted): return ["to": .bool(muted)]
    case .load(let action): return action.arguments
    case .seek(let action):
      var object = JSONObject()
      switch action.target {
      case .to(let amount): object["to"] = amount.json
      case .toStart: object["to"] = "start"
      case .toEnd: object["to"] = "end"
      case .by(let seconds): object["by"] = JSONValue(seconds)
      }
      object["then"] = .string(action.then.rawValue)
      object["tolerance"] = action.tolerance.json
      return object
    case .rate(.to(let amount)): return ["to": amount.json]
    case .rate(.by(let factor)): return ["by": JSONValue(factor)]
    case .tracks(let active): return ["active": .array(active.map { .string($0) })]
    case .textStyle(let style): return style.fields
    case .skipAd(let force): return ["force": .bool(force)]
    case .refresh(let what): return ["what": .string(what.rawValue)]
    case .wait(let amount): return ["for": amount.json]
    case .waitUntil(let condition): return ["until": condition.json()]
    case .mark(let text), .log(let text), .fail(let text): return ["text": .string(text.source)]
    case .expect(let action):
      var object: JSONObject = ["that": action.condition.json(), "within": action.within.json]
      object["for"] = action.holdFor?.json
      object["because"] = action.because.map { .string($0) }
      return object
    case .always(let action), .never(let action):
      var object: JSONObject = ["that": action.condition.json(), "during": action.during.json]
      object["for"] = action.forAtLeast?.json
      object["because"] = action.because.map { .string($0) }
      return object
    case .expectSequence(let action):
      var object: JSONObject = [
        "sequence": .array(action.entries.map { $0.condition.json() }), "within": action.within.json,
      ]
      object["since"] = action.since.map { .string($0) }
      object["gaps"] = action.forbidsGaps ? "none" : "any"
      object["because"] = action.because.map { .string($0) }
      return object
    case .queue(let action): return action.arguments
    case .queueInsert(let action):
      var object: JSONObject = ["items": .array(action.items.map(\.json))]
      object["before"] = action.before.map(\.json) ?? "end"
      return object
    case .queueRemove(let items): return ["items": .array(items.map(\.json))]
    case .queueJump(.next): return ["to": "next"]
    case .queueJump(.previous): return ["to": "previous"]
    case .queueJump(.item(let item)): return ["to": item.json]
    case .queueUpdate(let action): return action.arguments
    case .queueReorder(let action):
      var object: JSONObject = ["items": .array(action.items.map(\.json))]
      object["before"] = action.before.map(\.json) ?? "end"
      return object
    case .transfer(let action):
      var object = JSONObject()
      switch action.target {
      case .role(let name): object["role"] = .string(name)
      case .device(let selector): object["to"] = selector.json
      }
      object["stopSource"] = .bool(action.stopsSource)
      return object
    case .send(let action):
      var object: JSONObject = ["namespace": .string(action.namespace), "message": action.message]
      object["to"] = .string(action.destination.rawValue)
      object["expectReply"] = action.reply?.json()
      return object
    case .probe(let action):
      return [
        "urls": .array(action.urls.map { .string($0) }), "cors": .bool(action.looksAtCORS),
        "ranges": .bool(action.asksForRange),
      ]
    case .expectMessage(let action):
      var object: JSONObject = [
        "namespace": .string(action.namespace), "message": action.pattern.json(), "within": action.within.json,
      ]
      object["since"] = action.since.map { .string($0) }
      object["because"] = action.because.map { .string($0) }
      return object
    case .expectTogether(let action):
      var object: JSONObject = [
        "roles": .array(action.roles.map { .string($0) }), "that": action.condition.json(),
        "within": action.within.json,
      ]
      object["skew"] = action.skew?.json
      object["because"] = action.because.map { .string($0) }
      return object
    case .exec(let action):
      return [
        "command": .array(action.command.map { .string($0.source) }), "stdin": .string(action.stdin.rawValue),
        "output": .string(action.output.rawValue),
      ]
    case .stopApp, .play, .pause, .stop: return JSONObject()
    case .set, .save, .group, .choose, .repeat, .forEach, .parallel: return flowArguments ?? JSONObject()
    }
  }
}

extension Plan.LoadAction {
  fileprivate var arguments: JSONObject {
    var object = JSONObject()
    object["media"] = mediaID.map { .string($0) }
    object["url"] = .string(request.media.contentURL ?? request.media.contentID)
    object["app"] = appID.map { .string($0) }
    object["defaultApp"] = .string(defaultAppID)
    object["until"] = .string(until.rawValue)
    if !trackNames.isEmpty {
      let names = trackNames.sorted { $0.key < $1.key }
      object["tracks"] = .object(JSONObject(names.map { JSONObject.Member($0.value, .int($0.key)) }))
    }
    object["request"] = MediaRequest.load(request).json(requestID: 0)
    return object
  }
}

extension Plan.QueueAction {
  fileprivate var arguments: JSONObject {
    var object: JSONObject = [
      "items": .array(items.map(\.json)), "startAt": .int(startAt), "repeat": .string(repeatMode.rawValue),
    ]
    object["app"] = appID.map { .string($0) }
    object["defaultApp"] = .string(defaultAppID)
    object["until"] = .string(until.rawValue)
    object["request"] = MediaRequest.queueLoad(request).json(requestID: 0)
    return object
  }
}

extension Plan.QueueUpdateAction {
  fileprivate var arguments: JSONObject {
    var object = JSONObject()
    object["jump"] = jump.map { .int($0) }
    object["repeat"] = repeatMode.map { .string($0.rawValue) }
    object["shuffle"] = shuffle.map { .bool($0) }
    if !items.isEmpty {
      object["items"] = .array(
        items.map { replacement in
          var object: JSONObject = ["item": replacement.item.json]
          object["media"] = replacement.media.json
          return .object(object)
        })
    }
    return object
  }
}

extension Plan.QueueItem {
  /// The media's id where it has one, and its URL.
  fileprivate var json: JSONValue {
    var object = JSONObject()
    object["media"] = mediaID.map { .string($0) }
    object["url"] = .string(media.contentURL ?? media.contentID)
    return .object(object)
  }
}

extension Plan.QueueItemReference {
  /// A media's id or URL, the device's number, or `${name}`.
  fileprivate var json: JSONValue {
    switch self {
    case .media(let id, _): .string(id)
    case .number(let number): .int(number)
    case .saved(let name): .string("${\(name)}")
    }
  }
}

extension Plan.Amount {
  package var json: JSONValue {
    switch self {
    case .literal(let number): JSONValue(number)
    case .saved(let name): .string("${\(name)}")
    }
  }
}

extension Plan.Template {
  /// The text as a document writes it.
  package var source: String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .value(let name): "${\(name)}"
      }
    }.joined()
  }
}
