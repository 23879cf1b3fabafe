import Logging

/// What the log lines of this layer are labelled with.
package enum TransportLog: String, CaseIterable, Sendable {
  case tls = "transport.tls"
  case discovery = "transport.discovery"

  var logger: Logger { Logger(label: rawValue) }
}
