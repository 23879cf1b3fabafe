package import CastProtocol
import ScenarioLanguage
package import Signage

/// What the control page tells of screens: pure views of what they have told.
package struct ControlView: Sendable {
  /// A playlist that is served, and what is known of it.
  package struct Playlist: Sendable {
    package var program: Program
    package var screens: [ScreenState]
    /// Since which Unix time triggers are fired.
    package var fired: [String: Double]
    /// What `notify` could not tell, the newest last.
    package var untold: [Untold] = []

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

  package var playlists: [Playlist]
  /// Unix time.
  package var time: Double
  package var version: String

  package init(playlists: [Playlist], time: Double, version: String) {
    self.playlists = playlists
    self.time = time
    self.version = version
  }

  // MARK: JSON

  /// Everything, with Home Assistant's names for what it knows of players.
  package var json: JSONValue {
    [
      "v": 1, "time": JSONValue(time),
      "playlists": .array(playlists.enumerated().map { number, playlist in json(playlist, number) }),
    ]
  }

  private func json(_ playlist: Playlist, _ number: Int) -> JSONValue {
    let (plan, moment) = (playlist.program.plan, Int(time.rounded(.down)))
    let decision = playlist.program.decision(at: moment)
    var object: JSONObject = [
      "number": .int(number), "id": .string(plan.id), "title": .string(plan.title), "file": .string(plan.file),
      "decided_by": .string(decision.decidedBy.part), "line": .int(decision.decidedBy.line),
    ]
    object["next_change"] = playlist.program.nextChange(after: moment).map { .int($0.at) } ?? .null
    object["items"] = .array(plan.allItems.map(\.name).uniqued.map { .string($0) })
    object["triggers"] = .array(
      plan.triggers.map { trigger in
        var entry: JSONObject = ["name": .string(trigger.name), "webhook": .bool(trigger.source == .webhook)]
        entry["fired_since"] = playlist.fired[trigger.name].map { JSONValue($0) } ?? .null
        return .object(entry)
      })
    object["screens"] = .array(playlist.screens.map { json($0) })
    return .object(object)
  }

  private func json(_ screen: ScreenState) -> JSONValue {
    var object: JSONObject = [
      "name": .string(screen.name), "state": .string(screen.mediaPlayerState), "phase": .string(screen.phaseWord),
      "since": JSONValue(screen.since), "paused": .bool(screen.isPaused), "dark": .bool(screen.isDark),
      "reconnects": .int(screen.reconnects), "load_failures": .int(screen.loadFailures),
      "last_heard": JSONValue(screen.heard),
    ]
    object["device"] = screen.device.map { .string($0) } ?? .null
    object["address"] = screen.address.map { .string($0) } ?? .null
    object["why"] = screen.why.map { .string($0) } ?? .null
    if screen.phase == .showing, let showing = screen.showing {
      let media = showing.item.media
      object["media_content_id"] = .string(showing.name)
      object["media_title"] = .string(media.metadata?["title"]?.string ?? showing.name)
      object["media_content_type"] = media.contentType.map { .string($0) } ?? .null
      object["media_duration"] = (showing.length?.seconds ?? media.duration).map { JSONValue($0) } ?? .null
      object["media_position"] = JSONValue(max(0, time - screen.since))
      object["media_position_updated_at"] = JSONValue(time)
      object["entity_picture"] = Self.picture(of: showing).map { .string($0) } ?? .null
      object["decided_by"] = .string(showing.decidedBy)
      object["line"] = .int(showing.item.span.line)
    }
    object["problems"] = .array(
      screen.problems.reversed().map { ["time": JSONValue($0.time), "text": .string($0.text)] })
    return .object(object)
  }

  /// An address of a picture of what is on; secrets have no place in it.
  private static func picture(of showing: Showing) -> String? {
    let own = showing.isStill ? showing.content : nil
    let images = showing.item.media.metadata?["images"]?.array ?? []
    // The smallest that is large enough for a card.
    let sized = images.compactMap { image -> (width: Int, url: String)? in
      image["url"]?.string.map { (image["width"]?.int ?? 0, $0) }
    }.sorted { $0.width < $1.width }
    let url = (sized.first { $0.width >= 320 } ?? sized.last)?.url ?? own
    return url.flatMap { $0.hasPrefix("http") && !SecretPlaceholder.occurs(in: $0) ? $0 : nil }
  }

  // MARK: health

  /// Whether nothing is wrong, and what is.
  package var health: (isWell: Bool, json: JSONValue) {
    let dark = playlists.flatMap { playlist -> [JSONValue] in
      let decision = playlist.program.decision(at: Int(time.rounded(.down)))
      if case .quiet = decision.content { return [] }
      return playlist.screens.filter(\.isDark).map { screen in
        [
          "playlist": .string(playlist.program.plan.id), "screen": .string(screen.name),
          "why": .string(screen.why ?? ""), "since": JSONValue(screen.since),
        ]
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
    return (
      dark.isEmpty, ["status": dark.isEmpty ? "ok" : "dark", "dark": .array(dark), "untold": .array(untold)]
    )
  }
}

extension ScreenState {
  /// A state of Home Assistant's media players.
  package var mediaPlayerState: String {
    switch phase {
    case .showing: "playing"
    case .resting: "standby"
    case .nothing, .yielded: "idle"
    case .dark: "off"
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

extension [String] {
  /// Each once, in their order.
  fileprivate var uniqued: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
