/// What STORE_SESSION returns and RESUME_SESSION takes: a session to go on with on another device.
///
/// Kept as it came, because it belongs to the app that made it. Source: docs/protocol.md 3.7 and 4.3.
package struct SessionState: Hashable, Sendable {
  package var json: JSONObject

  package init(_ json: JSONObject) { self.json = json }

  /// A state that loads `request`.
  package init(loading request: LoadRequest, customData: JSONValue? = nil) {
    var object: JSONObject = ["loadRequestData": .object(request.json)]
    object.append("customData", customData)
    json = object
  }

  /// What would be loaded; `nil` where the app says it in a way of its own.
  package var load: LoadRequest? { json["loadRequestData"].flatMap { LoadRequest($0) } }
  package var customData: JSONValue? { json["customData"]?.unlessNull }
}
