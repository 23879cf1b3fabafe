import CastProtocol
import Testing

@testable import ScenarioLanguage

/// Definitions that start from another one.
@Suite struct LikesTests {
  private static func document(_ definitions: String, _ steps: String) -> String {
    "scenario: S\ndevice: TV\n\(definitions)\nsteps: [\(steps)]\n"
  }

  /// What is wrong with apps that are all launched.
  private static func problems(_ apps: String, _ names: [String]) -> [String] {
    let steps = names.map { "{ launch: \($0) }" }.joined(separator: ", ")
    return Compiling.outcome(document("apps: \(apps)", steps)).diagnostics.filter { $0.severity == .error }
      .map { "\($0.code.rawValue): \($0.message)" }
  }

  @Test("A key that is written replaces the base's, others are taken over, from the nearest first")
  func chain() throws {
    let apps = "apps: { a: { id: A1B2C3D4 }, b: { like: a, id: B1B2C3D4 }, c: { like: b } }"
    let plan = try Compiling.plan(Self.document(apps, "{ launch: a }, { launch: b }, { launch: c }"))
    #expect(plan.steps.map { $0.json["args"]?["app"]?.string } == ["A1B2C3D4", "B1B2C3D4", "B1B2C3D4"])
  }

  @Test("What is taken over stands behind what is written, the nearest definition first")
  func resolved() throws {
    let text = """
      media:
        base: { url: u, metadata: { title: A, subtitle: S } }
        own: { like: base, metadata: { title: B } }
        last: { like: own, duration: 5m }
      """
    let node = try #require(YAMLParser.parse(SourceFile(text), reportingTo: DiagnosticCollector())?.root)
    let root = FieldMap(node, as: LanguageSchema.scenario)
    let last = try #require(root.entries("media").last?.map)
    var likes = LikeResolver(root)
    let resolved = likes.resolved(last, .media, reportingTo: DiagnosticCollector())
    #expect(
      resolved.keys.map { "\($0.text): \(resolved.node($0.text)?.flow() ?? "")" }
        == ["like: own", "duration: 5m", #"metadata: {"title": B}"#, "url: u"])
  }

  @Test("A map that is written replaces the base's as a whole")
  func maps() throws {
    let media = """
      media:
        base: { url: https://e.com/a.mp4, duration: 10m, metadata: { title: A, subtitle: S } }
        own: { like: base, metadata: { title: B } }
        last: { like: own, duration: 5m }
      """
    let plan = try Compiling.plan(Self.document(media, "{ load: own }, { load: last }"))
    let sent = plan.steps.map { $0.json["args"]?["request"]?["media"] }
    #expect(sent.map { $0?["duration"]?.number } == [600, 300])
    for media in sent {
      #expect(media?["contentId"]?.string == "https://e.com/a.mp4")
      #expect(media?["metadata"]?["title"]?.string == "B")
      #expect(media?["metadata"]?["subtitle"] == nil)
    }
  }

  @Test("A circle is told once, at the same place whoever of it is used; a base that is not there is told, too")
  func circle() {
    let apps = "{ b: { like: c }, c: { like: a }, a: { like: b }, d: { like: nobody } }"
    let problems = ["N412: `a` starts from itself", "N406: unknown app `nobody`"]
    #expect(Self.problems(apps, ["a", "b", "d"]) == problems)
    #expect(Self.problems(apps, ["c"]) == problems)
    #expect(Self.problems("{ a: { like: a } }", ["a"]) == ["N412: `a` starts from itself"])
  }

  @Test("A chain of a hundred is followed, one of more is refused")
  func length() {
    func apps(_ count: Int) -> String {
      "{ a0: { id: A1B2C3D4 }, \((1...count).map { "a\($0): { like: a\($0 - 1) }" }.joined(separator: ", ")) }"
    }
    #expect(Self.problems(apps(100), ["a100"]) == [])
    #expect(Self.problems(apps(101), ["a101"]) == ["N412: more than 100 definitions start from each other"])
  }
}
