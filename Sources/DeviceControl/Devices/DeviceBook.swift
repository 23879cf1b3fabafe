package import ScenarioLanguage

/// What this computer knows of devices without asking the network. Who reads its files hands it in.
package struct DeviceBook: Sendable {
  /// The devices of the hosts file.
  package var hosts: @Sendable () -> [FoundDevice]
  /// Those of the last discovery.
  package var remembered: @Sendable () -> [DeviceResolver.Remembered]
  /// Keeps one that discovery has just seen.
  package var remember: @Sendable (FoundDevice) -> Void
  /// Says what is wrong with the hosts file, once.
  package var tellMistakes: @Sendable () -> Void
  /// What the settings have to say of a device that was not found.
  package var note: @Sendable (Plan.DeviceSelector) -> String?

  package init(
    hosts: @escaping @Sendable () -> [FoundDevice] = { [] },
    remembered: @escaping @Sendable () -> [DeviceResolver.Remembered] = { [] },
    remember: @escaping @Sendable (FoundDevice) -> Void = { _ in }, tellMistakes: @escaping @Sendable () -> Void = {},
    note: @escaping @Sendable (Plan.DeviceSelector) -> String? = { _ in nil }
  ) {
    self.hosts = hosts
    self.remembered = remembered
    self.remember = remember
    self.tellMistakes = tellMistakes
    self.note = note
  }
}
