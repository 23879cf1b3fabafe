import CastProtocol

/// Compiles `receiver:`, `media:` and `faults:` of a library for virtual receivers.
struct ReceiverCompiler {
  let root: FieldMap
  let problems: DiagnosticCollector

  /// How long namespaces are late where the document does not say.
  private static let usualLateness = Duration.seconds(3)
  private static let usualCode = 104

  func compile() -> ReceiverPlan {
    var plan = ReceiverPlan()
    if let map = root.map("receiver") {
      plan.name = map.text("name")
      plan.model = map.text("model")
      plan.speed = map.number("speed")
      if let speed = plan.speed, !(0.1...100).contains(speed), let node = map.node("speed") {
        problems.report(.error, .t213, "`speed` is 0.1x to 100x", at: node, "not \(ScalarText.shown(node.text ?? ""))")
      }
    }
    var fleet = FleetCompiler(root: root, problems: problems)
    plan.receivers = fleet.receivers(sharing: root.map("receiver"))
    plan.apps = fleet.apps(of: root.map("receiver"))
    for entry in root.entries("media") {
      guard let duration = entry.map?.duration("duration") else { continue }
      plan.media.append(
        .init(id: entry.key.text, url: entry.map?.text("url") ?? entry.map?.text("content_id"), duration: duration))
    }
    plan.faults = root.maps("faults").enumerated().compactMap { index, map in
      var fault = fault(map)
      fault?.origin = .init(number: index + 1, span: map.span)
      return fault
    }
    return plan
  }

  private func fault(_ map: FieldMap) -> ReceiverPlan.Fault? {
    if problems.hasErrors(within: map.span) { return nil }
    let event = map.choice("at", as: ReceiverPlan.Fault.Event.self)
    guard let key = ReceiverPlan.Fault.Key.allCases.first(where: { map.has($0.rawValue) }),
      let action = action(map, key)
    else { return nil }
    check(map, key.rawValue, action, at: event)
    var fault = ReceiverPlan.Fault(event: event, action: action)
    fault.after = map.duration("after") ?? .zero
    fault.every = map.int("every") ?? 1
    fault.times = map.int("times")
    fault.chance = (map.number("chance") ?? 100) / 100
    return fault
  }

  private func action(_ map: FieldMap, _ key: ReceiverPlan.Fault.Key) -> ReceiverPlan.Fault.Action? {
    typealias Fault = ReceiverPlan.Fault
    let name = key.rawValue
    let time = map.duration("for")
    let code = map.int("code") ?? Self.usualCode
    switch key {
    case .answer:
      return map.choice(name, as: Fault.Answer.self).map { .answer($0, code: code, reason: map.text("reason")) }
    case .drop: return map.choice(name, as: Fault.Loss.self).map { .lose($0, for: time) }
    case .close: return .close(for: time)
    case .delay: return map.duration(name).map { .delay($0) }
    case .restart: return map.choice(name, as: Fault.Restart.self).map { .restart($0, for: time) }
    case .takeover: return takeover(map, name)
    case .player: return map.choice(name, as: Fault.Player.self).map { .player($0, code: code, for: time) }
    case .status:
      return map.text(name) == "stale_when_polled" ? .stalePolls : .lateNamespaces(time ?? Self.usualLateness)
    case .frame: return map.choice(name, as: Fault.Frame.self).map { .frame($0) }
    case .slowReads: return map.int(name).map { .slowReads($0) }
    case .auth: return map.choice(name, as: Fault.Proof.self).map { .auth($0) }
    case .acceptButIgnore: return isOn(map, name) ? .ignore : nil
    case .duplicate: return isOn(map, name) ? .duplicate : nil
    case .reorder: return isOn(map, name) ? .reorder : nil
    case .mute: return isOn(map, name) ? .mute(for: time) : nil
    case .silence: return isOn(map, name) ? .silence(for: time) : nil
    }
  }

  /// Whether a key that is `true` or nothing says `true`; reports where it does not.
  private func isOn(_ map: FieldMap, _ name: String) -> Bool {
    guard map.bool(name) == false, let node = map.node(name) else { return true }
    problems.report(
      .error, .p612, "this fault does nothing", at: .init(node.span, "not this"),
      footers: [.help("write `\(name): true`, or leave the fault out")])
    return false
  }

  /// An app of the library, one that everybody knows, or an id. A name that nobody knows is a slip.
  private func takeover(_ map: FieldMap, _ key: String) -> ReceiverPlan.Fault.Action? {
    guard let name = map.text(key), let node = map.node(key) else { return nil }
    if let id = ownApp(name) ?? KnownApps.id(of: name) {
      return .takeover(appID: id, name: name)
    }
    let names = root.entries("apps").map(\.key.text) + KnownApps.names
    let nearest = problems.budget.exceedsReading ? nil : Suggestions.nearest(to: name, among: names.prefix(500))
    problems.report(
      .error, .n406, "unknown app \(ScalarText.quoted(name))",
      at: .init(node.span, Suggestions.label(nearest)),
      footers: [
        .help(
          "`apps:` of the library names apps; an id such as `A1B2C3D4`, YouTube, Netflix and Spotify need no name there"
        )
      ])
    return nil
  }

