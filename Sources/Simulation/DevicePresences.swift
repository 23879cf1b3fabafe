package import DeviceControl

/// When each device of a simulation can be reached, and where.
package struct DevicePresences: Hashable, Sendable {
  /// Of all that have none of their own.
  package var usual = DevicePresence()
  /// By the name of the device, or its id.
  package var own: [String: DevicePresence] = [:]

  package init() {}

  package subscript(device: FoundDevice) -> DevicePresence {
    own[device.name] ?? device.id.flatMap { own[$0] } ?? usual
  }
}
