/// Which devices a scenario is for: `device`, `devices` or `roles` (docs/language/devices.md "Several devices").
extension ScenarioCompiler {
  mutating func targets(_ plan: inout Plan) {
    if let node = root.node("device"), let selector = selector(node, root.map("device")) { plan.device = selector }
    for entry in root.entries("roles") {
      guard let selector = selector(entry.node, entry.map) else { continue }
      plan.roles.append(Plan.Role(name: entry.key.text, device: selector))
      checkRoleName(entry.key)
    }
    if let first = plan.roles.first { plan.device = first.device }
    if root.has("roles"), root.entries("roles").isEmpty, let key = root.keySpan("roles") {
      steps.problems.report(
        .error, .k105, "`roles` names no device", at: .init(key, "no role here"),
        footers: [.help("`roles: { left: Bar left, right: Bar right }`")])
    }
    guard let set = steps.definitions.deviceSet(root, reportingTo: steps.problems) else { return }
    plan.devices = set
    if let first = set.selectors.first { plan.device = first }
  }

  private mutating func selector(_ node: YAMLNode, _ map: FieldMap?) -> Plan.DeviceSelector? {
    steps.definitions.selector(node, map: map)
  }

  private mutating func checkRoleName(_ key: YAMLNode.Key) {
    guard key.text == "all" else { return }
    steps.problems.report(
      .error, .n411, "`all` means every role, a role cannot have its name", at: .init(key.span),
      footers: [.help("call it `all_devices`")])
  }

  /// P613: a role that no step means.
  mutating func checkRoles(_ plan: Plan) {
    guard plan.roles.count > 1, !steps.problems.hasErrors else { return }
    var used: Set<String> = []
    for step in plan.ownSteps {
      if step.collectRoles(into: &used) { return }
    }
    for entry in root.entries("roles") where !used.contains(entry.key.text) {
      steps.problems.report(
        .warning, .p613, "role `\(ScalarText.shown(entry.key.text))` is never used",
        at: .init(entry.key.span, "no step means this device"),
        footers: [.help("write `role: \(ScalarText.shown(entry.key.text))` next to a step, or remove it")])
    }
  }
}

extension Plan.Step {
  /// Notes the roles that a step and those inside it mean; true once all of them are meant.
  fileprivate func collectRoles(into used: inout Set<String>) -> Bool {
    let inner = action.steps
    switch role {
    case .all where inner.isEmpty || needsRole: return true
    case .one(let name) where inner.isEmpty || needsRole: used.insert(name)
    default: break
    }
    switch action {
    case .transfer(let transfer): if case .role(let name) = transfer.target { used.insert(name) }
    case .expectTogether(let together): used.formUnion(together.roles)
    default: break
    }
    return inner.contains { $0.collectRoles(into: &used) }
  }
}