  /// The id of an app of the library; one may be like another.
  private func ownApp(_ name: String) -> String? {
    var name = name
    for _ in 0..<10 {
      guard let app = root.entries("apps").first(where: { $0.key.text == name }) else { return nil }
      if let id = app.map?.text("id") ?? app.node.text { return id }
      guard let base = app.map?.text("like") else { return nil }
      name = base
    }
    return nil
  }

  // MARK: what fits together

  private enum Need {
    case request, requestOrMessage, message
  }

  private func check(
    _ map: FieldMap, _ key: String, _ action: ReceiverPlan.Fault.Action, at event: ReceiverPlan.Fault.Event?
  ) {
    if let need = need(of: action) { require(need, map, key, event) }
    if case .answer(.loadFailed, _, _) = action, event != .load { misplaced(map, key, "load") }
    if case .answer(.loadCancelled, _, _) = action, event != .load { misplaced(map, key, "load") }
    if case .answer(.launchError, _, _) = action, event != .launch { misplaced(map, key, "launch") }
    // What comes on a channel of an app's own is no request that the receiver could refuse.
    if event == .send {
      switch action {
      case .answer(.withoutID, _, _): break
      case .answer, .ignore: misplaced(map, key, "load")
      default: break
      }
    }
    if case .auth = action, let event, event != .challenge { misplaced(map, key, "challenge") }
    for (name, isUsed) in [("code", usesCode(action)), ("reason", usesReason(action)), ("for", lasts(action))] {
      if !isUsed, let place = map.keySpan(name) {
        problems.report(
          .error, .k107, "`\(name)` has no effect here", at: .init(place, "leave it out"),
          related: map.keySpan(key).map { [.init($0)] } ?? [])
      }
    }
    // A request or a message is there at once; only a load can fail later.
    if need(of: action) != nil, let place = map.keySpan("after"), !failsLate(action) {
      problems.report(
        .error, .k107, "`after` has no effect here",
        at: .init(place, "it happens to the request or the message itself"),
        footers: [.help("`delay: 3s` lets the answer be late")])
    }
  }

  private func need(of action: ReceiverPlan.Fault.Action) -> Need? {
    switch action {
    case .answer, .ignore, .lose(.request, _), .lose(.answer, _): .request
    case .delay, .duplicate, .reorder, .frame: .requestOrMessage
    case .lose(.message, _): .message
    case .lose(.connection, _), .close, .mute, .silence, .restart, .takeover, .player, .stalePolls, .lateNamespaces,
      .slowReads, .auth:
      nil
    }
  }

  private func require(_ need: Need, _ map: FieldMap, _ key: String, _ event: ReceiverPlan.Fault.Event?) {
    let fits: Bool
    let what: String
    switch need {
    case .request: (fits, what) = (event?.isRequest ?? false, "a request, such as `at: load`")
    case .requestOrMessage:
      (fits, what) = (event.map { $0.isRequest || $0.isMessage } ?? false, "a request or a message, such as `at: load`")
    case .message: (fits, what) = (event?.isMessage ?? false, "a message, such as `at: media_status`")
    }
    if fits { return }
    let place = map.span("at") ?? map.keySpan(key) ?? map.span
    problems.report(
      .error, event == nil ? .k105 : .k107, "this fault needs \(what)",
      at: .init(place, event == nil ? "no `at` here" : "this is none"),
      footers: [.help("`showcaller explain faults` shows all events")])
  }

  private func misplaced(_ map: FieldMap, _ key: String, _ event: String) {
    guard let node = map.node(key), !problems.hasErrors(within: map.span) else { return }
    problems.report(
      .error, .k107, "`\(key): \(ScalarText.shown(node.text ?? ""))` is for `at: \(event)` alone",
      at: .init(map.span("at") ?? node.span, "not here"))
  }

  private func usesCode(_ action: ReceiverPlan.Fault.Action) -> Bool {
    switch action {
    case .answer(.loadFailed, _, _), .player(.error, _, _): true
    default: false
    }
  }

  private func usesReason(_ action: ReceiverPlan.Fault.Action) -> Bool {
    switch action {
    case .answer(.invalidRequest, _, _), .answer(.launchError, _, _): true
    default: false
    }
  }

  private func lasts(_ action: ReceiverPlan.Fault.Action) -> Bool {
    switch action {
    case .lose(.connection, _), .close, .mute, .silence, .restart, .player(.stall, _, _), .player(.freeze, _, _),
      .lateNamespaces:
      true
    default: false
    }
  }

  private func failsLate(_ action: ReceiverPlan.Fault.Action) -> Bool {
    if case .answer(.loadFailed, _, _) = action { true } else { false }
  }
}
