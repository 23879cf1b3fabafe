import CastClient
import CastProtocol
import CastTransport
import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

/// Asks the devices of the hosts file which of them has an id: the file has names and addresses only.
enum HostsInquiry {
  /// The device with this id; `nil` where none of them answers with it.
  static func device(id: String, times: TimeSources) async -> FoundDevice? {
    guard let wanted = DeviceID(id) else { return nil }
    let inquiry = DeviceInquiry(times: times)
    for answer in await inquiry.ask(HostsFileDevices.process.devices.map { ListedDevice($0) }) {
      if let told = answer.device.id.flatMap({ DeviceID($0) }), told == wanted { return answer.device.found }
    }
    return nil
  }
}
