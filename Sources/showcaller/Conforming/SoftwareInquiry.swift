import CastClient
import CastProtocol
import CastTransport
import Conformance
import DeviceControl
import RunReporting
import ScenarioLanguage
import WebClient
import Workspace

/// Asks a device what it is, and which software it runs.
struct SoftwareInquiry {
  let times: TimeSources
  /// Document seconds in a real one.
  let speed: Double

  private static let patience = Duration.seconds(2)
  private static let setupPort = 8_008
  private static let bodyLimit = 64 << 10
  private static let lengthLimit = 255

  /// - Returns: The device as it calls itself, and the column of it.
  func ask(_ found: FoundDevice, over connection: CastConnection) async -> (FoundDevice, CheckedDevice) {
    var device = found
    if let info = try? await connection.deviceInfo(within: Self.patience) {
      device.id = device.id ?? info.deviceID.flatMap { DeviceID($0)?.description }
      device.model = device.model ?? info.deviceModel?.prefix(scalars: Self.lengthLimit)
      if device.isUnnamed, let name = info.friendlyName, !name.isEmpty {
        device.name = name.prefix(scalars: Self.lengthLimit)
      }
    }
    var software = await softwareByMessage(over: connection)
    if software == nil, device.address.port == HostAndPort.defaultPort {
      software = await Self.softwareByWeb(device.address.host)
    }
    device.model = device.model ?? software?.model
    var checked = CheckedDevice(
      name: device.name, address: device.address.text,
      time: UTCTime(unixSeconds: Surroundings.process.unixTime()).text)
    (checked.id, checked.model) = (device.id, device.model)
    (checked.firmware, checked.castVersion) = (software?.build, software?.castVersion)
    return (device, checked)
  }

  /// What a run asks: over HTTP, so that the run's own connection sends nothing extra.
  static func beside(_ device: FoundDevice) async -> EventKind.DeviceSoftware? {
    guard device.via != .virtual, device.address.port == HostAndPort.defaultPort,
      let software = await softwareByWeb(device.address.host)
    else { return nil }
    return EventKind.DeviceSoftware(firmware: software.castVersion, build: software.build)
  }

  private func softwareByMessage(over connection: CastConnection) async -> DeviceSoftware? {
    let namespace = Namespace(rawValue: DeviceSoftware.namespace)
    let deadline = times.show.now + Self.patience * speed
    var seen = await connection.lastObservation
    let question = DeviceSoftware.request(id: 1).serialized()
    guard (try? await connection.send(.text(question), on: namespace, to: nil, until: deadline)) != nil else {
      return nil
    }
    while times.show.now < deadline {
      let new = await connection.nextObservations(after: seen, until: deadline)
      guard let last = new.last else { return nil }
      seen = last.number
      for observation in new where observation.namespace == namespace {
        if let message = observation.message, let software = DeviceSoftware(message) { return software }
      }
    }
    return nil
  }

  /// Older firmware answers at the port for setting up.
  private static func softwareByWeb(_ host: String) async -> DeviceSoftware? {
    var request = WebRequest(
      .get, WebURL(scheme: .http, host: host, port: setupPort, target: DeviceSoftware.target))
    request.bodyLimit = bodyLimit
    guard let answer = try? await WebClient().send(request, within: patience), answer.status == 200,
      let json = try? JSONValue(parsing: answer.body)
    else { return nil }
    return DeviceSoftware(json)
  }
}
