/// What a message about a failure may say, on any namespace. Source: docs/protocol.md 3.4, 3.5, 4.3.
package struct ReportedFault: Hashable, Sendable {
  /// See ``DetailedErrorCode``.
  package var detailedErrorCode: Int?
  package var reason: String?
  /// Where a person refused a launch.
  package var extendedError: String?
  /// The queue item it is about.
  package var itemID: Int?
  package var severity: Int?
  package var customData: JSONValue?

  package init(
    detailedErrorCode: Int? = nil, reason: String? = nil, extendedError: String? = nil, itemID: Int? = nil
  ) {
    self.detailedErrorCode = detailedErrorCode
    self.reason = reason
    self.extendedError = extendedError
    self.itemID = itemID
  }

  init(_ object: JSONObject) {
    detailedErrorCode = object["detailedErrorCode"]?.lenientInteger
    reason = object["reason"]?.lenientText
    extendedError = object["extendedError"]?.lenientText
    itemID = object["itemId"]?.lenientInteger
    severity = object["severity"]?.lenientInteger
    customData = object["customData"]?.unlessNull
  }
}
