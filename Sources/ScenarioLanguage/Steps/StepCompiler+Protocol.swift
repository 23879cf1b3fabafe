import CastProtocol

extension StepCompiler {
  /// `transfer send probe exec`.
  mutating func protocolStep(_ step: DecodedStep) -> Compiled? {
    switch step.verb.name {
    case "transfer": transfer(step)
    case "send": send(step)
    case "probe": probe(step)
    case "exec": exec(step)
    default: nil
    }
  }

  // MARK: transfer

  private mutating func transfer(_ step: DecodedStep) -> Compiled? {
    let body = step.body
    guard let node = body.node("to") else { return nil }
    let target: Plan.TransferAction.Target
    if let name = node.text, definitions.roles.use(name) != nil {
      target = .role(name)
    } else if let selector = definitions.selector(node, map: body.map("to")) {
      target = .device(selector)
    } else {
      return nil
    }
    guard !reportOwnDevice(target, of: step, at: node) else { return nil }
    var action = Plan.TransferAction(target: target)
    action.stopsSource = body.bool("stop_source") ?? true
    // A launch and a load on the other device, then a stop on this one.
    let timeouts = defaults.timeouts
    return Compiled(
      action: .transfer(action), timeout: timeouts.launch + timeouts.load + timeouts.step,
      argument: node.text.map { ScalarText.shown($0) } ?? body.map("to").flatMap { shown($0.pairs.first?.value) })
  }

  /// Whether the target is the device that plays already; K107.
  private mutating func reportOwnDevice(
    _ target: Plan.TransferAction.Target, of step: DecodedStep, at node: YAMLNode
  ) -> Bool {
    var role: String?
    if case .one(let name) = self.role { role = name }
    let source = role.flatMap { definitions.roles[$0] } ?? (definitions.roles.names.isEmpty ? ownDevice : nil)
    let isSame: Bool
    switch target {
    case .role(let name):
      isSame = name == role || (source != nil && definitions.roles[name]?.names(sameAs: source) == true)
    case .device(let selector): isSame = selector.names(sameAs: source)
    }
    guard isSame else { return false }
    let place = step.modifiers.span("role") ?? (role == nil ? ownDevice?.span : nil)
    let related = place.map { [Diagnostic.Label($0, "plays here")] }
    problems.report(
      Diagnostic(
        .error, .k107, "a transfer from a device to itself", at: node, "the same device", related: related ?? [],
        footers: [.help("name another device")]))
    return true
  }

  // MARK: send

  /// Verbs that send these messages and know when they are done.
  private static let verbs: [String: [String: String]] = [
    Namespace.media.rawValue: [
      "LOAD": "load", "PLAY": "play", "PAUSE": "pause", "STOP": "stop", "SEEK": "seek", "SKIP_AD": "skip_ad",
      "SET_PLAYBACK_RATE": "rate", "EDIT_TRACKS_INFO": "tracks", "GET_STATUS": "refresh", "QUEUE_LOAD": "queue",
      "QUEUE_INSERT": "queue_insert", "QUEUE_REMOVE": "queue_remove", "QUEUE_UPDATE": "queue_update",
      "QUEUE_REORDER": "queue_reorder",
    ],
    Namespace.receiver.rawValue: [
      "LAUNCH": "launch", "STOP": "stop_app", "GET_STATUS": "refresh", "SET_VOLUME": "volume",
    ],
  ]

  private mutating func send(_ step: DecodedStep) -> Compiled? {
    let body = step.body
    guard let namespace = body.text("namespace"), let node = body.node("message") else { return nil }
    let before = problems.errorCount
    if let node = body.node("namespace") { checkNamespace(node, namespace) }
    let message = FreeData.json(node, reportingTo: problems)
    var action = Plan.SendAction(namespace: namespace, message: message)
    action.destination = body.choice("to", as: Plan.SendAction.Destination.self) ?? .app
    if let node = body.node("namespace") { checkSender(action, at: node) }
    if let reply = body.node("expect_reply") {
      guard let pattern = messagePattern(reply) else { return nil }
      action.reply = pattern
    }
    let isOneLine = node.span.line == node.span.endLine
    let place = node.substitutedAt ?? (isOneLine ? node.span : body.keySpan("message") ?? node.span)
    checkSize(action, at: .init(place))
    guard problems.errorCount == before else { return nil }
    return Compiled(
      action: .send(action), timeout: defaults.timeouts.reply,
      argument: message["type"]?.string.map { ScalarText.shown($0) } ?? ScalarText.shown(namespace))
  }

