import ScenarioLanguage
import Signage

/// The text format of Prometheus, with its naming rules: base units, `_total`, `_info`, and no address as a label.
package enum Metrics {
  package static let type = "text/plain; version=0.0.4; charset=utf-8"

  /// What a scrape gets.
  package static func text(_ view: ControlView) -> String {
    var text = ""
    func family(
      _ name: String, _ type: String, _ help: String, _ samples: [(labels: [(String, String)], value: Double)]
    ) {
      guard !samples.isEmpty else { return }
      text += "# HELP showcaller_\(name) \(help)\n# TYPE showcaller_\(name) \(type)\n"
      for sample in samples {
        let labels = sample.labels.map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",")
        text += "showcaller_\(name){\(labels)} \(number(sample.value))\n"
      }
    }
    func screens(_ value: (ScreenState) -> Double) -> [(labels: [(String, String)], value: Double)] {
      view.playlists.flatMap { playlist in
        playlist.screens.map { screen in
          ([("playlist", playlist.program.plan.id), ("screen", screen.name)], value(screen))
        }
      }
    }
    family("build_info", "gauge", "The version that serves.", [([("version", view.version)], 1)])
    family(
      "screen_up", "gauge", "Whether the device of a screen answers.", screens { $0.isDark ? 0 : 1 })
    family(
      "screen_playing", "gauge", "Whether a screen shows an item of its playlist.",
      screens { $0.phase == .showing ? 1 : 0 })
    family(
      "screen_paused", "gauge", "Whether somebody paused the program of a screen.", screens { $0.isPaused ? 1 : 0 })
    family("reconnects_total", "counter", "How often a lost device came back.", screens { Double($0.reconnects) })
    family("load_failures_total", "counter", "How often an item would not load.", screens { Double($0.loadFailures) })
    family(
      "last_status_timestamp_seconds", "gauge", "When a screen was heard of last, as Unix time.", screens(\.heard))
    family(
      "trigger_fired", "gauge", "Whether a trigger is fired.",
      view.playlists.flatMap { playlist in
        playlist.program.plan.triggers.map { trigger in
          (
            [("playlist", playlist.program.plan.id), ("trigger", trigger.name)],
            playlist.fired[trigger.name] == nil ? 0 : 1
          )
        }
      })
    return text
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
  }

  private static func escaped(_ text: String) -> String {
    text.map { character in
      switch character {
      case "\\": "\\\\"
      case "\"": "\\\""
      case "\n", "\r\n", "\r": "\\n"
      default: String(character)
      }
    }.joined()
  }
}
