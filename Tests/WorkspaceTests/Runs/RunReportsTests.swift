import Dispatch
import RunReporting
import ScenarioLanguage
import TestSupport
import Testing

@testable import Workspace

@Suite struct RunReportsTests {
  private static let id = "01ARZ3NDEKTSV4RRFFQ69G5001"
  private static let texts = ["qa/ads.yaml": SampleRun.source]

  private static func document() throws -> RunnableDocument {
    let text = "scenario: Film\ndevice: TV\nsteps: [{ log: hello }]\n"
    let source = SourceFile(name: "film.yaml", bytes: Array(text.utf8))
    return try #require(RunnableDocument(PlanCompiler.compile(source, inputs: PlanCompiler.Inputs()).plans))
  }

  private static func reports(_ wanted: RunReports.Wanted, in folder: TemporaryFolder) throws -> RunReports {
    try RunReports(
      wanted, in: folder.path("runs"), runID: id, document: document(), sources: texts,
      arguments: RunArguments([], seed: 1), isKept: false, surroundings: .living(in: folder),
      console: { _ in ConsoleReport(offeringTo: { _, _ in true }) })
  }

  @Test("A run's events are stored, and every report that was asked for is made of them, then and later")
  func own() throws {
    let folder = try TemporaryFolder()
    let targets = ReportKind.all.map { ReportTarget($0, folder.path("out.\($0.name)")) }
    let reports = try Self.reports(.own(targets), in: folder)
    #expect(reports.ending == nil)
    for event in SampleRun.events { reports.record(event) }
    #expect(reports.finish(until: .now() + .seconds(5)) == [])
    #expect(reports.ending?.result == .failed && reports.ending?.seconds == 38)
    let stored = try StoredRun(Self.id, in: folder.path("runs"), surroundings: .living(in: folder))
    for kind in ReportKind.all {
      let remade = try RemadeReport(
        ReportTarget(kind, folder.path("again")), sources: ReportSources(Self.texts), in: .living(in: folder))
      #expect(try stored.read { remade.record($0) }.isFinished)
      #expect(remade.finish() == nil)
      let text = try #require(folder.text("out.\(kind.name)"))
      #expect(!text.isEmpty && folder.text("again") == text, "\(kind.name)")
    }
  }

  @Test("From the begin on a report says which command tells what became of the run", arguments: ["html", "junit"])
  func begun(kind: String) throws {
    let folder = try TemporaryFolder()
    let target = ReportTarget(try #require(ReportKind(named: kind)), folder.path("out"))
    let reports = try Self.reports(.own([target]), in: folder)
    let text = try #require(folder.text("out"))
    #expect(text.contains("showcaller report \(Self.id) --runs \(folder.path("runs"))"), "\(text)")
    _ = reports.finish(until: .now() + .seconds(5))
  }

  @Test("A run of several leaves its reports to the file of all, and says in its folder which belong together")
  func shared() throws {
    let folder = try TemporaryFolder()
    let files = try SeriesReportFiles(
      [ReportTarget(.junit, folder.path("all.xml"))], of: "suite", in: .living(in: folder))
    #expect(folder.text("all.xml")?.contains("suite") == true)
    let series = RunSeries(first: Self.id, documents: ["film.yaml", "b.yaml"])
    let reports = try Self.reports(.shared(files, series), in: folder)
    for event in SampleRun.events { reports.record(event) }
    #expect(reports.finish(until: .now() + .seconds(5)) == [])
    files.record(.notBegun("b.yaml", because: "interrupted", at: 0))
    let verdict = SeriesVerdict(
      [.init("film.yaml", .ran(.failed)), .init("b.yaml", .notRun)], seconds: 38, exitCode: 1)
    #expect(files.finish(verdict, until: .now() + .seconds(5)) == [])
    #expect(folder.text("all.xml")?.contains("not run: interrupted") == true)
    #expect(RunSeries(in: folder.path("runs/\(Self.id)")) == series)
    // The last run is of both, and neither passed.
    let last = try LastRun(in: folder.path("runs"), surroundings: .living(in: folder))
    #expect(last.documents.map(\.file) == series.documents && last.unpassed.count == 2)
  }

  @Test("What cannot be written is known before the run begins, and leaves no folder of it")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    let target = ReportTarget(.json, folder.path("nowhere/out.json"))
    #expect(throws: WorkspaceError.self) { try Self.reports(.own([target]), in: folder) }
    #expect(try folder.names() == [])
    // Nor does one whose folder is there already.
    try folder.folder("runs/\(Self.id)/\(RunSeries.file)")
    let files = try SeriesReportFiles([], of: "suite", in: .living(in: folder))
    #expect(throws: WorkspaceError.self) {
      try Self.reports(.shared(files, RunSeries(first: Self.id, documents: [])), in: folder)
    }
    #expect(try folder.names("runs") == [])
    try Self.reports(.own([]), in: folder).abandon()
    #expect(try folder.names("runs") == [])
    #expect(throws: WorkspaceError.self) {
      try RemadeReport(target, sources: [:], in: .living(in: folder))
    }
  }
}
