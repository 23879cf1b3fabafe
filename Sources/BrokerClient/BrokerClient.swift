package import FleetMessages

/// The MQTT client of this program.
package enum BrokerClient {
  #if Fleet
    /// Whether this program was built with the trait `Fleet`.
    package static let isBuilt = true
  #else
    /// Whether this program was built with the trait `Fleet`.
    package static let isBuilt = false
  #endif

  /// Begins to connect, and goes on with that by itself.
  /// - Throws: Where there is no client, or a file of the configuration cannot be used.
  package static func connect(_ configuration: BrokerConfiguration) throws(BrokerFailure) -> any BrokerLink {
    #if Fleet
      let loop = try BrokerLoop.shared()
      // Read now only to tell what is wrong with them at once.
      _ = try BrokerTLS.current(for: configuration)
      return loop.open(configuration)
    #else
      throw BrokerFailure(
        .unavailable, "this program was built without an MQTT client",
        help: "build it with `make build FLEET=1`, or install the Debian package")
    #endif
  }
}
