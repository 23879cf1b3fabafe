package import CastProtocol

extension ReceiverSnapshot {
  /// As `receiver status --json` tells it.
  package var json: JSONValue {
    var json: JSONObject = [
      "name": .string(name), "id": .string(id), "model": .string(model), "plugged": .bool(isPlugged),
      "standby": .bool(display.isStandby), "active_input": .bool(display.isActiveInput),
      "volume": [
        "level": JSONValue(volume.level), "muted": .bool(volume.isMuted), "control": .string(volume.control.rawValue),
      ],
    ]
    if let app {
      json["app"] = [
        "id": .string(app.id), "name": .string(app.name), "session": .string(app.sessionID),
        "text": .string(app.statusText), "page": .bool(app.isPage),
      ]
    }
    if let media {
      var object: JSONObject = [
        "session": .int(media.sessionID), "url": .string(media.address), "player": .string(media.state.rawValue),
        "position": JSONValue(media.position),
      ]
      object["type"] = media.contentType.map(JSONValue.string)
      object["title"] = media.title.map(JSONValue.string)
      object["duration"] = media.duration.map { JSONValue($0) }
      json["media"] = .object(object)
    }
    json["senders"] = senders.map { senders in
      .array(
        senders.map { sender in
          var object: JSONObject = [
            "connection": .int(sender.connection), "id": .string(sender.id), "app": .bool(sender.isAtApp),
          ]
          object["agent"] = sender.userAgent.map(JSONValue.string)
          return .object(object)
        })
    }
    return .object(json)
  }

  /// Reads what ``json`` wrote; `nil` for what is none.
  package init?(_ json: JSONValue) {
    guard let name = json["name"]?.string, let id = json["id"]?.string, let model = json["model"]?.string,
      let isPlugged = json["plugged"]?.bool, let isStandby = json["standby"]?.bool,
      let isActiveInput = json["active_input"]?.bool, let volume = json["volume"].flatMap(Volume.init(_:))
    else { return nil }
    self.init(
      isPlugged: isPlugged, name: name, id: id, model: model,
      display: ReceiverDisplay(isActiveInput: isActiveInput, isStandby: isStandby),
      app: json["app"].flatMap(App.init(_:)),
      media: json["media"].flatMap(Media.init(_:)), volume: volume,
      senders: json["senders"]?.array?.compactMap(Sender.init(_:)))
    // An app or media that cannot be read are not none.
    if (app == nil) != (json["app"] == nil) || (media == nil) != (json["media"] == nil) { return nil }
  }
}

extension ReceiverSnapshot.Volume {
  fileprivate init?(_ json: JSONValue) {
    guard let level = json["level"]?.number, let isMuted = json["muted"]?.bool,
      let control = json["control"]?.string.flatMap(ReceiverConfiguration.VolumeControl.init(rawValue:))
    else { return nil }
    self.init(level: level, isMuted: isMuted, control: control)
  }
}

extension ReceiverSnapshot.App {
  fileprivate init?(_ json: JSONValue) {
    guard let id = json["id"]?.string, let name = json["name"]?.string, let session = json["session"]?.string,
      let text = json["text"]?.string, let isPage = json["page"]?.bool
    else { return nil }
    self.init(id: id, name: name, sessionID: session, statusText: text, isPage: isPage)
  }
}

extension ReceiverSnapshot.Media {
  fileprivate init?(_ json: JSONValue) {
    guard let session = json["session"]?.int, let address = json["url"]?.string,
      let state = json["player"]?.string.flatMap(ReceiverSnapshot.State.init(rawValue:)),
      let position = json["position"]?.number
    else { return nil }
    self.init(
      sessionID: session, address: address, contentType: json["type"]?.string, title: json["title"]?.string,
      state: state, position: position, duration: json["duration"]?.number)
  }
}

extension ReceiverSnapshot.Sender {
  fileprivate init?(_ json: JSONValue) {
    guard let connection = json["connection"]?.int, let id = json["id"]?.string, let isAtApp = json["app"]?.bool
    else { return nil }
    self.init(connection: connection, id: id, userAgent: json["agent"]?.string, isAtApp: isAtApp)
  }
}