  /// What keeps the connection alive is nobody's but the engine's.
  mutating func checkNamespace(_ node: YAMLNode, _ namespace: String) {
    guard namespace.hasPrefix("urn:x-cast:com.google.cast.tp.") else { return }
    problems.report(
      Diagnostic(
        .error, .t222, "\(ScalarText.quoted(namespace)) belongs to the connection itself", at: node,
        "showcaller speaks it by itself", footers: [.help("`connect` and `disconnect: { abrupt: true }` act on it")]
      ).onCommandLine(nil))
  }

  /// Warns of messages that a verb sends, and of platform messages to the wrong side.
  mutating func checkSender(_ action: Plan.SendAction, at node: YAMLNode) {
    let isPlatform = action.namespace == Namespace.receiver.rawValue
    if isPlatform != (action.destination == .receiver), isPlatform || action.namespace == Namespace.media.rawValue {
      problems.report(
        Diagnostic(
          .warning, .t222,
          isPlatform
            ? "apps do not listen to the receiver namespace" : "the receiver does not listen to the media namespace",
          at: node, "goes to the \(isPlatform ? "app" : "receiver")",
          footers: [.help(isPlatform ? "add `to: receiver`" : "leave `to: receiver` out")]
        ).onCommandLine(nil))
    } else if let type = action.message["type"]?.string, let verb = Self.verbs[action.namespace]?[type] {
      problems.report(
        Diagnostic(
          .warning, .t222, "`\(type)` is what `\(verb)` sends", at: node, "a namespace of the platform",
          footers: [
            .help("`- \(verb)` knows when it is done; what `send` does here counts as another sender's doing")
          ]))
    }
  }

  /// - Parameter place: The message, or its key.
  mutating func checkSize(_ action: Plan.SendAction, at place: Diagnostic.Label) {
    var size = MessageSize(payload: action.message, namespace: Namespace(rawValue: action.namespace))
    guard !size.fits else { return }
    for member in action.message.object?.members ?? [] {
      size.note("message.\(ScalarText.shown(member.name))", member.value.serialized().utf8.count)
    }
    problems.report(
      tooLarge(
        size, action.message["type"]?.string.map { ScalarText.shown($0) } ?? "app", at: place,
        help: "send it in parts, or send where the app can fetch it"))
  }

  // MARK: probe and exec

  private mutating func probe(_ step: DecodedStep) -> Compiled? {
    let body = step.body
    guard let node = body.node("media"),
      let media = media(node, map: nil, after: step.value?.pairs == nil ? step.verb.name : "media")
    else {
      return nil
    }
    let information = media.information
    var urls = [information.contentURL ?? information.contentID]
    guard URLScalar.looksLikeURL(urls[0]) else {
      problems.report(
        Diagnostic(
          .error, .k105, "\(ScalarText.quoted(node.text ?? "")) has no `url` to fetch", at: node,
          "only a `content_id`", footers: [.help("an app makes a URL of the id; showcaller cannot")]))
      return nil
    }
    if body.bool("tracks") ?? true {
      urls += (information.tracks ?? []).compactMap { $0.type == "TEXT" ? $0.trackContentID : nil }
      urls += (information.breakClips ?? []).compactMap { $0.contentURL ?? $0.contentID }
    }
    var seen: Set<String> = []
    var action = Plan.ProbeAction(urls: urls.filter { seen.insert($0).inserted })
    action.looksAtCORS = body.bool("cors") ?? true
    action.asksForRange = body.bool("ranges") ?? true
    return Compiled(action: .probe(action), timeout: defaults.timeouts.step, argument: shown(node))
  }

  private mutating func exec(_ step: DecodedStep) -> Compiled? {
    let body = step.body
    guard let node = body.node("command"), let words = node.items else { return nil }
    guard !words.isEmpty else {
      problems.report(
        Diagnostic(
          .error, .k105, "`exec` needs a program", at: node, "nothing to run",
          footers: [.help("such as `command: [curl, -sf, \"https://example.com\"]`")]))
      return nil
    }
    let command = words.map { planText($0) }
    let sound = command.compactMap { $0 }
    guard sound.count == command.count else { return nil }
    var action = Plan.ExecAction(command: sound)
    action.stdin = body.choice("stdin", as: Plan.ExecAction.Input.self) ?? .json
    action.output = body.choice("output", as: Plan.ExecAction.Output.self) ?? .json
    let line = sound.map(\.source).joined(separator: " ")
    return Compiled(action: .exec(action), timeout: defaults.timeouts.step, argument: ScalarText.shown(line))
  }
}

extension Plan.DeviceSelector {
  /// Whether both ask for the same, wherever they are written.
  func names(sameAs other: Plan.DeviceSelector?) -> Bool {
    guard var other else { return false }
    other.span = span
    if self == other { return true }
    // One by its inventory id, the other by what that says.
    return (id != nil && id == other.id) || (host != nil && host == other.host)
      || (name != nil && name == other.name && id == nil && other.id == nil)
  }
}
