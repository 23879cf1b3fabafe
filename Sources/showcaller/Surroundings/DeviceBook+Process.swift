import CastClient
import CastProtocol
import DeviceControl
import ScenarioLanguage
import Workspace

extension DeviceBook {
  /// What the files of the person who runs this process say.
  static let process = DeviceBook(
    hosts: { HostsFileDevices.process.devices }, remembered: { KnownDevices.process.remembered },
    remember: { KnownDevices.process.remember(KnownDevices.Device($0)) },
    tellMistakes: { HostsFileDevices.process.tell() },
    note: { AliasNote.text(for: $0, aliases: Settings.readAliases(in: .process)) })
}

extension LiveDevices {
  /// As the person who runs this process reaches them.
  static func access(times: TimeSources, configuration: ClientConfiguration) -> DeviceAccess {
    access(times: times, configuration: configuration, knowing: .process)
  }
}
