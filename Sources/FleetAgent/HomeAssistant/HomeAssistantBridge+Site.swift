package import FleetMessages
import ScenarioLanguage
import Signage
import Synchronization

extension HomeAssistantBridge {
  /// What a site's agent needs to be there for Home Assistant.
  /// - Parameter prefix: The first level of Home Assistant's topics, where its user has set another.
  package init(of site: SiteName, prefix: String = HomeAssistant.usualPrefix) {
    let last = LastMessages()
    self.init(
      messages: { view, site, names in
        last.of(LastMessages.Key(view, names)) {
          HomeAssistant.messages(for: view, site: site, names: names, prefix: prefix)
        }
      },
      own: [HomeAssistant.ownTopics(of: site, prefix: prefix)], ownObjects: HomeAssistant.ownObjects,
      order: HomeAssistant.order,
      birthTopic: HomeAssistant.birthTopic(prefix: prefix), spread: HomeAssistant.spread(of: site))
  }
}

/// The messages of the last look: what they are made of hardly ever changes, and a site is looked at with each change of
/// a screen.
private final class LastMessages: Sendable {
  /// All that messages depend on.
  struct Key: Hashable {
    private var version: String
    private var plans: [PlaylistPlan]
    private var screens: [[String]]
    private var names: ScreenNames

    init(_ view: SiteView, _ names: ScreenNames) {
      version = view.version
      plans = view.playlists.map(\.program.plan)
      screens = view.playlists.map { $0.screens.map(\.name) }
      self.names = names
    }
  }

  private let last = Mutex<(key: Key, messages: [BrokerMessage])?>(nil)

  func of(_ key: Key, make: () -> [BrokerMessage]) -> [BrokerMessage] {
    if let messages = last.withLock({ $0?.key == key ? $0?.messages : nil }) { return messages }
    let messages = make()
    last.withLock { $0 = (key, messages) }
    return messages
  }
}
