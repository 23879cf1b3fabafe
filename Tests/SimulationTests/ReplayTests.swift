import CastProtocol
import Foundation
import RunReporting
import ScenarioLanguage
import TestSupport
import Testing

@testable import CastReceiver

@testable import ScenarioRunner
@testable import Simulation

/// A run, and what its own document comes to on what it recorded.
@Suite struct ReplayTests {
  static func document(_ text: String, named name: String = "a.yaml") throws -> RunnableDocument {
    let compiled = PlanCompiler.compile(SourceFile(name: name, bytes: Array(text.utf8)))
    guard case .scenario? = compiled.document, let document = RunnableDocument(compiled.plans) else {
      throw ScenarioSimulationTests.CompileFailure(problems: compiled.diagnostics.map { "\($0.code) \($0.message)" })
    }
    return document
  }

  static func example(_ name: String) throws -> RunnableDocument {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try document(try String(contentsOf: root.appending(path: "examples/\(name).yaml"), encoding: .utf8))
  }

  /// The events of a simulated run, as they are read back from its folder.
  static func events(
    of document: RunnableDocument, faults: [String] = [], seed: UInt64 = 1, recording: Recording? = nil
  ) throws -> [Event] {
    var simulation = ScenarioSimulation()
    if let recording {
      simulation.accept = { channel, times in
        var configuration = ReceiverConfiguration(id: "recorded")
        configuration.recording = recording
        VirtualReceiver(configuration: configuration, times: times).accept(channel)
      }
    }
    if !faults.isEmpty { simulation.faults = try FaultTests.plan(faults) }
    let kept = KeptEvents()
    var configuration = RunConfiguration(runID: "TEST", toolVersion: "test", wallClock: { 1_767_225_600 })
    configuration.seed = seed
    _ = try simulation.run(document, configuration: configuration, reportingTo: kept)
    var (events, reader) = ([Event](), StoredEventReader())
    for event in kept.all { reader.read(Array((EventRecord(event).jsonLine + "\n").utf8)[...]) { events.append($0) } }
    reader.end { events.append($0) }
    return events
  }

  /// `s5 passed→failed` for each that is judged otherwise; a device that was lost decides nothing.
  static func changes(_ events: [Event], of run: RunnableDocument, with edited: RunnableDocument) -> [String] {
    RunReplay(events, of: run, with: edited).judged().compactMap { judged in
      // What ended a step that judged nothing decides nothing now.
      if case .undecided(let reason) = judged.now, reason.hasSuffix("ended it") || reason == "the device was lost" {
        return judged.before == false ? nil : "\(judged)"
      }
      guard judged.isChanged else { return nil }
      let before = judged.before.map { $0 ? "passed" : "failed" } ?? "new"
      return "\(judged.step ?? judged.name) \(before)→\(judged.now)"
    }
  }

  @Test(
    "Every example is judged on what its run recorded as it was judged live", arguments: ["hello", "ads", "screens"])
  func examples(name: String) throws {
    let document = try Self.example(name)
    let events = try Self.events(of: document)
    let judged = RunReplay(events, of: document, with: document).judged()
    #expect(Self.changes(events, of: document, with: document) == [], "\(name)")
    let live = events.count { [.expectPassed, .expectFailed].contains($0.type) }
    #expect(judged.count > 0 && live > 0)
  }

  @Test("So is each of them with every fault of the truth table", arguments: TruthTableTests.rows.map(\.fault))
  func faults(fault: String) throws {
    for name in ["hello", "ads"] {
      let document = try Self.example(name)
      let events = try Self.events(of: document, faults: [fault])
      #expect(Self.changes(events, of: document, with: document) == [], "\(name) with \(fault)")
    }
  }

  private static let recordings: [String] =
    (try? Reference.files(in: "recordings").filter { $0.hasSuffix(".json") && $0 != "mdns-and-setup.json" }) ?? []

  /// What any device may be asked; most of it fails on most of them.
  private static let questions = """
    scenario: Questions
    device: Living Room TV
    session: { leave: keep }
    takeover: ignore
    media: { film: { url: https://cdn.example.com/film.mp4, duration: 5m } }
    watch:
      - { name: No pause, never: { player: paused }, if_fails: continue }
      - { name: Heard, always: { volume: { muted: false } }, if_fails: continue }
    steps:
      - { expect: { volume: { level: { min: 50% } } }, within: 2s, if_fails: continue }
      - { expect: { app: { id: CC1AD845 } }, within: 0s, if_fails: continue }
      - { launch: default, if_fails: continue }
      - { load: film, timeout: 10s, if_fails: continue }
      - { expect: { player: playing }, within: 3s, if_fails: continue }
      - { expect: { position: { above: 2s } }, within: 20s, if_fails: continue }
      - { always: { player: playing }, during: 10s, if_fails: continue }
      - { never: { player: buffering }, during: 10s, if_fails: continue }
      - { expect_sequence: [{ player: buffering }, { player: playing }], within: 2s, if_fails: continue }
      - { expect: { title: { exists: true } }, within: 0s, if_fails: continue }

    """

  @Test(
    "So is what published recordings of devices answer", .enabled(if: Reference.has("recordings")),
    arguments: recordings)
  func published(name: String) throws {
    let recording = try Recording(parsing: Reference.bytes("recordings/\(name)"))
    let document = try Self.document(Self.questions)
    let events = try Self.events(of: document, recording: recording)
    #expect(Self.changes(events, of: document, with: document) == [], "\(name)")
    #expect(events.contains { $0.type == .status })
  }
}
