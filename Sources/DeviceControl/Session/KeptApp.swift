import CastClient
package import CastProtocol
import RunReporting
import ScenarioLanguage

/// What is ours on a device, as a journal keeps it for a process that goes on.
package struct KeptApp: Hashable, Sendable {
  var session: AppSession?
  var launched: LaunchWords?
  var loaded: LoadedMedia?
  var trackNames: [String: [Int: String]] = [:]
  var lastContent: String?
  var originalLevel: Double?
  var originalMuted: Bool?

  init() {}
}

extension KeptApp {
  /// Secrets are in it by their names, as the document has them.
  package var json: JSONObject {
    var object = JSONObject()
    if let session {
      object["session"] = [
        "app": .string(session.appID), "id": .string(session.sessionID),
        "transport": .string(session.transportID.rawValue),
        "ours": .bool(session.isOurs),
      ]
    }
    if let launched {
      var words: JSONObject = ["app": .string(launched.appID)]
      words["language"] = launched.language.map(JSONValue.string)
      words["params"] = launched.params
      words["types"] = launched.appTypes.map { .array($0.map(JSONValue.string)) }
      if launched.needsMedia { words["media"] = true }
      object["launched"] = .object(words)
    }
    if let loaded {
      var media: JSONObject = [
        "source": .string(loaded.source.rawValue), "session": .int(loaded.mediaSessionID),
        "tracks": Self.json(loaded.trackNames),
      ]
      media["next"] = loaded.nextItemID.map(JSONValue.int)
      object["loaded"] = .object(media)
    }
    if !trackNames.isEmpty {
      object["tracks"] = .object(
        JSONObject(trackNames.sorted { $0.key < $1.key }.map { .init($0.key, Self.json($0.value)) }))
    }
    object["content"] = lastContent.map(JSONValue.string)
    object["level"] = originalLevel.map { JSONValue($0) }
    object["muted"] = originalMuted.map(JSONValue.bool)
    return object
  }

  package init(_ json: JSONObject) {
    if let app = json["session"]?["app"]?.string, let id = json["session"]?["id"]?.string,
      let transport = json["session"]?["transport"]?.string.map(EndpointID.init(rawValue:))
    {
      session = AppSession(
        appID: app, sessionID: id, transportID: transport, isOurs: json["session"]?["ours"]?.bool ?? false)
    }
    if let words = json["launched"], let app = words["app"]?.string {
      launched = LaunchWords(
        appID: app, language: words["language"]?.string, params: words["params"],
        appTypes: words["types"]?.array?.compactMap(\.string), needsMedia: words["media"]?.bool ?? false)
    }
    if let media = json["loaded"], let source = media["source"]?.string.map(EndpointID.init(rawValue:)),
      let id = media["session"]?.int
    {
      loaded = LoadedMedia(source: source, mediaSessionID: id, trackNames: Self.tracks(media["tracks"]))
      loaded?.nextItemID = media["next"]?.int
    }
    for member in json["tracks"]?.object?.members ?? [] { trackNames[member.name] = Self.tracks(member.value) }
    lastContent = json["content"]?.string
    originalLevel = json["level"]?.number
    originalMuted = json["muted"]?.bool
  }

  private static func json(_ tracks: [Int: String]) -> JSONValue {
    .object(JSONObject(tracks.sorted { $0.key < $1.key }.map { .init(String($0.key), .string($0.value)) }))
  }

  private static func tracks(_ json: JSONValue?) -> [Int: String] {
    var tracks: [Int: String] = [:]
    for member in json?.object?.members ?? [] {
      if let id = Int(member.name), let name = member.value.string { tracks[id] = name }
    }
    return tracks
  }
}
