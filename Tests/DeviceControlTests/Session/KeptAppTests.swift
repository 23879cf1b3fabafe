import CastClient
import CastProtocol
import RunReporting
import ScenarioLanguage
import Testing

@testable import DeviceControl

/// What a journal keeps of the app and the media that are ours (docs/runs.md "A run that died").
@Suite struct KeptAppTests {
  private static let session = AppSession(
    appID: "CC1AD845", sessionID: "abc", transportID: EndpointID(rawValue: "web-1"), isOurs: true)

  private static var own: OwnApp {
    var own = OwnApp()
    let words = LaunchWords(
      appID: "CC1AD845", language: "de", params: ["token": "${secret.token}", "x": .double(0.123456)],
      appTypes: ["WEB"], needsMedia: true)
    own.recordLaunch(session, words, at: .zero)
    own.beginLoad([1: "en"], of: "https://cdn.example.com/a.mp4", earlier: nil)
    own.recordLoad(7, in: session, [1: "en"])
    own.endLoad()
    own.setNextItem(4)
    own.nameTracks([2: "de"], of: "https://cdn.example.com/b.mp4")
    own.rememberLevel(0.123_456_789)
    own.rememberMuted(false)
    return own
  }

  @Test("What is written is had back, to the last digit")
  func written() throws {
    let kept = Self.own.kept
    let text = JSONValue.object(kept.fields).serialized()
    let again = KeptApp(fields: try #require(try JSONValue(parsing: Array(text.utf8)).object))
    #expect(again == kept)
    var own = OwnApp()
    own.restore(again, withoutMedia: false)
    #expect(own.session == Self.session && own.launched == Self.own.launched && own.loaded == Self.own.loaded)
    #expect(own.trackNames == Self.own.trackNames && own.originalVolume == (0.123_456_789, false) && own.hasLoaded)
    #expect(OwnApp().kept.fields == [:])
  }

  @Test("Of media that may be an earlier process's nothing is missed")
  func withoutMedia() {
    var own = OwnApp()
    own.restore(Self.own.kept, withoutMedia: true)
    #expect(own.session == Self.session && own.loaded == nil && own.hasLoaded)
  }

  @Test("Half a session, launch or load is none", arguments: ["session", "launched", "loaded"])
  func half(name: String) throws {
    var fields = Self.own.kept.fields
    var part = try #require(fields[name]?.object)
    part.members.removeFirst()
    fields[name] = .object(part)
    var own = OwnApp()
    own.restore(KeptApp(fields: fields), withoutMedia: false)
    #expect((own.session == nil) == (name == "session"))
    #expect((own.launched == nil) == (name == "launched"))
    #expect((own.loaded == nil) == (name == "loaded"))
  }

  @Test("Secrets are in it by their names, also in names of tracks")
  func secrets() {
    var own = Self.own
    own.nameTracks([3: "canary-4711"], of: "https://cdn.example.com/canary-4711.mp4")
    let hidden = own.kept.emitted(hiding: Secrets(["token": "canary-4711"]))
    #expect(!JSONValue.object(hidden.fields).serialized().contains("canary-4711"))
    #expect(hidden.loaded == own.kept.loaded)
  }
}
