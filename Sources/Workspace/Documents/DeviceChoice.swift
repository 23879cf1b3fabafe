package import CastProtocol
package import ScenarioLanguage

/// The devices that `--host`, `--device` and `--virtual` choose.
package struct DeviceChoice: Sendable {
  package var host: HostAndPort?
  package var devices: [String] = []
  package var isVirtual = false
  /// The command line, which messages point into.
  package var line: CommandLineText
  /// The settings, read when a name asks for them.
  package var settings: @Sendable () throws(WorkspaceError) -> Settings

  package init(line: CommandLineText, settings: @escaping @Sendable () throws(WorkspaceError) -> Settings) {
    self.line = line
    self.settings = settings
  }

  /// The device for a document that names none.
  package var device: PlanCompiler.Inputs.Device? {
    if let host { return .host(host) }
    guard devices.count == 1, let name = devices.first else { return nil }
    return .name(name)
  }

  /// Puts the devices into every row.
  /// - Parameter file: The document as the command line names it.
  /// - Throws: Where the document has none that could be meant.
  func apply(to document: inout RunnableDocument, from file: String) throws(WorkspaceError) {
    if isVirtual {
      try refuseOthers(of: document, from: file)
    } else {
      try document.changeRows { (plan: inout Plan) throws(WorkspaceError) in try choose(in: &plan) }
    }
  }

  /// Under `--virtual` the devices are the document's; of its `devices:` some can be chosen.
  private func refuseOthers(of document: RunnableDocument, from file: String) throws(WorkspaceError) {
    guard !devices.isEmpty, document.rows.contains(where: { $0.devices == nil }) else { return }
    throw WorkspaceError(
      .commandLineWrong, "--virtual brings its own device; leave out --host and --device",
      help: "`--device` chooses one of the `devices:` of a document, which \(file) has none of")
  }

  /// `--host` and `--device` replace what the document says; `--device left=Kitchen` the device of a role.
  private func choose(in plan: inout Plan) throws(WorkspaceError) {
    if let host {
      if plan.roles.count > 1 {
        throw WorkspaceError(
          .commandLineWrong, "\(plan.file) has several roles: --host cannot say which one it means",
          help: "name the devices: `--device \(plan.roles[0].name)=NAME`")
      }
      var selector = Plan.DeviceSelector(span: line.span(ofOption: ["--host"]))
      selector.name = plan.device.name
      // Another address is no reason to ask for less.
      selector.requirements = plan.device.requirements
      // There is a device, so no page stands for it.
      (selector.requirements.page, selector.requirements.pageSpan) = (nil, nil)
      selector.host = host
      Self.replaceDevice(of: &plan, with: selector)
    }
    for device in devices {
      let parts = device.split(separator: "=", maxSplits: 1).map(String.init)
      if parts.count == 2, let index = plan.roles.firstIndex(where: { $0.name == parts[0] }) {
        plan.roles[index].device = try selector(parts[1], of: plan)
        plan.device = plan.roles[0].device
      } else if plan.roles.count > 1 {
        let roles = plan.roles.map(\.name).joined(separator: ", ")
        throw WorkspaceError(
          .documentUnfit, "--device \(device) names none of the roles of \(plan.file)",
          help: "the roles are \(roles): write `--device \(plan.roles[0].name)=\(parts.last ?? "NAME")`")
      } else {
        Self.replaceDevice(of: &plan, with: try selector(device, of: plan))
      }
    }
  }

  private func selector(_ name: String, of plan: Plan) throws(WorkspaceError) -> Plan.DeviceSelector {
    var named: Plan.DeviceSelector
    if let known = plan.inventory[name] {
      named = known
    } else {
      named = try settings().selector(for: name) ?? plan.device
    }
    // If no such device is found, the message points at the option.
    named.span = line.span(ofOption: ["--device", "-d"], name)
    return named
  }

  private static func replaceDevice(of plan: inout Plan, with selector: Plan.DeviceSelector) {
    plan.device = selector
    plan.devices = nil
    if !plan.roles.isEmpty { plan.roles[0].device = selector }
  }
}
