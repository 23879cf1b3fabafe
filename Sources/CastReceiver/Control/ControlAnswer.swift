package import CastProtocol

/// What comes back over the control socket: one line of JSON.
package enum ControlAnswer: Hashable, Sendable {
  /// It was done: all receivers of the process that were asked for, as they are now.
  case receivers([Receiver], processID: Int)
  /// It was not.
  case refusal(PersonRefusal)

  /// A virtual receiver, and where it listens.
  package struct Receiver: Hashable, Sendable {
    package var snapshot: ReceiverSnapshot
    /// With its port.
    package var address: String

    package init(_ snapshot: ReceiverSnapshot, address: String) {
      self.snapshot = snapshot
      self.address = address
    }

    /// As `receiver status --json` tells it.
    package var json: JSONObject {
      var json = snapshot.json.object ?? [:]
      json["address"] = .string(address)
      return json
    }

    init?(_ json: JSONValue) {
      guard let snapshot = ReceiverSnapshot(json), let address = json["address"]?.string else { return nil }
      self.init(snapshot, address: address)
    }
  }

  /// Reads a line; `nil` for what is no answer.
  package init?(parsing bytes: [UInt8]) {
    guard let json = try? JSONValue(parsing: bytes), json["v"]?.int == 1 else { return nil }
    switch json["ok"]?.bool {
    case true?:
      guard let all = json["receivers"]?.array, let processID = json["pid"]?.int else { return nil }
      let receivers = all.compactMap { Receiver($0) }
      guard receivers.count == all.count else { return nil }
      self = .receivers(receivers, processID: processID)
    case false?:
      self = .refusal(.init(message: json["message"]?.string ?? "it was refused", help: json["help"]?.string))
    case nil: return nil
    }
  }

  /// As it goes over the socket.
  package var line: [UInt8] {
    var json: JSONObject = ["v": 1]
    switch self {
    case .receivers(let receivers, let processID):
      json["ok"] = true
      json["pid"] = .int(processID)
      json["receivers"] = .array(receivers.map { .object($0.json) })
    case .refusal(let refusal):
      json["ok"] = false
      json["message"] = .string(refusal.message)
      json["help"] = refusal.help.map(JSONValue.string)
    }
    return Array(json.serialized().utf8) + [UInt8(ascii: "\n")]
  }
}
