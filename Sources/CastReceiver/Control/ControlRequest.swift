import CastProtocol

/// What is asked of a process with virtual receivers over its control socket: one line of JSON.
package enum ControlRequest: Hashable, Sendable {
  /// What all of its receivers are and do.
  case status
  case press(ReceiverButton, receiver: String, app: TakeoverApp?)

  /// The app that another sender starts.
  package struct TakeoverApp: Hashable, Sendable {
    package var id: String
    package var name: String

    package init(id: String, name: String) {
      self.id = id
      self.name = name
    }
  }

  /// Reads a line.
  init?(parsing bytes: [UInt8]) {
    guard let json = try? JSONValue(parsing: bytes), json["v"]?.int == 1 else { return nil }
    switch json["do"]?.string {
    case "status": self = .status
    case "press":
      guard let button = json["button"]?.string.flatMap(ReceiverButton.init(rawValue:)),
        let receiver = json["receiver"]?.string
      else { return nil }
      var app: TakeoverApp?
      if let wanted = json["app"] {
        guard let id = wanted["id"]?.string, let name = wanted["name"]?.string, !id.isEmpty,
          id.utf8.count <= ReceiverLimits.appIDLength, name.utf8.count <= ReceiverLimits.endpointIDLength
        else { return nil }
        app = TakeoverApp(id: id, name: name)
      }
      guard (button == .takeover) == (app != nil) else { return nil }
      self = .press(button, receiver: receiver, app: app)
    default: return nil
    }
  }

  /// As it goes over the socket.
  package var line: [UInt8] {
    var json: JSONObject = ["v": 1]
    switch self {
    case .status: json["do"] = "status"
    case .press(let button, let receiver, let app):
      json["do"] = "press"
      json["button"] = .string(button.rawValue)
      json["receiver"] = .string(receiver)
      if let app { json["app"] = ["id": .string(app.id), "name": .string(app.name)] }
    }
    return Array(json.serialized().utf8) + [UInt8(ascii: "\n")]
  }
}
