import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage
import Testing

@testable import ScenarioRunner

/// What a device says cannot be anything but text in a document.
@Suite struct RecordedTextTests {
  static let texts: [(said: String, shown: String)] = [
    ("Sintel", "Sintel"), ("1917", "1917"), ("no", "no"), ("", ""), ("A: b # c", "A: b # c"),
    ("\"quoted\" \\ 'single'", "\"quoted\" \\ 'single'"), ("- item", "- item"), ("{ a: b }", "{ a: b }"),
    ("a, b]", "a, b]"), ("&anchor *alias !tag |", "&anchor *alias !tag |"),
    ("${secret.key} $${x} $", "${secret.key} $${x} $"),
    ("steps:\n  - exec: { command: [rm] }", "steps: - exec: { command: [rm] }"),
    ("a\r\n\tb\u{85}c\u{2028}d", "a b c d"), ("\u{1B}[31mred\u{7}", "[31mred"),
    ("\u{202E}evil\u{200B}\u{FEFF}", "evil"),
    ("\u{E000}\u{FFFF}x", "x"), ("‹secret.key›", "<secret.key>"), ("Hawái 日本 🎬", "Hawái 日本 🎬"),
    ("trailing ", "trailing"),
    ("---", "---"), ("... # x", "... # x"), ("~", "~"), ("null", "null"), ("0x1F", "0x1F"), ("1:30", "1:30"),
    ("?", "?"),
    ("key:", "key:"), ("@a `b` %c", "@a `b` %c"),
  ]

  @Test("A title is written so that a document reads it as it was shown, whatever is in it", arguments: texts.indices)
  func titles(index: Int) throws {
    let text = Self.texts[index]
    #expect(RecordedText.clean(text.said) == text.shown)
    var film = SeenDevice.film
    film["metadata"] = ["metadataType": 0, "title": .string(text.said), "subtitle": .string(text.said)]
    var device = SeenDevice.playing(["media": .object(film)])
    device = SeenDevice()
    device.receive(SeenDevice.receiver("CC1AD845"), at: 1)
    device.receive(SeenDevice.media("PLAYING", 0, ["media": .object(film)]), at: 2)
    let named = FoundDevice(
      name: text.said, id: "1", model: nil, address: HostAndPort(host: "192.0.2.1", port: 8009), via: .mdns)
    let written = try #require(device.written(at: 10, of: named)).text
    #expect(SeenDevice.problems(of: written) == [], "\(written)")
    let outcome = PlanCompiler.compile(SourceFile(name: "a", bytes: Array(written.utf8)))
    guard case .scenario(let plan)? = outcome.document else { return }
    let loaded = plan.steps.lazy.compactMap { "\($0.json.serialized())" }.joined()
    #expect(loaded.contains(JSONValue.string(text.shown).serialized()) || text.shown.isEmpty, "\(loaded)")
    let controls = written.unicodeScalars.filter { $0.isDisplayControl && $0 != "\n" }
    #expect(controls.isEmpty)
  }

  @Test("Ids are made of names, each once, none that means something else")
  func ids() {
    var taken: Set<String> = []
    let names = ["Big Buck Bunny!", "big buck bunny", "1917", "日本", "next", "  ", String(repeating: "ab ", count: 40)]
    let ids = names.map { RecordedText.id(of: $0, taken: &taken, else: "media") }
    #expect(
      ids == [
        "big-buck-bunny", "big-buck-bunny-2", "media-1917", "media", "media-next", "media-2",
        "ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab",
      ])
    for id in ids { #expect(throws: Never.self) { try NameScalar.id(id) } }
  }

  static let addresses: [(said: String, written: String?, isWeb: Bool)] = [
    ("https://cdn.example.com/film.mp4", "https://cdn.example.com/film.mp4", true),
    (
      "https://cdn.example.com/film.mp4?start=10&quality=hd", "https://cdn.example.com/film.mp4?start=10&quality=hd",
      true
    ),
    (
      "https://cdn.example.com/film.mp4?v=2&token=abc",
      "https://cdn.example.com/film.mp4?v=2&token=${secret.film_token}", true
    ),
    (
      "https://x.example/a.mp4?X-Amz-Signature=12ab&X-Amz-Expires=600",
      "https://x.example/a.mp4?X-Amz-Signature=${secret.film_x_amz_signature}&X-Amz-Expires=600", true
    ),
    (
      "https://x.example/a.mp4?id=8f14e45fceea167a5a36dedd4bea2543",
      "https://x.example/a.mp4?id=${secret.film_id}", true
    ),
    ("https://me:pw@nas.example/a.mp4", "https://${secret.film_login}@nas.example/a.mp4", true),
    (
      "https://x.example/a.mp4#access_token=1", "https://x.example/a.mp4#access_token=${secret.film_access_token}", true
    ),
    ("https://x.example/${secret.a}.mp4", "https://x.example/$${secret.a}.mp4", true),
    ("http://127.0.0.1:8000/a.mp4", "http://127.0.0.1:8000/a.mp4", false),
    ("spotify:track:1", "spotify:track:1", false), ("dQw4w9WgXcQ", "dQw4w9WgXcQ", false),
    ("https://x.example/a b.mp4", nil, false), ("https://x.example/\u{202E}.mp4", nil, false), ("", nil, false),
    ("https://x.example/" + String(repeating: "a", count: 5_000), nil, false), ("‹secret.a›", nil, false),
  ]

