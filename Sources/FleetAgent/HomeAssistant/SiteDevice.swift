import CastProtocol
import FleetMessages
import ScenarioLanguage
import Signage

/// A site as a device of Home Assistant: what is wrong with all of it, and the triggers of its playlists.
struct SiteDevice {
  /// More triggers are left to automations that publish.
  static let mostTriggers = 20

  var site: SiteName
  var view: SiteView
  var names: ScreenNames

  var json: JSONObject {
    let components =
      [("status", status), ("alerts", alerts)]
      + triggers.prefix(Self.mostTriggers).flatMap { trigger in
        [
          (trigger.key(.fire), trigger.button(.fire, "mdi:alarm-light", site)),
          (trigger.key(.clear), trigger.button(.clear, "mdi:alarm-light-off", site)),
        ]
      }
    return [
      "dev": [
        "ids": [.string(PlainID.of(site))], "name": .string(site.text), "mf": "Showcaller", "mdl": "Site",
        "sw": .string(view.version),
      ],
      "o": HomeAssistant.origin(view.version),
      "avty": [HomeAssistant.availability(of: site)],
      "stat_t": .string(FleetTopic.health(site).text),
      "cmps": .object(
        JSONObject(
          components.map { key, component in
            var component = component
            component["unique_id"] = .string(PlainID.of(site, "site", key))
            return .init(key, .object(component))
          })),
    ]
  }

  private var status: JSONObject {
    [
      "p": "sensor", "name": "Status", "ic": "mdi:television-guide", "dev_cla": "enum",
      "ops": .array(SiteHealth.Status.allCases.map { .string($0.rawValue) }),
      "val_tpl": "{{ value_json.status if value_json is defined else 'None' }}",
      "json_attr_t": .string(FleetTopic.health(site).text), "json_attr_tpl": "{{ value_json | default({}) | tojson }}",
    ]
  }

  private var alerts: JSONObject {
    [
      "p": "sensor", "name": "Alerts", "ic": "mdi:alert", "stat_cla": "measurement",
      "val_tpl": "{{ value_json.alerts if value_json is defined else 'None' }}",
    ]
  }

  /// A trigger that may be fired from outside.
  private struct Trigger {
    var playlist: String
    var name: String
    /// The topic of a screen of the playlist: an order at any of them is for the trigger of all.
    var level: String

    func key(_ verb: FleetOrder.Verb) -> String {
      [verb.rawValue, PlainID.of(TopicLevel.of(playlist)), PlainID.of(TopicLevel.of(name))]
        .joined(separator: PlainID.separator)
    }

    func button(_ verb: FleetOrder.Verb, _ icon: String, _ site: SiteName) -> JSONObject {
      [
        "p": "button", "name": .string("\(playlist): \(verb.rawValue) \(name)"), "ic": .string(icon),
        "cmd_t": .string(FleetTopic.screenSet(site, screen: level).text),
        "pl_prs": .string(HomeAssistant.payload(.init(verb, trigger: name))),
      ]
    }
  }

  private var triggers: [Trigger] {
    view.playlists.flatMap { playlist -> [Trigger] in
      let plan = playlist.program.plan
      guard let screen = playlist.screens.first,
        let level = names.level(of: .init(playlist: plan.id, screen: screen.name))
      else { return [] }
      return plan.triggers.filter { $0.source == .webhook }
        .map { Trigger(playlist: plan.id, name: $0.name, level: level) }
    }
  }
}
