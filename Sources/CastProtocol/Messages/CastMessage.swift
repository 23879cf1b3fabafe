/// One message of a Cast channel: what a frame carries.
///
/// Source: docs/protocol.md 1.3. The protobuf form is an implementation detail of ``encoded()`` and
/// ``init(decoding:)``.
package struct CastMessage: Hashable, Sendable {
  /// Text (nearly always JSON) or bytes (device authentication, some app channels).
  package enum Payload: Hashable, Sendable {
    case text(String)
    case binary([UInt8])
  }

  package var source: EndpointID
  package var destination: EndpointID
  package var namespace: Namespace
  package var payload: Payload

  package init(source: EndpointID, destination: EndpointID, namespace: Namespace, payload: Payload) {
    self.source = source
    self.destination = destination
    self.namespace = namespace
    self.payload = payload
  }

  /// A message that carries `json` as text.
  package init(source: EndpointID, destination: EndpointID, namespace: Namespace, json: JSONValue) {
    self.init(source: source, destination: destination, namespace: namespace, payload: .text(json.serialized()))
  }
}
