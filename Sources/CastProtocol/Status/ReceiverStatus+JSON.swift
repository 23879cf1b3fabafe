extension ReceiverStatus: JSONReadable {
  /// Reads the `status` of a RECEIVER_STATUS, leniently; `nil` when it is no object.
  package init?(reading source: inout some JSONSource & ~Copyable) {
    let isObject = source.readMembers { member, value in
      switch member {
      case .applications: application = Self.application(reading: &value)
      case .isActiveInput: isActiveInput = value.lenientFlag()
      case .isStandBy: isStandBy = value.lenientFlag()
      case .volume: volume = Volume(reading: &value)
      default: break
      }
    }
    if !isObject { return nil }
  }

  /// The first of the list.
  private static func application(reading source: inout some JSONSource & ~Copyable) -> Application? {
    var application: Application?
    var isFirst = true
    _ = source.readElements { element in
      if isFirst { application = Application(reading: &element) }
      isFirst = false
    }
    return application
  }
}

extension ReceiverStatus.Application: JSONReadable {
  /// The app of the idle screen, for firmware that does not say `isIdleScreen`. Source: docs/protocol.md 8.
  private static let backdropAppID = "E8C28D3C"

  /// Reads one running app, leniently; `nil` when it is no object.
  package init?(reading source: inout some JSONSource & ~Copyable) {
    var saysIdleScreen: Bool?
    let isObject = source.readMembers { member, value in
      switch member {
      case .appID: appID = value.lenientText() ?? ""
      case .universalAppID: universalAppID = value.lenientText()
      case .displayName: displayName = value.lenientText() ?? ""
      case .sessionID: sessionID = value.lenientText() ?? ""
      case .transportID:
        transportID = value.lenientText().flatMap { $0.isEmpty ? nil : EndpointID($0) }
      case .namespaces: namespaces = value.lenientList { Self.namespace(reading: &$0) } ?? []
      case .statusText: statusText = value.lenientText() ?? ""
      case .isIdleScreen: saysIdleScreen = value.lenientFlag()
      default: break
      }
    }
    if !isObject { return nil }
    isIdleScreen = saysIdleScreen ?? (appID == Self.backdropAppID)
  }

  /// Very old firmware lists plain strings.
  private static func namespace(reading source: inout some JSONSource & ~Copyable) -> Namespace? {
    var name: String?
    let isObject = source.readMembers { member, value in
      if member == .name { name = value.text() }
    }
    if !isObject { name = source.text() }
    return name.map { Namespace.listed(as: $0) }
  }
}

extension ReceiverStatus.Volume {
  /// Reads a volume, of the device or the stream; whatever is missing stays `nil`.
  package init(_ json: JSONValue) {
    var source = JSONTreeSource(json)
    self.init(reading: &source)
  }

  /// Reads a volume; see ``init(_:)``.
  init(reading source: inout some JSONSource & ~Copyable) {
    _ = source.readMembers { member, value in
      switch member {
      case .level: level = value.lenientNumber().map { max(0, min(1, $0)) }
      case .muted: muted = value.lenientFlag()
      case .controlType: controlType = value.lenientText()
      case .stepInterval: stepInterval = value.lenientNumber()
      default: break
      }
    }
  }

  /// Takes over what `other` says.
  mutating func merge(_ other: Self) {
    level = other.level ?? level
    muted = other.muted ?? muted
    controlType = other.controlType ?? controlType
    stepInterval = other.stepInterval ?? stepInterval
  }
}
