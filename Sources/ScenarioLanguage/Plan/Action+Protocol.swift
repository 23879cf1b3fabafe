package import CastProtocol

/// What the verbs that speak to apps, to other devices and to web servers say (docs/language/steps.md "The protocol").
extension Plan {
  package struct TransferAction: Codable, Hashable, Sendable {
    package enum Target: Codable, Hashable, Sendable {
      case role(String)
      case device(DeviceSelector)
    }
    package var target: Target
    package var stopsSource = true

    package init(target: Target) { self.target = target }
  }

  package struct SendAction: Codable, Hashable, Sendable {
    package enum Destination: String, Codable, Hashable, Sendable { case app, receiver }
    /// What is no JSON.
    package enum Payload: Codable, Hashable, Sendable {
      case text(String)
      case bytes([UInt8])
    }
    package var namespace: String
    package var message: JSONValue
    /// Sent instead of `message`; documents have no words for it.
    package var payload: Payload?
    /// Whether an app that offers the namespace is waited for; documents launch one.
    package var waitsForApp = false
    package var destination = Destination.app
    /// `nil`: sent is done.
    package var reply: MessagePattern?

    package init(namespace: String, message: JSONValue) {
      self.namespace = namespace
      self.message = message
    }
  }

  /// What the members of a message must be; all of them must hold.
  package struct MessagePattern: Codable, Hashable, Sendable {
    /// Its paths are names of members from the outside in; numbers count a list's elements from 0.
    package var condition: Condition

    package init(_ condition: Condition) { self.condition = condition }
  }

  package struct MessageAction: Codable, Hashable, Sendable {
    package var namespace: String
    package var pattern: MessagePattern
    package var within: Duration
    /// As of ``SequenceAction``.
    package var since: String?
    package var because: String?

    package init(namespace: String, pattern: MessagePattern, within: Duration) {
      self.namespace = namespace
      self.pattern = pattern
      self.within = within
    }
  }

  package struct TogetherAction: Codable, Hashable, Sendable {
    package var roles: [String]
    package var condition: Condition
    /// How far apart the devices may enter it; `nil`: any distance.
    package var skew: Duration?
    package var within: Duration
    package var because: String?

    package init(roles: [String], condition: Condition, within: Duration) {
      self.roles = roles
      self.condition = condition
      self.within = within
    }
  }

  package struct ProbeAction: Codable, Hashable, Sendable {
    /// What is fetched: the media, then its text tracks and clips where `tracks` says so.
    package var urls: [String]
    package var looksAtCORS = true
    package var asksForRange = true

    package init(urls: [String]) { self.urls = urls }
  }
}
