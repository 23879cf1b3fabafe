import CastProtocol
import Testing

@testable import ScenarioLanguage

/// Bounds that no value can meet are found without a device.
@Suite struct MatcherBoundsTests {
  private static func problems(_ expectation: String) -> [String] {
    Compiling.outcome(Compiling.scenario("expect: \(expectation)", before: ["save: { p: position }"])).diagnostics.map {
      "\($0.code) \($0.message)"
    }
  }

  static let impossible: [(expectation: String, problem: String)] = [
    ("{ position: { min: 10s, max: 5s } }", "T213 no value of `position` is at least 10s and at most 5s"),
    ("{ position: { above: 5s, below: 5s } }", "T213 no value of `position` is above 5s and below 5s"),
    ("{ position: { min: 5s, below: 5s } }", "T213 no value of `position` is at least 5s and below 5s"),
    ("{ rate: { above: 2, max: 2 } }", "T213 no value of `rate` is above 2 and at most 2"),
    ("{ rate: { not: { min: 2, max: 1 } } }", "T213 no value of `rate` is at least 2 and at most 1"),
    ("{ breaks: { count: { min: 2, max: 1 } } }", "T213 no value of `breaks` is at least 2 and at most 1"),
    ("{ title: { one_of: [] } }", "K105 `one_of` needs at least one value"),
    ("{ volume: { level: { min: 110% } } }", "T213 `volume.level` is from 0% to 100%"),
    ("{ volume.level: 101% }", "T213 `volume.level` is from 0% to 100%"),
    ("{ stream_volume: { level: { above: 100% } } }", "T213 `stream_volume.level` is from 0% to 100%"),
    ("{ volume: { level: { below: 0% } } }", "T213 `volume.level` is from 0% to 100%"),
    ("{ volume: { level: { about: 120% } } }", "T213 `volume.level` is from 0% to 100%"),
  ]
  @Test("An expectation that no value can meet is refused", arguments: impossible)
  func refused(expectation: String, problem: String) { #expect(Self.problems(expectation) == [problem]) }

  @Test(
    "One that some value meets, or that only the run can judge, is not",
    arguments: [
      "{ position: { min: 5s, max: 5s } }", "{ position: { above: 5s, below: 5001ms } }",
      "{ position: { min: \"${p}\", max: 5s } }", "{ position: { min: 10s, max: \"${p}\" } }",
      "{ volume: { level: { min: 0%, max: 100% } } }", "{ volume: { level: { above: 0% } } }",
      "{ text_style: { size: { min: 150%, max: 400% } } }", "{ title: { one_of: [a] } }",
      "{ active_tracks: { only: [] } }",
      "{ position: { min: 10s, about: 5s } }",
    ])
  func accepted(expectation: String) { #expect(Self.problems(expectation) == []) }

  @Test("A seek behind the end of what was loaded is a warning")
  func seek() {
    func codes(_ steps: String) -> [String] {
      Compiling.codes(
        "scenario: S\ndevice: TV\nmedia: { f: { url: https://e.com/a.mp4, duration: 1m } }\n"
          + "steps: [{ load: f }, \(steps), { expect: { player: idle } }]\n")
    }
    #expect(codes("{ seek: 2m }") == ["C512"])
    #expect(codes("{ seek: 1m }, { seek: end }, { seek: { by: +2m } }") == [])
  }

  static let paths: [(written: String, path: [String])] = [
    ("raw.media.status.0.playerState", ["raw", "media", "/status/0/playerState"]),
    ("raw.media./status/0/playerState", ["raw", "media", "/status/0/playerState"]),
    ("raw.media./status/0/a.b", ["raw", "media", "/status/0/a.b"]), ("raw.media.type", ["raw", "media", "type"]),
    ("raw.receiver.status/volume", ["raw", "receiver", "status/volume"]), ("custom.a.b", ["custom", "a", "b"]),
  ]
  @Test("A part of a raw message is named by a JSON pointer, or by names and numbers with points", arguments: paths)
  func raw(written: String, path: [String]) { #expect(FieldPath(parsing: written).parts == path) }

  @Test(
    "Points, pointers and nested maps lead to the same part",
    arguments: [
      "raw.media.status.0.playerState: X", "raw.media: { status.0.playerState: X }",
      "raw: { media.status.0.playerState: X }", "raw: { media: { status: { 0: { playerState: X } } } }",
      "raw: { media: { /status/0: { playerState: X } } }", "raw.media./status/0/playerState: X",
    ])
  func same(field: String) throws {
    let step = try Compiling.step("expect: { \(field) }")
    guard case .expect(let action) = step.action else { return }
    let wanted = action.condition.leaves.map(\.path.parts)
    #expect(wanted.count == 1)
    let pointer = try #require(wanted.first?.last)
    #expect(wanted.first?.prefix(2) == ["raw", "media"])
    #expect((pointer.hasPrefix("/") ? pointer : "/" + pointer) == "/status/0/playerState")
  }

  @Test("A path has a bounded number of parts, in conditions, messages and saved fields alike")
  func depth() {
    let long = "custom" + String(repeating: ".a", count: 50_000)
    for step in [
      "expect:\n  ? \(long)\n  : 1", "save:\n  p: \(long)",
      "expect_message:\n  namespace: urn:x-cast:a.b.c\n  message:\n    ? \(long)\n    : 1",
    ] {
      #expect(Compiling.codes(Compiling.scenario(step)).filter { $0 != "P610" } == ["Y311"], "\(step.prefix(20))")
    }
    let most = "custom" + String(repeating: ".a", count: FieldPath.longest - 1)
    #expect(Compiling.codes(Compiling.scenario("expect: { \(most): 1 }")) == [])
  }
}
