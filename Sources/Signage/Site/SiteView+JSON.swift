package import CastProtocol
import ScenarioLanguage

extension SiteView {
  /// Everything, with Home Assistant's names for what it knows of players.
  package var json: JSONValue {
    [
      "v": 1, "time": JSONValue(time), "status": health.json["status"] ?? .null,
      "invalid": .array(invalid.map(\.json)), "playlists": .array(playlists.map { json($0) }),
    ]
  }

  private func json(_ playlist: Playlist) -> JSONValue {
    let (plan, moment) = (playlist.program.plan, Int(time.rounded(.down)))
    let decision = playlist.program.decision(at: moment)
    var object: JSONObject = [
      "id": .string(plan.id), "title": .string(plan.title), "file": .string(plan.file),
      "decided_by": .string(decision.decidedBy.part), "line": .int(decision.decidedBy.line),
    ]
    object["next_change"] = playlist.program.nextChange(after: moment).map { .int($0.at) } ?? .null
    object["timezone"] = plan.timeZone.map { .string($0) } ?? .null
    object["items"] = .array(plan.allItems.map(\.name).uniqued.map { .string($0) })
    object["triggers"] = .array(
      plan.triggers.map { trigger in
        var entry: JSONObject = ["name": .string(trigger.name), "webhook": .bool(trigger.source == .webhook)]
        entry["fired_since"] = playlist.fired[trigger.name].map { JSONValue($0) } ?? .null
        return .object(entry)
      })
    object["screens"] = .array(playlist.screens.map { json($0, playlist.sights[$0.name], of: plan.file) })
    return .object(object)
  }

  private func json(_ screen: ScreenState, _ sight: ScreenSight?, of document: String) -> JSONValue {
    var object: JSONObject = [
      "name": .string(screen.name), "state": .string(screen.mediaPlayerState(sight)),
      "phase": .string(screen.phaseWord), "since": JSONValue(screen.since), "paused": .bool(screen.isPaused),
      "dark": .bool(screen.isDark), "up": .bool(screen.isReachable), "reconnects": .int(screen.reconnects),
      "load_failures": .int(screen.loadFailures),
    ]
    object["last_heard"] = screen.heard.map { JSONValue($0) } ?? .null
    object["device"] = screen.device.map { .string($0) } ?? .null
    object["address"] = screen.address.map { .string($0) } ?? .null
    object["why"] = screen.why.map { .string($0) } ?? .null
    object["volume_level"] = sight?.volume.map { JSONValue($0) } ?? .null
    object["is_volume_muted"] = sight?.isMuted.map { .bool($0) } ?? .null
    object["app_id"] = sight?.app.map { .string($0.id) } ?? .null
    object["app_name"] = sight?.app.map { .string($0.name) } ?? .null
    if screen.phase == .showing, let showing = sight?.showing ?? screen.showing {
      if let since = sight?.since { object["since"] = JSONValue(since) }
      for member in Self.media(showing).members { object[member.name] = member.value }
      let duration = showing.length?.seconds ?? sight?.duration ?? showing.item.media.duration
      object["media_duration"] = duration.map { JSONValue($0) } ?? .null
      object["media_position"] = sight?.position.map { JSONValue($0) } ?? .null
      object["media_position_updated_at"] = sight?.positionTime.map { JSONValue($0) } ?? .null
      object["entity_picture"] = ArtAddress(of: showing, in: document).flatMap(art).map { .string($0) } ?? .null
      object["decided_by"] = .string(showing.decidedBy)
      object["line"] = .int(showing.item.span.line)
    }
    object["next"] =
      sight?.next.map { next in
        var object = Self.media(next.showing)
        object["at"] = JSONValue(next.time)
        object["decided_by"] = .string(next.showing.decidedBy)
        object["line"] = .int(next.showing.item.span.line)
        return .object(object)
      } ?? .null
    object["problems"] = .array(
      screen.problems.reversed().map { ["time": JSONValue($0.time), "text": .string($0.text)] })
    return .object(object)
  }

  private static func media(_ showing: Showing) -> JSONObject {
    var object: JSONObject = [
      "media_content_id": .string(showing.name),
      "media_title": .string(showing.item.media.metadata?["title"]?.string ?? showing.name),
    ]
    object["media_content_type"] = showing.item.media.contentType.map { .string($0) } ?? .null
    return object
  }
}
