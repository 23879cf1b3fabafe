import CastProtocol
package import FleetMessages
import ScenarioLanguage
package import Signage

/// A site's screens as devices of Home Assistant, by its MQTT discovery of devices
/// (home-assistant.io/integrations/mqtt, "Device discovery payload").
package enum HomeAssistant {
  /// The first level of its topics, unless its user has set another.
  package static let usualPrefix = "homeassistant"
  /// Home Assistant takes a longer state for none (`MAX_LENGTH_STATE_STATE`), in Unicode scalars.
  static let longestState = 255

  /// What is to be retained so that Home Assistant has a device for the site and one for each screen. It is the same as
  /// long as playlists, screens and their names are.
  package static func messages(
    for view: SiteView, site: SiteName, names: ScreenNames, prefix: String = usualPrefix
  ) -> [BrokerMessage] {
    // A screen is a device behind the site, of which Home Assistant is to know first: topics go in the order of their names.
    var messages = [
      message(
        SiteDevice(site: site, view: view, names: names).json, site: site, object: "\(ownObjects)all", prefix: prefix)
    ]
    for playlist in view.playlists {
      let options = ProgramOptions(of: playlist.program.plan)
      for screen in playlist.screens {
        let place = ScreenNames.Screen(playlist: playlist.program.plan.id, screen: screen.name)
        guard let level = names.level(of: place) else { continue }
        // Where two playlists have a screen of one name, it is called by both.
        let isAlone = level == TopicLevel.of(screen.name)
        let device = ScreenDevice(
          site: site, level: level, name: isAlone ? screen.name : "\(place.playlist) \(screen.name)",
          options: options, version: view.version)
        messages.append(
          message(device.json, site: site, object: "\(ownObjects)screen_-\(PlainID.of(level))", prefix: prefix))
      }
    }
    return messages
  }

  /// What the objects of a site are called, so that those of other programs are told from them.
  package static let ownObjects = "showcaller-"

  /// The filter of all that a site retains for Home Assistant: what is there and not told any more is removed.
  ///
  /// The site's name is a level of its own, so that a broker's access list can name it (Mosquitto's `%u`).
  package static func ownTopics(of site: SiteName, prefix: String = usualPrefix) -> String {
    "\(prefix)/device/\(PlainID.of(site.text))/+/config"
  }

  /// The topic on which Home Assistant says `online` when it has started.
  package static func birthTopic(prefix: String = usualPrefix) -> String { "\(prefix)/status" }

  /// How long a site waits after a birth message, at most 5 s: always the same, and another for each site, so that they
  /// do not all tell at once.
  package static func spread(of site: SiteName) -> Duration {
    // FNV-1a, folded: it need only tell names apart.
    let hash = site.text.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return .milliseconds(Int((hash ^ (hash >> 16)) % 5_000))
  }

  /// The origin of the messages, for Home Assistant's log.
  static func origin(_ version: String) -> JSONValue { ["name": "Showcaller", "sw": .string(version)] }

  /// `online` and `offline` there are what Home Assistant expects unless it is told otherwise.
  static func availability(of site: SiteName) -> JSONValue { ["t": .string(FleetTopic.availability(site).text)] }

  private static func message(_ json: JSONObject, site: SiteName, object: String, prefix: String) -> BrokerMessage {
    BrokerMessage(
      "\(prefix)/device/\(PlainID.of(site.text))/\(object)/config", Array(JSONValue.object(json).serialized().utf8),
      isRetained: true)
  }
}
