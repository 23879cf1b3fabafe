import CastProtocol

/// `transfer`: moves what plays to another device.
enum Transfer: StepVerb {
  static let spec = VerbSpec(
    .transfer, .media, .action,
    .keys(
      [
        KeySpec(
          "to", .byShape(scalar: .text, map: .map(LanguageSchema.selector)), required: true,
          "A role, an inventory id, a friendly name, or a selector: the device that goes on with it."),
        KeySpec("stop_source", .bool, default: "true", "Whether the source stops."),
      ], short: "to"),
    "Moves what plays to another device.",
    sends: "session messages where the app has them, else a `LOAD` of what plays, at its position",
    done: "the target plays the same content within 2 s of the position; only then the source stops",
    example: "- load: film\n- transfer: Kitchen"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.transfer(step)
  }
}

extension StepCompiler {
  fileprivate mutating func transfer(_ step: StepFields) -> Compiled? {
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
    _ target: Plan.TransferAction.Target, of step: StepFields, at node: YAMLNode
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
      .error, .k107, "a transfer from a device to itself", at: node, "the same device", related: related ?? [],
      footers: [.help("name another device")])
    return true
  }
}

extension Plan {
  package struct TransferAction: Codable, Hashable, Sendable {
    package enum Target: Codable, Hashable, Sendable {
      case role(String)
      case device(DeviceSelector)
    }
    package var target: Target
    package var stopsSource = true

    package init(target: Target) { self.target = target }
  }
}

extension Plan.TransferAction: LocalAction {
  var arguments: JSONObject {
    var object = JSONObject()
    switch target {
    case .role(let name): object["role"] = .string(name)
    case .device(let selector): object["to"] = selector.json
    }
    object["stopSource"] = .bool(stopsSource)
    return object
  }
  var detail: String? {
    let source = stopsSource ? "the source stops" : "the source plays on"
    guard case .device(let device) = target else { return source }
    return "to \(device.text), \(source)"
  }
  var needsRole: Bool { true }
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
