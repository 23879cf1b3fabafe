import ScenarioLanguage
import Workspace

/// The devices that `--host`, `--device` and `--virtual` choose.
extension RunOptions {
  /// Under `--virtual` the devices are the document's; of its `devices:` some can be chosen.
  func refuseOtherDevices(of runnable: RunnableDocument, from file: String) throws(CommandFailure) {
    guard !devices.isEmpty, runnable.rows.contains(where: { $0.devices == nil }) else { return }
    throw CommandFailure(
      .commandLineWrong, "--virtual brings its own device; leave out --host and --device",
      help: "`--device` chooses one of the `devices:` of a document, which \(file) has none of")
  }

  /// `--host` and `--device` replace what the document says; `--device left=Kitchen` the device of a role.
  func chooseDevice(of plan: inout Plan) throws {
    if let host = host {
      if plan.roles.count > 1 {
        throw CommandFailure(
          .commandLineWrong, "\(plan.file) has several roles: --host cannot say which one it means",
          help: "name the devices: `--device \(plan.roles[0].name)=NAME`")
      }
      var selector = Plan.DeviceSelector(span: CommandLineText.own.span(ofOption: ["--host"]))
      selector.name = plan.device.name
      // Another address is no reason to ask for less.
      selector.requirements = plan.device.requirements
      selector.host = host
      replaceDevice(of: &plan, with: selector)
    }
    for device in devices {
      let parts = device.split(separator: "=", maxSplits: 1).map(String.init)
      if parts.count == 2, let index = plan.roles.firstIndex(where: { $0.name == parts[0] }) {
        plan.roles[index].device = try selector(parts[1], of: plan)
        plan.device = plan.roles[0].device
      } else if plan.roles.count > 1 {
        let roles = plan.roles.map(\.name).joined(separator: ", ")
        throw CommandFailure(
          .commandLineWrong, "--device \(device) names none of the roles of \(plan.file)",
          help: "the roles are \(roles): write `--device \(plan.roles[0].name)=\(parts.last ?? "NAME")`"
        ).aboutDocument
      } else {
        replaceDevice(of: &plan, with: try selector(device, of: plan))
      }
    }
  }

  private func selector(_ name: String, of plan: Plan) throws -> Plan.DeviceSelector {
    var named = try plan.inventory[name] ?? Settings.load().selector(for: name) ?? plan.device
    // If no such device is found, the message points at the option.
    named.span = CommandLineText.own.span(ofOption: ["--device", "-d"], name)
    return named
  }

  private func replaceDevice(of plan: inout Plan, with selector: Plan.DeviceSelector) {
    plan.device = selector
    plan.devices = nil
    if !plan.roles.isEmpty { plan.roles[0].device = selector }
  }
}
