package import CastProtocol

/// One message of the platform channel between a receiver page and the platform: a namespace, an addressee and a text.
///
/// Source: docs/protocol.md 12.
package struct PageMessage: Hashable, Sendable {
  /// The other end: the sender or the addressee.
  package enum Peer: Hashable, Sendable {
    /// The platform itself.
    case system
    /// Every sender; pages write to them only.
    case everyone
    case sender(PageSenderID)
  }

  package var namespace: Namespace
  package var peer: Peer
  /// JSON or any other text, as the namespace has it.
  package var data: String

  package init(namespace: Namespace, peer: Peer, data: String) {
    self.namespace = namespace
    self.peer = peer
    self.data = data
  }

  /// The namespace between the page and the platform.
  package static let systemNamespace = Namespace(rawValue: "urn:x-cast:com.google.cast.system")

  /// A message of the platform.
  static func system(_ json: JSONObject) -> PageMessage {
    PageMessage(namespace: systemNamespace, peer: .system, data: json.serialized())
  }

  /// Reads what a page sent.
  /// - Returns: `nil` for what is no message; the receiver SDK drops such ones, too.
  package init?(parsing text: String) {
    guard let json = (try? JSONValue(parsing: text))?.object,
      let namespace = json["namespace"]?.string, !namespace.isEmpty,
      namespace.utf8.count <= ReceiverLimits.endpointIDLength,
      let peer = json["senderId"]?.string.flatMap(Peer.init(spelled:)),
      let data = json["data"]?.string
    else { return nil }
    self.init(namespace: Namespace(rawValue: namespace), peer: peer, data: data)
  }

  /// As the page gets it.
  package var text: String {
    JSONValue.object([
      "namespace": .string(namespace.rawValue), "senderId": .string(peer.spelled), "data": .string(data),
    ]).serialized()
  }
}

extension PageMessage.Peer {
  fileprivate init?(spelled text: String) {
    switch text {
    case "SystemSender": self = .system
    case "*:*": self = .everyone
    default:
      guard let id = PageSenderID(spelled: text) else { return nil }
      self = .sender(id)
    }
  }

  fileprivate var spelled: String {
    switch self {
    case .system: "SystemSender"
    case .everyone: "*:*"
    case .sender(let id): id.spelled
    }
  }
}

/// A sender as a page knows it: the number of its socket and its id there, for two senders may call themselves the same.
package struct PageSenderID: Hashable, Sendable {
  package let connection: ConnectionID
  package let id: EndpointID

  package init(connection: ConnectionID, id: EndpointID) {
    self.connection = connection
    self.id = id
  }

  /// Reads `3:sender-0`.
  init?(spelled text: String) {
    let parts = text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let number = Int(parts[0]), number > 0 else { return nil }
    self.init(connection: ConnectionID(rawValue: number), id: EndpointID(String(parts[1])))
  }

  /// `3:sender-0`.
  package var spelled: String { "\(connection.rawValue):\(id.rawValue)" }
}
