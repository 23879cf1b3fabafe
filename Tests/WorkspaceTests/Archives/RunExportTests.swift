import CastProtocol
import Dispatch
import RunReporting
import Testing

@testable import Workspace

/// What a run is in one file.
@Suite struct RunExportTests {
  private static let id = "01ARZ3NDEKTSV4RRFFQ69G5001"

  @Test("The page at the top of an archive leads to pictures beside it; a page elsewhere names them only")
  func links() throws {
    let folder = try TemporaryFolder()
    var (started, document) = (EventKind.RunStarted(), EventKind.RunStarted.Document())
    document.file = "qa/ads.yaml"
    (started.run, started.documents) = (Self.id, [document])
    var (scenario, step) = (EventKind.ScenarioStarted(), EventKind.StepStarted())
    (scenario.attempt, step.verb, step.name) = (1, "expect", "expect player")
    var failed = EventKind.StepFinished()
    failed.result = .failed
    let kinds: [(step: String?, kind: EventKind)] = [
      (nil, .runStarted(started)), (nil, .scenarioStarted(scenario)), ("s1", .stepStarted(step)),
      ("s1", .screenshot(.init(receiver: "TV", path: "screenshots/s1.png"))), ("s1", .stepFinished(failed)),
    ]
    let lines = kinds.enumerated().map { index, event in
      EventRecord(
        Event(number: index + 1, wallTime: 0, elapsed: 0, device: "tv", step: event.step, kind: event.kind)
      ).jsonLine + "\n"
    }
    try folder.write("r/\(Self.id)/events.jsonl", lines.joined())
    try folder.write("r/\(Self.id)/options.json", RunArguments([], seed: 1).json.serialized())
    try folder.write("r/\(Self.id)/screenshots/s1.png", "no picture")
    let stored = try StoredRun(Self.id, in: folder.path("r"), surroundings: .living(in: folder))
    let archive = try RunExport(stored, hash: { _ in nil }).archive()
    let link = #"<a href="screenshots/s1.png">"#
    #expect(String(decoding: archive, as: UTF8.self).contains(link))
    let (sources, _) = try stored.readSources()
    let page = folder.path("page.html")
    let files = try SeriesReportFiles([ReportTarget(.html, page)], of: "qa", in: .living(in: folder))
    let problem = files.take(run: Self.id, in: folder.path("r"), sources: [:], surroundings: .living(in: folder))
    #expect(problem == nil && sources.run.run == Self.id)
    #expect(files.finish(SeriesVerdict([], seconds: 0, exitCode: 0), until: .now() + .seconds(30)) == [])
    let text = try #require(folder.text("page.html"))
    #expect(text.contains("<code>screenshots/s1.png</code>") && !text.contains(link))
  }
}
