package import CastProtocol

/// `send`: sends a raw message.
enum Send: StepVerb {
  static let spec = VerbSpec(
    .send, .protocol, .action,
    .keys([
      KeySpec("namespace", .urn, required: true, "Of the message."),
      KeySpec("message", .anyMap, required: true, "The message, sent as JSON."),
      KeySpec("to", .choice("destination", of: Plan.SendAction.Destination.self), default: "app", "Who gets it."),
      KeySpec("expect_reply", .matchers, "What must come back."),
    ]),
    "Sends a raw message.",
    sends: "the message as it stands",
    done: "it is sent, or its reply matched",
    example: """
      - launch: acme
      - send:
          namespace: urn:x-cast:com.example.player
          message: { type: NEXT, count: 1 }
          expect_reply: { type: OK }
      """
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.send(step)
  }
}

extension StepCompiler {
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

  fileprivate mutating func send(_ step: StepFields) -> Compiled? {
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
    checkSize(action, at: .init(body.place("message") ?? node.place))
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
        .warning, .t222, "`\(type)` is what `\(verb)` sends", at: node, "a namespace of the platform",
        footers: [
          .help("`- \(verb)` knows when it is done; what `send` does here counts as another sender's doing")
        ])
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
}

extension Plan {
  package struct SendAction: Codable, Hashable, Sendable {
    package enum Destination: String, Codable, Hashable, Sendable, CaseIterable { case app, receiver }
    /// What is no JSON.
    package enum Payload: Codable, Hashable, Sendable {
      case text(String)
      case bytes([UInt8])
    }
    package var namespace: String
    package var message: JSONValue
    /// Sent instead of `message`; documents have no words for it.
    package var payload: Payload?
    /// Whether an app that offers the namespace is waited for; documents launch one.
    package var waitsForApp = false
    package var destination = Destination.app
    /// `nil`: sent is done.
    package var reply: MessagePattern?

    package init(namespace: String, message: JSONValue) {
      self.namespace = namespace
      self.message = message
    }
  }
}

extension Plan.SendAction: ControlAction {
  var arguments: JSONObject {
    var object: JSONObject = ["namespace": .string(namespace), "message": message]
    object["to"] = .string(destination.rawValue)
    object["expectReply"] = reply?.json()
    return object
  }
  var detail: String? {
    "\(namespace) to the \(destination.rawValue)\(reply.map { ", reply \($0.text())" } ?? "")"
  }
  func messages(trackIDs: inout [String: Int]) -> [JSONValue] { [message] }
}
