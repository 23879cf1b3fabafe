import CastProtocol
import ScenarioLanguage
import Testing

@testable import RunReporting

/// What messages to a device carry: values where the plan has names (docs/language/variables.md "Secrets").
@Suite struct SecretRequestTests {
  private static let name = "‹secret.key›"
  private static let value = "hunter2hunter2"

  private static var request: LoadRequest {
    var media = MediaInformation()
    (media.contentID, media.contentURL, media.vmapAdTagURL) = ("id-\(name)", "https://x/?\(name)", "https://v/?\(name)")
    media.metadata = ["title": .string(name), "images": [["url": .string("https://i/?\(name)")]]]
    media.customData = ["drm": ["token": .string(name)], "n": 7]
    var track = MediaInformation.Track()
    (track.trackContentID, track.name) = ("https://t/?\(name)", "track \(name)")
    media.tracks = [track]
    var clip = MediaInformation.BreakClip()
    (clip.contentID, clip.contentURL, clip.title) = ("c-\(name)", "https://c/?\(name)", "ad \(name)")
    (clip.posterURL, clip.clickThroughURL) = ("https://p/?\(name)", "https://k/?\(name)")
    clip.vastAdTagURL = "https://a/?\(name)"
    media.breakClips = [clip]
    var request = LoadRequest(media: media)
    (request.credentials, request.customData) = (name, ["auth": .string("Bearer \(name)")])
    return request
  }

  @Test("Every text of a LOAD that may hold a secret gets its value")
  func load() throws {
    let plain = try Secrets(["key": Self.value]).revealed(Self.request)
    let (before, after) = ("\(Self.request)", "\(plain)")
    let count = before.ranges(of: Self.name).count
    #expect(count == 16 && after.ranges(of: Self.value).count == count)
    #expect(!after.contains("‹secret"))
    #expect(after == before.replacing(Self.name, with: Self.value))
  }

  @Test("A LOAD without a secret goes as it is, and nothing is looked up")
  func plain() throws {
    let bare = LoadRequest(media: MediaInformation())
    #expect(try Secrets().revealed(bare) == bare)
    #expect(try Secrets().revealed(nil as String?) == nil)
    #expect(try Secrets().revealed("‹secretly› 100 ‹ of ›") == "‹secretly› 100 ‹ of ›")
  }

  static let missing: [(secrets: Secrets, message: String)] = [
    (Secrets(), "secret `key` has no value"),
    (Secrets(saved: ["key"]), "secret `key` has no value yet: no step has saved it"),
    (Secrets(saved: ["key"]).withStandIns, "secret `key` has no value yet: no step has saved it"),
  ]

  @Test("A secret without a value fails the step, and says whether a step should have saved it", arguments: missing)
  func failure(secrets: Secrets, message: String) {
    #expect {
      _ = try secrets.revealed(Self.request)
    } throws: { error in
      let failure = error as? StepFailure
      return failure?.errorClass == .invalidState && failure?.message == message
    }
  }

  @Test("In simulations the names stand for values that are not there; those that are there are put in")
  func standIns() throws {
    let secrets = Secrets(["a": "value-of-a"]).withStandIns
    #expect(try secrets.revealed("‹secret.a› and ‹secret.b›") == "value-of-a and ‹secret.b›")
    secrets.set("value-of-b", for: "b")
    #expect(try secrets.revealed("‹secret.b›") == "value-of-b")
  }

  @Test("A copy for simulations and the secrets themselves do not share what is set later")
  func copy() throws {
    let secrets = Secrets(saved: ["a"])
    let copy = secrets.withStandIns
    copy.set("value-of-a", for: "a")
    #expect(throws: StepFailure.self) { _ = try secrets.revealed("‹secret.a›") }
    #expect(secrets.hidden("value-of-a") == "value-of-a" && copy.hidden("value-of-a") == "‹secret.a›")
    #expect(secrets.isSaved("a") && copy.isSaved("a") && !copy.isSaved("b"))
  }

  @Test("An empty value is none: what was there stays")
  func empty() throws {
    let secrets = Secrets(["a": "value-of-a"], saved: ["a"])
    secrets.set("", for: "a")
    #expect(try secrets.revealed("‹secret.a›") == "value-of-a")
    #expect(secrets.hidden("") == "")
  }

  @Test(
    "What was put in is hidden again to the very same text, for any text around it",
    arguments: 1...6 as ClosedRange<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let secrets = Secrets(["a": "value/of a+ü", "pin": "42", "b": "another value"])
    let pieces = [
      "‹secret.a›", "‹secret.b›", "‹secret.pin›", "https://x/?", "&", " ", "é", "42", "\"", "\u{301}", "‹", "›",
    ]
    for _ in 0..<200 {
      let text = (0...random.next(below: 6)).map { _ in pieces[random.next(below: pieces.count)] }.joined()
      let sent = try secrets.revealed(text)
      guard text.contains("‹secret.") else { continue }
      #expect(secrets.hidden(sent) == text)
      #expect(!secrets.hidden("<\(sent)>").contains("value/of a+ü"))
    }
  }

  @Test("A value that comes back is known under its name, and is as new again")
  func comesBack() throws {
    let secrets = Secrets(saved: ["a"])
    for round in 0..<3 {
      for number in 0..<Secrets.rememberedValues { secrets.set("value-number-\(number)", for: "a") }
      #expect(secrets.hidden("<value-number-0>") == "<‹secret.a›>", "\(round)")
    }
    secrets.set("value-number-0", for: "a")
    secrets.set("one-more-value", for: "a")
    #expect(secrets.hidden("<value-number-0>") == "<‹secret.a›>", "it was the newest but one")
    #expect(secrets.hidden("<value-number-1>") == "<value-number-1>", "it is the oldest of too many")
  }
}
