import CastProtocol
import FleetMessages

/// A screen as a device of Home Assistant.
struct ScreenDevice {
  var site: SiteName
  /// The screen in topics.
  var level: String
  /// The screen as people call it.
  var name: String
  var options: ProgramOptions
  var version: String

  /// The message of its discovery: keys are written in short, as Home Assistant's `abbreviations.py` has them.
  var json: JSONObject {
    let components: [(String, JSONObject)] =
      [
        ("on_screen", onScreen), ("dark", dark), ("up", isUp), ("skip", skip), ("pause", pause), ("picture", picture),
        ("event", event),
      ] + (options.names.isEmpty ? [] : [("program", program)])
    return [
      "dev": [
        "ids": [.string(id)], "name": .string("\(site) \(name)"), "mf": "Showcaller", "mdl": "Cast screen",
        "sw": .string(version), "via_device": .string(PlainID.of(site)),
      ],
      "o": HomeAssistant.origin(version),
      "avty": [HomeAssistant.availability(of: site)],
      "stat_t": .string(state), "cmd_t": .string(FleetTopic.screenSet(site, screen: level).text),
      "cmps": .object(
        JSONObject(
          components.map { key, component in
            var component = component
            component["unique_id"] = .string(id + PlainID.separator + key)
            return .init(key, .object(component))
          })),
    ]
  }

  private var id: String { PlainID.of(site, "screen", PlainID.of(level)) }
  private var state: String { FleetTopic.screenState(site, screen: level).text }

  /// What is on; else why nothing is, as a word.
  private var onScreen: JSONObject {
    [
      "p": "sensor", "name": "On screen", "ic": "mdi:television-play",
      "val_tpl": .string(
        "{% set s = value_json | default({}) %}{{ (s.get('title') or s.get('item') or s.get('phase') or 'None')"
          + "[:\(HomeAssistant.longestState)] }}"),
      "json_attr_t": .string(state), "json_attr_tpl": "{{ value_json | default({}) | tojson }}",
    ]
  }

  private var dark: JSONObject {
    ["p": "binary_sensor", "name": "Dark", "dev_cla": "problem", "val_tpl": Self.onOrOff("dark")]
  }

  private var isUp: JSONObject {
    [
      "p": "binary_sensor", "name": "Reachable", "dev_cla": "connectivity", "ent_cat": "diagnostic",
      "val_tpl": Self.onOrOff("up"),
    ]
  }

  private var skip: JSONObject {
    ["p": "button", "name": "Skip", "ic": "mdi:skip-next", "pl_prs": .string(HomeAssistant.payload(.init(.skip)))]
  }

  /// A switch rather than two buttons: it shows how it is, and one press is enough.
  private var pause: JSONObject {
    [
      "p": "switch", "name": "Pause", "ic": "mdi:pause", "pl_on": .string(HomeAssistant.payload(.init(.pause))),
      "pl_off": .string(HomeAssistant.payload(.init(.resume))), "stat_on": "ON", "stat_off": "OFF",
      "val_tpl": Self.onOrOff("paused"),
    ]
  }

  private var program: JSONObject {
    [
      "p": "select", "name": "Program", "ic": "mdi:playlist-play", "ops": .array(options.names.map { .string($0) }),
      "cmd_tpl": #"{"verb":"play","item":{{ value | tojson }}}"#, "val_tpl": .string(options.stateTemplate),
    ]
  }

  /// The address of a picture: Home Assistant fetches it when somebody looks. It is not available where there is none;
  /// the address then is one that leads nowhere (RFC 2606), as Home Assistant takes only addresses.
  private var picture: JSONObject {
    [
      "p": "image", "name": "Picture", "url_t": .string(state),
      "url_tpl": "{{ (value_json | default({})).get('picture') or 'https://none.invalid/' }}",
      "avty": [
        HomeAssistant.availability(of: site),
        [
          "t": .string(state),
          "val_tpl": "{{ 'online' if (value_json | default({})).get('picture') else 'offline' }}",
        ],
      ], "avty_mode": "all",
    ]
  }

  private var event: JSONObject {
    [
      "p": "event", "name": "Event", "evt_typ": .array(ScreenNews.Kind.allCases.map { .string($0.rawValue) }),
      "stat_t": .string(FleetTopic.screenEvent(site, screen: level).text),
    ]
  }

  /// A member of the report that says yes or no; unknown while there is no report.
  private static func onOrOff(_ member: String) -> JSONValue {
    .string("{{ ('ON' if value_json.\(member) else 'OFF') if value_json is defined else 'None' }}")
  }
}
