package import CastProtocol
import ScenarioLanguage

/// What is known of all that one process serves: pure views of what its screens have told.
package struct SiteView: Sendable {
  /// A playlist that is served, and what is known of it.
  package struct Playlist: Sendable {
    package var program: Program
    package var screens: [ScreenState]
    /// Since which Unix time triggers are fired.
    package var fired: [String: Double]
    /// What `notify` could not tell, the newest last.
    package var untold: [Untold] = []
    /// What the receivers said last, by screen.
    package var sights: [String: ScreenSight] = [:]
    package var meter = PlayMeter()
    /// What is wrong now, the oldest first.
    package var incidents: [OpenIncident] = []

    package init(program: Program, screens: [ScreenState], fired: [String: Double]) {
      self.program = program
      self.screens = screens
      self.fired = fired
    }
  }

  /// A message that nobody could be told.
  package struct Untold: Hashable, Sendable {
    /// Unix time.
    package var time: Double
    package var text: String
    package var why: String

    package init(time: Double, text: String, why: String) {
      self.time = time
      self.text = text
      self.why = why
    }
  }

  /// Something that is wrong and not over yet.
  package struct OpenIncident: Hashable, Sendable {
    package var incident: Incident
    /// Unix time.
    package var since: Double
    package var detail: String

    package init(_ incident: Incident, since: Double, detail: String) {
      self.incident = incident
      self.since = since
      self.detail = detail
    }
  }

  /// A file that is not valid as it is now.
  package struct Invalid: Hashable, Sendable {
    package var file: String
    package var why: String
    /// Whether its screens go on with an earlier edition.
    package var isServed: Bool

    package init(file: String, why: String, isServed: Bool) {
      self.file = file
      self.why = why
      self.isServed = isServed
    }

    var json: JSONValue { ["file": .string(file), "why": .string(why), "served": .bool(isServed)] }
  }

  package var playlists: [Playlist]
  /// What is wrong with files of playlists, served or not.
  package var invalid: [Invalid] = []
  /// Unix time.
  package var time: Double
  package var version: String
  /// Where the page has a picture of something; `nil`: nowhere.
  package var art: @Sendable (ArtAddress) -> String? = { _ in nil }

  package init(playlists: [Playlist], time: Double, version: String) {
    self.playlists = playlists
    self.time = time
    self.version = version
  }

  /// Whether nothing is wrong, and what is: a screen is dark that should not be, a playlist is not
  /// served, or nothing is known of a screen yet.
  package var health: (isWell: Bool, json: JSONValue) {
    var (dark, starting): ([JSONValue], [JSONValue]) = ([], [])
    for playlist in playlists {
      if case .quiet = playlist.program.decision(at: Int(time.rounded(.down))).content { continue }
      let id = JSONValue.string(playlist.program.plan.id)
      if playlist.screens.isEmpty { starting.append(["playlist": id]) }
      for screen in playlist.screens where screen.isDark {
        if screen.hasBegun {
          dark.append([
            "playlist": id, "screen": .string(screen.name), "why": .string(screen.why ?? ""),
            "since": JSONValue(screen.since),
          ])
        } else {
          starting.append(["playlist": id, "screen": .string(screen.name)])
        }
      }
    }
    let untold = playlists.flatMap { playlist in
      playlist.untold.map { message -> JSONValue in
        [
          "playlist": .string(playlist.program.plan.id), "text": .string(message.text), "why": .string(message.why),
          "time": JSONValue(message.time),
        ]
      }
    }
    let isMissing = invalid.contains { !$0.isServed }
    let status = !dark.isEmpty ? "dark" : isMissing ? "invalid" : !starting.isEmpty ? "starting" : "ok"
    return (
      status == "ok",
      [
        "status": .string(status), "dark": .array(dark), "starting": .array(starting), "untold": .array(untold),
        "invalid": .array(invalid.map(\.json)),
      ]
    )
  }
}

extension ScreenState {
  /// A state of Home Assistant's media players.
  /// - Parameter sight: What the receiver said last; `nil`: nothing is known of that.
  package func mediaPlayerState(_ sight: ScreenSight?) -> String {
    switch phase {
    // A still that is on may count as paused.
    case .showing: Self.word(sight?.player, isStill: showing?.isStill ?? false) ?? "playing"
    case .yielded: Self.word(sight?.player, isStill: false) ?? "idle"
    case .resting: "standby"
    case .nothing: "idle"
    case .dark: isReachable ? "idle" : "off"
    }
  }

  private static func word(_ phase: PlayerSight.Phase?, isStill: Bool) -> String? {
    switch phase {
    case .playing?: "playing"
    case .paused?: isStill ? "playing" : "paused"
    case .buffering?, .loading?: "buffering"
    case .idle?: "idle"
    case nil: nil
    }
  }

  package var phaseWord: String {
    switch phase {
    case .showing: "showing"
    case .resting: "resting"
    case .nothing: "nothing"
    case .yielded: "yielded"
    case .dark: "dark"
    }
  }

  /// Why it does not show its program; `nil`: it does.
  package var why: String? {
    switch phase {
    case .showing: nil
    case .resting: "quiet hours"
    case .nothing: "no rule is on, and there is no fallback"
    case .yielded(let app): "\(app) has the screen"
    case .dark(let why): why
    }
  }
}
