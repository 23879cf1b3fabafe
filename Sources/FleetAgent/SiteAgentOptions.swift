package import FleetMessages
package import Signage

/// What may be different from one agent to the other.
package struct SiteAgentOptions: Sendable {
  /// What Home Assistant is told, and how its orders are read; `nil`: no plain order is taken.
  package var homeAssistant: HomeAssistantBridge?
  /// Takes lines for the log, about messages that were not obeyed: one in ten seconds at most. They hold words of
  /// strangers, which a terminal must not get as they are.
  package var tell: @Sendable (String) -> Void = { _ in }

  package init() {}
}

/// How a site speaks with Home Assistant, which knows nothing of signatures.
package struct HomeAssistantBridge: Sendable {
  /// What is to be retained besides the site's own topics.
  package var messages: @Sendable (_ view: SiteView, _ site: SiteName, _ names: ScreenNames) -> [BrokerMessage]
  /// Filters of the topics that it retains, so that those of an earlier process are found.
  package var own: [String]
  /// What the last level but one of its topics begins with; others below these filters are somebody else's.
  package var ownObjects: String
  /// Reads what came on a `set` topic; `nil`: it is no order.
  package var order: @Sendable (_ payload: [UInt8]) -> PlainOrder?
  /// The topic on which Home Assistant says `online` when it has started, and waits to be told everything again.
  package var birthTopic: String
  /// How long a site waits after that, so that not all tell at once.
  package var spread: Duration

  package init(
    messages: @escaping @Sendable (SiteView, SiteName, ScreenNames) -> [BrokerMessage], own: [String] = [],
    ownObjects: String = "",
    order: @escaping @Sendable ([UInt8]) -> PlainOrder?, birthTopic: String = "homeassistant/status",
    spread: Duration = .zero
  ) {
    self.messages = messages
    self.own = own
    self.ownObjects = ownObjects
    self.order = order
    self.birthTopic = birthTopic
    self.spread = spread
  }

  /// Whether a topic is one of those that the site retains; `nil`: the site did not ask for it.
  func isOwn(_ topic: String) -> Bool? {
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    let isAskedFor = own.contains { filter in
      let parts = filter.split(separator: "/", omittingEmptySubsequences: false)
      return parts.count == levels.count && zip(parts, levels).allSatisfy { $0 == "+" || $0 == $1 }
    }
    return isAskedFor ? levels.count > 1 && levels[levels.count - 2].hasPrefix(ownObjects) : nil
  }
}

/// An order that nobody signed, for one screen; it cannot show what the documents of the site do not have.
package struct PlainOrder: Hashable, Sendable {
  package var verb: FleetOrder.Verb
  /// Of `play`: an item's id or address.
  package var item: String?
  /// Of `fire` and `clear`: a trigger of the screen's playlist.
  package var trigger: String?

  package init(_ verb: FleetOrder.Verb, item: String? = nil, trigger: String? = nil) {
    self.verb = verb
    self.item = item
    self.trigger = trigger
  }
}
