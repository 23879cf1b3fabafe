package import CastClient
package import CastProtocol
import RunReporting
import ScenarioLanguage

/// A device's state after a command: in a line for people, as an object for programs.
package struct DeviceState: Sendable {
  /// Another device that the command had to do with.
  package struct Other: Sendable {
    package let device: FoundDevice
    package let view: StatusView

    package init(device: FoundDevice, view: StatusView) {
      self.device = device
      self.view = view
    }
  }

  package let device: FoundDevice
  package let view: StatusView
  /// All items of its queue, where they were asked for.
  package var queue: [QueueItem]?
  package var other: Other?
  /// What apps said on namespaces of their own, oldest first, as far as it is remembered.
  package var messages: [Observation] = []

  package init(device: FoundDevice, view: StatusView) {
    self.device = device
    self.view = view
  }

  /// `Lobby TV: playing Sintel, 1:05 of 10:00, Default Media Receiver, volume 40%`
  package var line: String {
    var parts: [String] = []
    let app = view.snapshot.receiver?.application
    if let app, !app.isIdleScreen {
      parts += media
      parts.append(app.displayName.isEmpty ? app.appID : app.displayName)
    } else {
      parts.append("no app is running")
    }
    if view.snapshot.receiver?.isStandBy == true { parts.append("standby") }
    parts += volume
    return TerminalText.escaped("\(device.name): \(parts.joined(separator: ", "))")
  }

  private var media: [String] {
    guard let media = view.media else { return ["nothing loaded"] }
    let content = media.media ?? media.extendedMedia
    let title = content?.nameForPeople
    let reason = view.value(of: FieldPath(["idle_reason"]))?.string
    var state = view.player == "idle" ? reason.map { "idle (\($0))" } ?? "idle" : view.player
    if view.player != "idle", let title { state += " \(title)" }
    var parts = [state]
    if view.player == "idle" { return parts }
    if media.breakStatus != nil { parts.append(view.isSkippable ? "in an ad that can be skipped" : "in an ad") }
    if let position = view.position {
      let isLive = content?.streamType == "LIVE"
      let duration = isLive ? nil : content?.duration
      parts.append(Self.clock(position) + (duration.map { " of \(Self.clock($0))" } ?? ""))
      if isLive { parts.append("live") }
    }
    if let rate = media.playbackRate, rate != 1, rate != 0 { parts.append("rate \(rate.decimals(2))") }
    return parts
  }

  private var volume: [String] { view.snapshot.receiver.map { Self.text($0.volume) } ?? [] }

  private static func text(_ volume: ReceiverStatus.Volume) -> [String] {
    var parts: [String] = []
    if let level = volume.level { parts.append("volume \((level * 100).decimals(0))%") }
    if volume.muted == true { parts.append("muted") }
    return parts
  }

  /// `1:05`, `1:02:03`.
  package static func clock(_ seconds: Double) -> String {
    let whole = Int(exactly: max(0, min(seconds, 1e9)).rounded(.down)) ?? 0
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes) = (whole / 3600, whole / 60 % 60)
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(whole % 60))" : "\(minutes):\(two(whole % 60))"
  }

  /// `name`, `id`, `model`, `address`, `via`.
  package static func json(_ device: FoundDevice) -> JSONObject {
    var object: JSONObject = ["name": .string(device.name)]
    object["id"] = device.id.map(JSONValue.string)
    object["model"] = device.model.map(JSONValue.string)
    object["address"] = .string(device.address.text)
    object["via"] = .string(device.via.rawValue)
    return object
  }

  /// The status fields of docs/language/conditions.md "Status fields", `position` as of now.
  package var json: JSONObject {
    var object = view.json
    if !members.isEmpty {
      object["members"] = .array(
        members.map { member in
          var entry: JSONObject = ["id": .string(member.deviceID), "name": .string(member.name)]
          var volume = JSONObject()
          volume["level"] = member.volume.level.map { JSONValue($0 * 100).roundedToMilliseconds }
          volume["muted"] = member.volume.muted.map { .bool($0) }
          entry["volume"] = .object(volume)
          return .object(entry)
        })
    }
    return object
  }

  /// Who takes part where the device is a group.
  private var members: [MultizoneStatus.Device] { view.snapshot.multizone?.members(of: device.id) ?? [] }

  /// A line for each member of a group.
  package var memberLines: [String] {
    members.map { member in
      let name = member.name.isEmpty ? member.deviceID : member.name
      return TerminalText.escaped("  \(([name] + Self.text(member.volume)).joined(separator: ", "))")
    }
  }

  /// A line for each track of what is loaded, the active ones marked.
  package var trackLines: [String] {
    let active = view.value(of: FieldPath(["active_tracks"]))?.array ?? []
    return (view.value(of: FieldPath(["tracks"]))?.array ?? []).map { track in
      let words = ["id", "kind", "language", "name"].compactMap { track[$0]?.string }
      let isActive = track["id"].map(active.contains) ?? false
      return TerminalText.escaped((isActive ? "* " : "  ") + words.joined(separator: "  "))
    }
  }
}

extension StatusView {
  /// The status fields of docs/language/conditions.md "Status fields", `position` as of now.
  package var json: JSONObject {
    var object = document
    if let position { object["position"] = JSONValue(position).roundedToMilliseconds }
    object["tracks"] = value(of: FieldPath(["tracks"]))
    return object
  }
}

extension MediaInformation {
  /// Its title, else its address or id.
  package var nameForPeople: String { metadata?["title"]?.string ?? contentID }
}
