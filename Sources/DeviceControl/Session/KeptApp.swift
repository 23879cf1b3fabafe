import CastClient
import CastProtocol
package import RunReporting
import ScenarioLanguage

/// What is ours on a device, as a journal keeps it for a process that goes on. Secrets are in it by their names, as the
/// document has them.
package struct KeptApp: EventPayload {
  var session: App?
  var launched: Launch?
  var loaded: Media?
  /// The document's names of tracks, by the content that they belong to.
  var trackNames: [String: TrackNames] = [:]
  var lastContent: String?
  var originalLevel: Double?
  var originalMuted: Bool?

  package init() {}

  package mutating func code(_ members: inout EventMembers) {
    members.optional("session", &session)
    members.optional("launched", &launched)
    members.optional("loaded", &loaded)
    var tracks = JSONObject(trackNames.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.json) })
    members.unless([:], "tracks", &tracks)
    trackNames = [:]
    for member in tracks.members { trackNames[member.name] = TrackNames(json: member.value) }
    members.optional("content", &lastContent)
    members.exact("level", &originalLevel)
    members.optional("muted", &originalMuted)
  }
}

extension KeptApp {
  /// The session of the app.
  struct App: EventPayload {
    var appID = ""
    var sessionID = ""
    var transport = ""
    var isOurs = false

    init() {}

    init(_ session: AppSession) {
      (appID, sessionID) = (session.appID, session.sessionID)
      (transport, isOurs) = (session.transportID.rawValue, session.isOurs)
    }

    /// `nil` where a record does not have all of it.
    var session: AppSession? {
      if appID.isEmpty || sessionID.isEmpty || transport.isEmpty { return nil }
      return AppSession(
        appID: appID, sessionID: sessionID, transportID: EndpointID(rawValue: transport), isOurs: isOurs)
    }

    mutating func code(_ members: inout EventMembers) {
      members.always("app", &appID)
      members.always("id", &sessionID)
      members.always("transport", &transport)
      members.always("ours", &isOurs)
    }
  }

  /// How the app was launched.
  struct Launch: EventPayload {
    var appID = ""
    var language: String?
    var params: JSONValue?
    var appTypes: [String]?
    var needsMedia = false

    init() {}

    init(_ words: LaunchWords) {
      (appID, language, params) = (words.appID, words.language, words.params)
      (appTypes, needsMedia) = (words.appTypes, words.needsMedia)
    }

    var words: LaunchWords? {
      if appID.isEmpty { return nil }
      return LaunchWords(
        appID: appID, language: language, params: params, appTypes: appTypes, needsMedia: needsMedia)
    }

    mutating func code(_ members: inout EventMembers) {
      members.always("app", &appID)
      members.optional("language", &language)
      members.optional("params", &params)
      members.optional("types", &appTypes)
      members.unless(false, "media", &needsMedia)
    }
  }

  /// The media that were loaded.
  struct Media: EventPayload {
    var source = ""
    var mediaSession: Int?
    var trackNames = TrackNames()
    var nextItem: Int?

    init() {}

    init(_ loaded: LoadedMedia) {
      (source, mediaSession) = (loaded.source.rawValue, loaded.mediaSessionID)
      (trackNames, nextItem) = (TrackNames(names: loaded.trackNames), loaded.nextItemID)
    }

    var loaded: LoadedMedia? {
      guard let mediaSession, !source.isEmpty else { return nil }
      var loaded = LoadedMedia(
        source: EndpointID(rawValue: source), mediaSessionID: mediaSession, trackNames: trackNames.names)
      loaded.nextItemID = nextItem
      return loaded
    }

    mutating func code(_ members: inout EventMembers) {
      members.always("source", &source)
      members.optional("session", &mediaSession)
      members.always("tracks", &trackNames)
      members.optional("next", &nextItem)
    }
  }

  /// The document's names of tracks by their ids on the wire; in JSON an object.
  struct TrackNames: EventValue {
    var names: [Int: String] = [:]

    init(names: [Int: String] = [:]) { self.names = names }

    init?(json: JSONValue) {
      guard let object = json.object else { return nil }
      for member in object.members {
        if let id = Int(member.name), let name = member.value.string { names[id] = name }
      }
    }

    var json: JSONValue {
      .object(JSONObject(names.sorted { $0.key < $1.key }.map { .init(String($0.key), .string($0.value)) }))
    }

    func emitted(hiding secrets: Secrets) -> Self { TrackNames(names: names.mapValues(secrets.hidden)) }
  }
}
