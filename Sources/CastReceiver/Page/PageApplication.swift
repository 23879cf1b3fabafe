import CastProtocol

/// A receiver page that runs as an app: what it said of itself, and what it was told.
struct PageApplication: Hashable, Sendable {
  /// Those it listens on.
  var namespaces: [Namespace]
  var statusText: String?
  /// The device state sent last; `nil` just after the page opened its channel, when all of it has to be sent.
  var told: Told?

  init(namespaces: [Namespace], statusText: String?) {
    self.namespaces = namespaces
    self.statusText = statusText
  }

  struct Told: Hashable, Sendable {
    var volume: DeviceVolume
    var display: ReceiverDisplay
    var senders: [Sender]
  }

  struct Sender: Hashable, Sendable {
    var id: PageSenderID
    var userAgent: String?
  }
}

/// Whether somebody can see what a device shows.
package struct ReceiverDisplay: Hashable, Sendable {
  /// Whether the television shows this device's input.
  package var isActiveInput = true
  package var isStandby = false

  package init(isActiveInput: Bool = true, isStandby: Bool = false) {
    self.isActiveInput = isActiveInput
    self.isStandby = isStandby
  }
}
