import CastProtocol

/// What a page asks of the platform, on the system namespace. Source: docs/protocol.md 12.
enum PageRequest: Hashable, Sendable {
  /// The channel is open and the app has started; comes again after a reload.
  case ready(namespaces: [Namespace], statusText: String?)
  case setStatusText(String)
  /// Level or muted, in the form of a SET_VOLUME.
  case setVolume(JSONValue)
  /// What needs nothing of us: heartbeats are the channel's business, answers to what we never ask.
  case other

  /// Reads the `data` of a system message; `nil` for what is none.
  init?(parsing text: String) {
    guard let json = (try? JSONValue(parsing: text))?.object, let type = json["type"]?.string else { return nil }
    switch type {
    case "ready":
      let names = (json["activeNamespaces"]?.array ?? []).compactMap(\.string)
      let fitting = names.filter { !$0.isEmpty && $0.utf8.count <= ReceiverLimits.endpointIDLength }
      self = .ready(
        namespaces: fitting.prefix(ReceiverLimits.pageNamespaces).map { Namespace(rawValue: $0) },
        statusText: json["statusText"]?.string.map(Self.shortened))
    case "setappstate": self = .setStatusText(Self.shortened(json["statusText"]?.string ?? ""))
    case "setvolume":
      var volume = JSONObject()
      for name in ["level", "muted"] { if let value = json.given(name) { volume[name] = value } }
      self = .setVolume(.object(volume))
    default: self = .other
    }
  }

  private static func shortened(_ text: String) -> String { String(text.prefix(ReceiverLimits.statusTextLength)) }
}
