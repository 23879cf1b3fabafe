import CastProtocol

extension IncomingMessage {
  /// As it is decoded where it enters.
  init(_ json: JSONValue, in namespace: Namespace, from source: EndpointID) {
    self.init(CastMessage(source: source, destination: .everyone, namespace: namespace, json: json))
  }
}

extension StatusTracker {
  @discardableResult
  mutating func receive(_ json: JSONValue, namespace: Namespace, from source: EndpointID, at now: Duration) -> Change? {
    receive(IncomingMessage(json, in: namespace, from: source), at: now)
  }
}