  @Test("What lets somebody in is taken out of an address, and ordinary addresses stay", arguments: addresses.indices)
  func address(index: Int) {
    let row = Self.addresses[index]
    var secrets = RecordedSecrets()
    let address = RecordedAddress(row.said, of: "film", secrets: &secrets)
    #expect(address?.text == row.written)
    #expect(address?.isWeb ?? false == row.isWeb)
    #expect(address?.hasSecrets ?? false == !secrets.names.isEmpty)
  }

  @Test("An address has a secret also where another had it before")
  func knownSecret() {
    var secrets = RecordedSecrets()
    for name in ["film", "art"] {
      let address = RecordedAddress("https://x.example/\(name)?token=hunter2", of: name, secrets: &secrets)
      #expect(address?.hasSecrets == true)
    }
    #expect(secrets.names == ["film_token"])
  }

  static let named: [(address: String, id: String, told: String)] = [
    ("https://ex.com/v;sig=HUNTER2SECRETabc", "v:", "v was loaded"),
    ("https://ex.com/v.mp4;sig=HUNTER2/more", "v:", "v.mp4 was loaded"),
    ("https://user:HUNTER2@ex.com?x=1", "media:", "ex.com was loaded"),
    ("https://user:HUN;TER2@ex.com", "media:", "ex.com was loaded"),
    ("https://user:HUNTER2@ex.com:8000/live/film.mp4?x=1#y", "film:", "film.mp4 was loaded"),
    ("https://ex.com/a/?token=HUNTER2", "a:", "a was loaded"),
    ("?token=HUNTER2", "media:", "something was loaded"),
  ]
  @Test(
    "Names of media and of secrets, and what is told, have nothing of a secret in the address", arguments: named.indices
  )
  func names(index: Int) throws {
    let row = Self.named[index]
    var film = SeenDevice.film
    film["contentId"] = .string(row.address)
    film["metadata"] = nil
    var device = SeenDevice()
    device.receive(SeenDevice.receiver("CC1AD845"), at: 1)
    device.receive(SeenDevice.media("PLAYING", 0, ["media": .object(film)]), at: 2)
    let outcome = try #require(device.written(at: 10))
    let all = (outcome.text + outcome.secrets.joined() + device.lines.joined()).lowercased()
    for part in ["hunter2", "hun;", "ter2", "hun_ter2", "user:"] { #expect(!all.contains(part), "\(all)") }
    #expect(outcome.text.contains("media:\n  \(row.id)"), "\(outcome.text)")
    #expect(device.lines.contains { $0.hasSuffix(row.told) }, "\(device.lines)")
  }

  @Test("The same token is one secret, and no file has its value")
  func secrets() throws {
    var film = SeenDevice.film
    film["contentId"] = "https://cdn.example.com/film.mp4?token=hunter2hunter2"
    film["metadata"] = [
      "title": "Sintel", "images": [["url": "https://cdn.example.com/art.jpg?token=hunter2hunter2"]],
    ]
    film["customData"] = ["key": "hunter2hunter2"]
    film["tracks"] = [
      [
        "trackId": 1, "type": "TEXT", "language": "en",
        "trackContentId": "https://cdn.example.com/en.vtt?sig=other-canary",
      ]
    ]
    var device = SeenDevice()
    device.receive(SeenDevice.receiver("CC1AD845"), at: 1)
    device.receive(SeenDevice.media("PLAYING", 0, ["media": .object(film), "activeTrackIds": [1]]), at: 2)
    let outcome = try #require(device.written(at: 10))
    #expect(!outcome.text.contains("hunter2") && !outcome.text.contains("canary"), "\(outcome.text)")
    #expect(outcome.secrets == ["sintel_token", "sintel_sig"])
    #expect(outcome.text.contains("sintel_token: { env: SINTEL_TOKEN }"))
    #expect(SeenDevice.problems(of: outcome.text) == [], "\(outcome.text)")
    #expect(!device.lines.joined().contains("hunter2"))
  }
}
