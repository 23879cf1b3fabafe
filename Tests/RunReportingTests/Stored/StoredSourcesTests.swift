import CastProtocol
import Testing

@testable import RunReporting

/// Which files a stored run's reports point into, and where its folder keeps them.
@Suite struct StoredSourcesTests {
  private static func sources(_ lines: [String]) throws -> StoredSources {
    var sources = StoredSources()
    for event in try RunScene.events(lines) { sources.record(event) }
    return sources
  }

  private static let place = #"{"file":"lib/kit.yaml","line":1,"column":1}"#

  static let kinds: [(type: EventType, isNoted: Bool)] = EventType.allCases.map { type in
    (type, [.diagnostic, .stepStarted, .expectFailed, .monitorFailed].contains(type))
  }

  @Test("A file is noted where a report shows its lines", arguments: kinds)
  func kind(type: EventType, isNoted: Bool) throws {
    #expect(try Self.sources(["1 \(type.rawValue) " + Self.place]).files == (isNoted ? ["lib/kit.yaml"] : []))
  }

  @Test("Each file is noted once, the documents among them, and what has no whole place is none")
  func files() throws {
    let sources = try Self.sources([
      RunScene.begin, "1 step.started s1 " + Self.place, "2 expect.failed s1 " + Self.place,
      #"3 diagnostic {"file":"lost.yaml","line":3}"#, #"4 monitor.failed {"file":"watch.yaml","line":3,"column":1}"#,
    ])
    #expect(sources.files == ["qa/ads.yaml", "lib/kit.yaml", "watch.yaml"])
    #expect(sources.run.run == "r1" && sources.run.seed == 7)
  }

  static let names: [(file: String, stored: [String], name: String?)] = [
    // A document of standard input has no name of its own.
    ("qa/ads.yaml", ["document", "1-kit.yaml"], "document"), ("qa/ads.yaml", ["document", "ads.yaml"], "ads.yaml"),
    ("qa/ads.yaml", ["1-ads.yaml"], nil), ("other/ads.yaml", ["ads.yaml", "1-ads.yaml"], "1-ads.yaml"),
    ("kit.yaml", ["x-kit.yaml", "-kit.yaml", "1kit.yaml"], nil), ("kit.yaml", ["12-kit.yaml"], "12-kit.yaml"),
    ("kit.yaml", [], nil), ("a/", ["1-a"], "1-a"),
  ]

  @Test("The document is found by its own name, what it includes behind a number", arguments: names)
  func name(file: String, stored: [String], name: String?) throws {
    #expect(try Self.sources([RunScene.begin]).name(of: file, among: stored) == name)
  }
}
