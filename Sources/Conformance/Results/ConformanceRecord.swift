package import CastProtocol
import ScenarioLanguage

/// Results as they are kept: a versioned JSON object. Source of the form: docs/conformance.md "The file".
package struct ConformanceRecord: Hashable, Sendable {
  /// Of the form that is written.
  package static let version = 1
  /// Of a file that is read.
  package static let byteLimit = 8 << 20
  /// What is kept of one device: the newest of each firmware.
  package static let mostResults = 20
  private static let mostDevices = 1_000
  private static let mostChecks = 1_000
  private static let mostObservations = 50
  private static let lengthLimit = 2_000

  /// Oldest first.
  package var devices: [CheckedDevice]

  package init(_ devices: [CheckedDevice] = []) { self.devices = devices }

  /// Why a file holds no results.
  package struct Problem: Error, Hashable, Sendable {
    /// A lowercase fragment.
    package var message: String
    /// Whether a newer version of this tool wrote it: then it is whole.
    package var isNewer = false
  }

  /// The result that a new one of `device` is compared with: its own, newest first, else the only one there is.
  package func earlier(of device: CheckedDevice) -> CheckedDevice? {
    devices.last { $0.isSame(as: device) } ?? (devices.count == 1 ? devices.first : nil)
  }

  /// Puts a result in place of the one that the same firmware had, as the newest.
  package mutating func keep(_ device: CheckedDevice) {
    devices.removeAll {
      $0.isSame(as: device) && $0.firmware == device.firmware && $0.castVersion == device.castVersion
    }
    devices.append(device)
    devices = Array(devices.suffix(Self.mostResults))
  }

  package init(parsing bytes: [UInt8]) throws(Problem) {
    let json: JSONValue
    do throws(ProtocolError) {
      json = try JSONValue(parsing: bytes, limits: .init(length: Self.byteLimit))
    } catch {
      let detail = if case .malformedJSON(let what, let offset) = error { ": \(what) at byte \(offset)" } else { "" }
      throw Problem(message: "it is no JSON\(detail)")
    }
    guard let version = json["v"]?.int, let devices = json["devices"]?.array else {
      throw Problem(message: "it is no result of `showcaller conform`")
    }
    if version > Self.version {
      throw Problem(message: "a newer showcaller wrote it (version \(version))", isNewer: true)
    }
    self.devices = try devices.prefix(Self.mostDevices).map { value throws(Problem) in try Self.device(value) }
  }

  private static func device(_ json: JSONValue) throws(Problem) -> CheckedDevice {
    guard let name = text(json["name"]), let checks = json["checks"]?.array else {
      throw Problem(message: "it is damaged: a device has no name or no checks")
    }
    var device = CheckedDevice(name: name, address: text(json["address"]) ?? "", time: text(json["time"]) ?? "")
    device.id = text(json["id"])
    device.model = text(json["model"])
    device.firmware = text(json["firmware"])
    device.castVersion = text(json["cast"])
    device.checks = try checks.prefix(mostChecks).map { value throws(Problem) in try check(value) }
    return device
  }

  private static func check(_ json: JSONValue) throws(Problem) -> ConformanceResult {
    guard let id = text(json["id"]), let word = json["result"]?.string,
      let verdict = ConformanceResult.Verdict(rawValue: word)
    else { throw Problem(message: "it is damaged: a check has no id or no result") }
    var result = ConformanceResult(id, verdict, reason: text(json["reason"]))
    result.observed = (json["observed"]?.object?.members ?? []).prefix(mostObservations).compactMap { member in
      text(member.value).map { ConformanceResult.Observation(member.name.prefix(scalars: lengthLimit), $0) }
    }
    return result
  }

  private static func text(_ value: JSONValue?) -> String? { value?.string?.prefix(scalars: lengthLimit) }

  /// What is written.
  package var json: JSONValue {
    ["v": .int(Self.version), "devices": .array(devices.map { .object($0.json) })]
  }
}

extension CheckedDevice {
  /// As a record and `--format json` have it.
  var json: JSONObject {
    var object: JSONObject = ["name": .string(name)]
    object["id"] = id.map(JSONValue.string)
    object["model"] = model.map(JSONValue.string)
    object["firmware"] = firmware.map(JSONValue.string)
    object["cast"] = castVersion.map(JSONValue.string)
    object["address"] = .string(address)
    object["time"] = .string(time)
    object["checks"] = .array(checks.map { .object($0.json) })
    return object
  }
}

extension ConformanceResult {
  fileprivate var json: JSONObject {
    var object: JSONObject = ["id": .string(id), "result": .string(verdict.rawValue)]
    object["reason"] = reason.map(JSONValue.string)
    if !observed.isEmpty {
      object["observed"] = .object(JSONObject(observed.map { .init($0.name, .string($0.value)) }))
    }
    return object
  }
}
