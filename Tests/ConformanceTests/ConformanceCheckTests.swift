import Foundation
import ScenarioLanguage
import Testing

@testable import Conformance

/// The suite as it is embedded.
@Suite struct ConformanceCheckTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources/ConformanceScenarios/checks")

  @Test("Every document of the folder is a check, and every check a document")
  func embedded() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(files) == Set(ConformanceCheck.all.map(\.fileName)))
    for check in ConformanceCheck.all {
      let text = try String(contentsOf: Self.folder.appending(path: check.fileName), encoding: .utf8)
      #expect(check.text == text, "\(check.id)")
    }
  }

  @Test("Ids are an area and a name, and occur once; so do statements")
  func ids() {
    let checks = ConformanceCheck.all
    #expect(Set(checks.map(\.id)).count == checks.count && Set(checks.map(\.statement)).count == checks.count)
    for check in checks {
      #expect(check.id.wholeMatch(of: /[a-z]+\.[a-z]+(-[a-z]+)*/) != nil, "\(check.id)")
      #expect(check.statement.count > 10 && check.statement.count < 90, "\(check.id)")
    }
    // Checks of one area follow each other.
    let areas = checks.map(\.area)
    let runs = areas.indices.filter { $0 == 0 || areas[$0] != areas[$0 - 1] }.map { areas[$0] }
    #expect(runs == ["connection", "receiver", "volume", "media", "tracks", "queue", "senders"])
  }

  @Test(
    "Each is a valid scenario, called as its statement says, that expects something; it warns only of messages that have a verb",
    arguments: ConformanceCheck.all)
  func valid(check: ConformanceCheck) throws {
    var inputs = PlanCompiler.Inputs()
    inputs.fileExists = { _ in true }
    let outcome = PlanCompiler.compile(
      SourceFile(name: check.fileName, bytes: Array(check.text.utf8)), inputs: inputs)
    #expect(outcome.plans.count == 1, "\(outcome.diagnostics.map(\.message))")
    #expect(outcome.diagnostics.allSatisfy { $0.code == .t222 }, "\(outcome.diagnostics.map(\.message))")
    let plan = try #require(outcome.plans.first)
    #expect(plan.title == check.statement)
    #expect(plan.tags.first == check.area)
    let setsVolume = check.text.contains("- volume:") || check.text.contains("- mute:")
    #expect(check.needsVolume == setsVolume)
    #expect((check.secondSender != nil) == (check.area == "senders"))
  }

  @Test("What is observed belongs to a check, and every fact to one at least")
  func facts() {
    #expect(Set(ConformanceCheck.all.flatMap(\.facts)) == Set(WireFact.allCases))
    #expect(Set(ConformanceCheck.factsByID.keys).subtracting(ConformanceCheck.all.map(\.id)) == [])
    #expect(ConformanceCheck.all.filter { !$0.facts.isEmpty }.count == 24)
  }

  @Test("What another sender has to be told is what the check sets and launches")
  func secondSender() throws {
    func text(_ sender: SecondSender) throws -> String {
      try #require(ConformanceCheck.all.first { $0.secondSender == sender }).text
    }
    let percent = Int((SecondSender.level * 100).rounded())
    let tolerance = Int((SecondSender.tolerance * 100).rounded())
    let volume = try text(.volume)
    #expect(volume.contains("\n  - volume: \(percent)%\n"))
    #expect(volume.contains("volume.level: { about: \(percent)%, tolerance: \(tolerance)% }"))
    #expect(try text(.app).contains("app.id: \(SecondSender.appID) "))
  }

  @Test("The page tells how many checks there are, and their areas")
  func page() throws {
    let root = Self.folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "docs/conformance.md"), encoding: .utf8)
    let areas = ConformanceCheck.all.map(\.area).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
      .map { "`\($0)`" }
    #expect(areas.count == 7)
    let list = areas.dropLast().joined(separator: ", ") + " and \(areas.last ?? "")"
    #expect(page.contains("\(ConformanceCheck.all.count) checks in seven areas: \(list) "))
  }

  static let words: [(words: [String], ids: Int)] = [
    (["media.seek"], 1), (["senders"], 2), (["queue", "queue.load"], 8), (["senders", "connection.reconnect"], 3),
  ]
  @Test("Checks are named by id or area, and run in the order of the suite", arguments: words)
  func named(words: [String], ids: Int) throws {
    let named = try ConformanceCheck.named(words)
    #expect(named.count == ids)
    #expect(named == ConformanceCheck.all.filter { named.contains($0) })
  }

  static let unknown: [(word: String, nearest: String?)] = [
    ("media.sek", "media.seek"), ("receivr", "receiver"), ("", nil), ("Media", "media"),
  ]
  @Test("A word that names none is told with the nearest", arguments: unknown)
  func nobodys(word: String, nearest: String?) {
    #expect(throws: ConformanceCheck.Unknown(word: word, nearest: nearest)) {
      try ConformanceCheck.named([word])
    }
  }

  @Test("The tone is a minute of WAV with one channel, quiet and of one length with its head")
  func tone() {
    let bytes = TestTone.wave
    #expect(bytes.count == 44 + 60 * 8_000 * 2)
    #expect(String(decoding: bytes[0..<4] + bytes[8..<16], as: UTF8.self) == "RIFFWAVEfmt ")
    let size = (0..<4).reduce(0) { $0 | Int(bytes[40 + $1]) << (8 * $1) }
    #expect(size == bytes.count - 44)
    let samples = stride(from: 44, to: bytes.count, by: 2).map {
      Int(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8))
    }
    #expect(samples.min() == -200 && samples.max() == 200)
    #expect(String(decoding: TestTone.subtitles, as: UTF8.self).contains("00:00:50.000 --> 00:00:55.000"))
  }
}
