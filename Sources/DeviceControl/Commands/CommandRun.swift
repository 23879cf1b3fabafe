import CastClient
import CastProtocol
package import RunReporting
package import ScenarioLanguage

/// What a command works with: the device it means, connected once and kept from other runs.
package struct CommandRun: Sendable {
  /// Which device a command is about.
  package enum Target: Hashable, Sendable {
    case device
    /// It is asked, too, whether it is a group and who takes part.
    case deviceAndMembers
    /// A member of the group that is named.
    case member(String)
  }

  private let selector: Plan.DeviceSelector
  private let search: DeviceSearch
  private let access: DeviceAccess
  private let timeouts: Plan.Timeouts

  /// - Parameter access: How the device is reached again, and another one that the command has to do with.
  package init(
    _ selector: Plan.DeviceSelector, search: DeviceSearch, access: DeviceAccess, timeouts: Plan.Timeouts
  ) {
    self.selector = selector
    self.search = search
    self.access = access
    self.timeouts = timeouts
  }

  /// Finds and connects the device. Another one that the command has to do with is found first, so that both are taken
  /// at once; whether it was found is told by who needs it.
  package func connect(
    to target: Target, other: Plan.DeviceSelector?
  ) async -> Result<ConnectedDevices, StepFailure> {
    do throws(StepFailure) {
      var found: Result<FoundDevice, RunError>?
      if let other { found = await find(other) }
      var others: [FoundDevice] = []
      if case .success(let device)? = found { others = [device] }
      var reached = try await search.connect(selector, together: others)
      switch target {
      case .device: break
      case .deviceAndMembers: await reached.device.askForGroup(reached.opened.connection)
      case .member(let name): reached = try await search.member(name, of: reached)
      }
      return .success(ConnectedDevices(reached, other: found))
    } catch {
      return .failure(error)
    }
  }

  private func find(_ other: Plan.DeviceSelector) async -> Result<FoundDevice, RunError> {
    do throws(RunError) {
      return .success(try await access.device(other, within: timeouts.discover))
    } catch {
      return .failure(error)
    }
  }

  /// What does the command on devices that are connected.
  /// - Parameter willOnlyWatch: See ``CommandPerformer``.
  package func performer(
    on connected: ConnectedDevices, takeover: Plan.Takeover, emitter: EventEmitter,
    random: @escaping @Sendable () -> Double, willOnlyWatch: @escaping @Sendable () -> Void
  ) -> CommandPerformer {
    let inner = self.access
    var access = inner
    access.connect = { device, wireTap throws(ClientError) in
      let isFirst = device.address == connected.device.address
      if isFirst, let opened = connected.takeFirst() { return opened }
      let opened = try await inner.connect(device, wireTap)
      connected.note(opened.connection, of: device, isFirst: isFirst)
      return opened
    }
    access.find = { selector, limit throws(RunError) in
      guard let other = connected.other else { return try await inner.find(selector, limit) }
      return [try other.get()]
    }
    var policies = SessionPolicies(commands: timeouts, takeover: takeover)
    policies.hold = search.hold
    policies.authentication = search.configuration.authentication?.mode
    return CommandPerformer(
      on: selector, policies: policies, access: access, times: search.times, emitter: emitter, random: random,
      willOnlyWatch: willOnlyWatch)
  }
}
