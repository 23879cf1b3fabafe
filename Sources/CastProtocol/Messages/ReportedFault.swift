/// What a message about a failure may say, on any namespace. Source: docs/protocol.md 3.4, 3.5, 4.3.
package struct ReportedFault: Hashable, Sendable {
  /// See ``DetailedErrorCode``.
  package var detailedErrorCode: Int?
  package var reason: String?
  /// Where a person refused a launch.
  package var extendedError: String?

  package init(detailedErrorCode: Int? = nil, reason: String? = nil, extendedError: String? = nil) {
    self.detailedErrorCode = detailedErrorCode
    self.reason = reason
    self.extendedError = extendedError
  }

  init(_ object: JSONObject) {
    detailedErrorCode = object["detailedErrorCode"]?.lenientInteger
    reason = object["reason"]?.lenientText
    extendedError = object["extendedError"]?.lenientText
  }
}
