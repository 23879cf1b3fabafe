import CastClient
import RunReporting
import ScenarioLanguage

extension DeviceAccess {
  /// Reaches receiver pages of the inventory by `own`, which knows the virtual receivers behind them, and all other
  /// devices as this does.
  package func joined(with own: DeviceAccess) -> DeviceAccess {
    let others = self
    var access = DeviceAccess(
      find: { selector, limit throws(RunError) in
        try await (selector.isPage ? own : others).find(selector, limit)
      },
      connect: { device, wireTap throws(ClientError) in
        try await (device.via == .virtual ? own : others).connect(device, wireTap)
      })
    access.discoverAll = { selector, limit, atLeast, way throws(RunError) in
      try await (selector.isPage ? own : others).discoverAll(selector, limit, atLeast, way)
    }
    access.resolve = { device, limit throws(RunError) in
      try await (device.via == .virtual ? own : others).resolve(device, limit)
    }
    access.reappearances = { device in (device.via == .virtual ? own : others).reappearances(device) }
    return access
  }
}
