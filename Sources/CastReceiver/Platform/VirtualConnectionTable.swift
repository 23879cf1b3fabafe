import CastProtocol

/// The virtual connections of one socket: which sender id has connected to which endpoint of ours.
///
/// Source: docs/protocol.md 2.1 and 2.2. Kept in the order of CONNECT.
struct VirtualConnectionTable: Hashable, Sendable {
  /// How a sender takes part, from `connType`.
  enum Kind: Int, Hashable, Sendable {
    case strong = 0
    case weak = 1
    case invisible = 2
  }

  private struct Entry: Hashable {
    var sender: EndpointID
    var endpoint: EndpointID
    var kind: Kind
    var userAgent: String?
  }

  private var entries: [Entry] = []

  /// Adds a connection, or replaces the kind of the one that exists.
  /// - Returns: False when the socket has too many.
  mutating func connect(_ sender: EndpointID, to endpoint: EndpointID, kind: Kind, userAgent: String? = nil) -> Bool {
    if let index = index(sender, endpoint) {
      entries[index].kind = kind
      return true
    }
    guard entries.count < ReceiverLimits.virtualConnectionsPerConnection else { return false }
    entries.append(Entry(sender: sender, endpoint: endpoint, kind: kind, userAgent: userAgent))
    return true
  }

  mutating func close(_ sender: EndpointID, to endpoint: EndpointID) {
    if let index = index(sender, endpoint) { entries.remove(at: index) }
  }

  /// Ends every connection to `endpoint`.
  /// - Returns: The senders that had one.
  mutating func closeAll(to endpoint: EndpointID) -> [EndpointID] {
    let senders = entries.filter { $0.endpoint == endpoint }.map(\.sender)
    entries.removeAll { $0.endpoint == endpoint }
    return senders
  }

  /// The kind of the connection, or `nil` where there is none.
  func kind(of sender: EndpointID, to endpoint: EndpointID) -> Kind? {
    index(sender, endpoint).map { entries[$0].kind }
  }

  func reaches(_ endpoint: EndpointID) -> Bool { entries.contains { $0.endpoint == endpoint } }

  /// The senders that count as present at `endpoint`, and what they call themselves.
  func visibleSenders(of endpoint: EndpointID) -> [(id: EndpointID, userAgent: String?)] {
    entries.filter { $0.endpoint == endpoint && $0.kind != .invisible }.map { ($0.sender, $0.userAgent) }
  }

  /// All of them, whatever they are connected to.
  var senders: [(id: EndpointID, endpoint: EndpointID, userAgent: String?)] {
    entries.map { ($0.sender, $0.endpoint, $0.userAgent) }
  }

  /// Whether a sender that counts as present is connected to `endpoint`.
  func isVisible(at endpoint: EndpointID) -> Bool {
    entries.contains { $0.endpoint == endpoint && $0.kind != .invisible }
  }

  private func index(_ sender: EndpointID, _ endpoint: EndpointID) -> Int? {
    entries.firstIndex { $0.endpoint == endpoint && $0.sender == sender }
  }
}
