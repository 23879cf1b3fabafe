/// A connection to an MQTT 5 broker as the rules above it see it: it connects again by itself, with growing waits, and
/// each connection begins without anything of the one before it (MQTT 5.0, 3.1.2.4, clean start).
///
/// Its user has to subscribe, and to publish what is to be retained, after each ``BrokerEvent/connected``.
package protocol BrokerLink: Sendable {
  /// What happens, in its order; one task may read it. It ends after ``close()``.
  ///
  /// Bounded: while nobody reads, nothing more is taken from the network.
  var events: AsyncStream<BrokerEvent> { get }

  /// Sends as soon as there is a connection. While there is none it is dropped, and so is what is too large or more than
  /// the link lets wait.
  /// - Returns: Whether it was taken.
  @discardableResult
  func send(_ command: BrokerCommand) -> Bool

  /// Says goodbye, so that the last will is not published, and ends; at most a second later.
  func close() async
}

/// What the owner of a link asks of it.
package enum BrokerCommand: Hashable, Sendable {
  /// - Parameter id: Comes back in ``BrokerEvent/acknowledged(_:)``; `nil`: nobody waits for that.
  case publish(BrokerMessage, id: Int? = nil)
  /// With the options for what was published by this connection itself, and for what is retained.
  case subscribe(String, Subscription = Subscription())
  case unsubscribe(String)
  /// Ends this connection, and begins another after the wait: the broker does what nobody should.
  case reconnect(after: Duration)

  package struct Subscription: Hashable, Sendable {
    /// Whether what this connection publishes comes back.
    package var includesOwn = false

    package init(includesOwn: Bool = false) { self.includesOwn = includesOwn }
  }
}

/// What happens on a link.
package enum BrokerEvent: Hashable, Sendable {
  case connected
  /// There is no connection; told once until there was one, and again where the reason is another.
  case disconnected(BrokerFailure)
  case message(BrokerMessage)
  /// The broker has a message for good.
  case acknowledged(Int)
  /// The broker did not take a message, and never will: its access list does not let this client publish there, or it has
  /// no room (MQTT 5.0, 3.4.2.1, reasons from 0x80 on).
  case denied(Int)
}

/// Why there is no connection.
package struct BrokerFailure: Error, Hashable, Sendable {
  package enum Code: String, Hashable, Sendable {
    /// No answer, or none at this address.
    case unreachable
    /// The certificate of the broker, or of this site, is not accepted.
    case untrusted
    /// The name or password is wrong, or may not connect.
    case refused
    /// The connection was there and is not any more.
    case lost
    /// It sends more, or larger messages, than anybody should.
    case hostile
    /// This program was built without an MQTT client, or the library is not installed.
    case unavailable
  }

  package var code: Code
  /// A lowercase fragment.
  package var message: String
  package var help: String?

  package init(_ code: Code, _ message: String, help: String? = nil) {
    self.code = code
    self.message = message
    self.help = help
  }
}
