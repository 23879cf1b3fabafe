package import CastProtocol

/// Why a device did not do what it was asked.
package struct ClientError: Error, Hashable, Sendable {
  /// The closed list of docs/runs.md "Error classes", as far as a client can tell.
  package enum Class: String, Hashable, Sendable, CaseIterable {
    case unreachable
    case connectionLost = "connection_lost"
    case tls
    case `protocol`
    case auth
    case timeout
    case launchFailed = "launch_failed"
    case launchCancelled = "launch_cancelled"
    case appGone = "app_gone"
    case takenOver = "taken_over"
    case loadFailed = "load_failed"
    case loadCancelled = "load_cancelled"
    case mediaError = "media_error"
    case invalidRequest = "invalid_request"
    case invalidState = "invalid_state"
    case refusedLocally = "refused_locally"
  }

  package var `class`: Class
  /// A lowercase fragment, in the words of the wire where it has some: `LOAD_FAILED 104 MEDIA_SRC_NOT_SUPPORTED`.
  package var message: String
  /// The reply that says so, as received.
  package var wire: JSONValue?
  /// What the user can do about it.
  package var help: String?

  package init(_ class: Class, _ message: String, wire: JSONValue? = nil, help: String? = nil) {
    self.class = `class`
    self.message = message
    self.wire = wire
    self.help = help
  }
}
