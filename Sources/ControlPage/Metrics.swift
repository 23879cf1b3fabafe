import ScenarioLanguage
package import Signage

/// The text format of Prometheus, with its naming rules: base units, `_total`, `_info`, and no address as a label.
package enum Metrics {
  package static let type = "text/plain; version=0.0.4; charset=utf-8"

  /// What a scrape gets.
  package static func text(_ view: SiteView) -> String {
    var text = MetricsText()
    text.family("build_info", .gauge, "The version that serves.", [([("version", view.version)], 1)])
    let served = view.playlists.map { playlist -> MetricsText.Sample in
      let plan = playlist.program.plan
      let isInvalid = view.invalid.contains { $0.isServed && $0.file == plan.file }
      return ([("playlist", plan.id), ("file", plan.file)], isInvalid ? 0 : 1)
    }
    let missing = view.invalid.filter { !$0.isServed }.map { ([("playlist", ""), ("file", $0.file)], 0.0) }
    text.family("playlist_valid", .gauge, "Whether the file of a playlist is valid as it is now.", served + missing)
    screens(view, in: &text)
    plays(view, in: &text)
    lateness(view, in: &text)
    text.family(
      "trigger_fired", .gauge, "Whether a trigger is fired.",
      view.playlists.flatMap { playlist in
        playlist.program.plan.triggers.map { trigger in
          (
            [("playlist", playlist.program.plan.id), ("trigger", trigger.name)],
            playlist.fired[trigger.name] == nil ? 0 : 1
          )
        }
      })
    return text.text
  }

  private static func screens(_ view: SiteView, in text: inout MetricsText) {
    func each(_ value: (ScreenState) -> Double?) -> [MetricsText.Sample] {
      view.playlists.flatMap { playlist in
        playlist.screens.compactMap { screen in
          value(screen).map { (labels(playlist, screen.name), $0) }
        }
      }
    }
    text.family("screen_up", .gauge, "Whether the device of a screen can be reached.", each { $0.isReachable ? 1 : 0 })
    text.family(
      "screen_playing", .gauge, "Whether a screen shows an item of its playlist.", each { $0.phase == .showing ? 1 : 0 }
    )
    text.family(
      "screen_paused", .gauge, "Whether somebody paused the program of a screen.", each { $0.isPaused ? 1 : 0 })
    text.family("reconnects_total", .counter, "How often a lost device came back.", each { Double($0.reconnects) })
    text.family("load_failures_total", .counter, "How often an item would not load.", each { Double($0.loadFailures) })
    text.family(
      "last_status_timestamp_seconds", .gauge, "When a receiver sent its last status, as Unix time.", each(\.heard))
  }

  private static func plays(_ view: SiteView, in text: inout MetricsText) {
    text.family(
      "plays_total", .counter, "How often an item was shown, by why it ended.",
      view.playlists.flatMap { playlist in
        playlist.meter.plays.sorted { $0.key < $1.key }.map { play, count in
          (labels(playlist, play.screen) + [("item", play.item), ("end_reason", play.end.rawValue)], Double(count))
        }
      })
    text.family(
      "shown_seconds_total", .counter, "For how long receivers said that items of the playlist were on.",
      view.playlists.flatMap { playlist in
        playlist.meter.shown.sorted { $0.key < $1.key }.map { (labels(playlist, $0.key), $0.value) }
      })
    text.family(
      "dark_seconds_total", .counter, "For how long nothing of the playlist was seen, by why.",
      view.playlists.flatMap { playlist in
        playlist.meter.dark.sorted { $0.key < $1.key }.map { dark, seconds in
          (labels(playlist, dark.screen) + [("reason", dark.reason)], seconds)
        }
      })
  }

  private static func lateness(_ view: SiteView, in text: inout MetricsText) {
    text.histogram(
      "item_lateness_seconds", "How long after the moment of an item the receiver said that it plays.",
      bounds: PlayMeter.Lateness.bounds,
      view.playlists.flatMap { playlist in
        playlist.meter.lateness.sorted { $0.key < $1.key }.map { screen, lateness in
          (labels(playlist, screen), lateness.counts, lateness.sum)
        }
      })
  }

  private static func labels(_ playlist: SiteView.Playlist, _ screen: String) -> [(String, String)] {
    [("playlist", playlist.program.plan.id), ("screen", screen)]
  }
}
