extension ReceiverStatus {
  /// Reads the `status` of a RECEIVER_STATUS, leniently; `nil` when it is no object.
  package init?(_ json: JSONValue) {
    guard case .object(let object) = json else { return nil }
    for index in object.members.indices {
      let value = object.members[index].value
      switch object.members[index].wireName {
      case .applications: application = value.array?.first.flatMap { Application($0) }
      case .isActiveInput: isActiveInput = value.lenientFlag
      case .isStandBy: isStandBy = value.lenientFlag
      case .volume: volume = Volume(value)
      default: break
      }
    }
  }
}

extension ReceiverStatus.Application {
  /// The app of the idle screen, for firmware that does not say `isIdleScreen`. Source: docs/protocol.md 8.
  private static let backdropAppID = "E8C28D3C"

  /// Reads one running app, leniently; `nil` when it is no object.
  package init?(_ json: JSONValue) {
    guard case .object(let object) = json else { return nil }
    var saysIdleScreen: Bool?
    for index in object.members.indices {
      let value = object.members[index].value
      switch object.members[index].wireName {
      case .appID: appID = value.lenientText ?? ""
      case .universalAppID: universalAppID = value.lenientText
      case .displayName: displayName = value.lenientText ?? ""
      case .sessionID: sessionID = value.lenientText ?? ""
      case .transportID:
        transportID = value.lenientText.flatMap { $0.isEmpty ? nil : EndpointID($0) }
      case .namespaces:
        // Very old firmware lists plain strings.
        namespaces = value.lenientList { ($0["name"] ?? $0).string.map { Namespace(rawValue: $0) } } ?? []
      case .statusText: statusText = value.lenientText ?? ""
      case .isIdleScreen: saysIdleScreen = value.lenientFlag
      default: break
      }
    }
    isIdleScreen = saysIdleScreen ?? (appID == Self.backdropAppID)
  }
}

extension ReceiverStatus.Volume {
  /// Reads a volume, of the device or the stream; whatever is missing stays `nil`.
  package init(_ json: JSONValue) {
    guard case .object(let object) = json else { return }
    for index in object.members.indices {
      let value = object.members[index].value
      switch object.members[index].wireName {
      case .level: level = value.lenientNumber.map { max(0, min(1, $0)) }
      case .muted: muted = value.lenientFlag
      case .controlType: controlType = value.lenientText
      case .stepInterval: stepInterval = value.lenientNumber
      default: break
      }
    }
  }
}
