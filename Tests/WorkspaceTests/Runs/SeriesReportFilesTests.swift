import Dispatch
import RunReporting
import Testing

@testable import Workspace

@Suite struct SeriesReportFilesTests {
  private static let id = "01ARZ3NDEKTSV4RRFFQ69G5001"

  @Test(
    "A run that is taken from its folder is in the report of all, also where its events have no end",
    arguments: [0, nil])
  func taken(exit: Int?) throws {
    let folder = try TemporaryFolder()
    try folder.leaveRun(Self.id, of: "qa/only-here.yaml", exit: exit)
    let page = folder.path("all.html")
    let files = try SeriesReportFiles([ReportTarget(.html, page)], of: "qa", in: .living(in: folder))
    #expect(files.take(run: Self.id, in: folder.path("r"), sources: [:], surroundings: .living(in: folder)) == nil)
    let verdict = SeriesVerdict([.init("qa/only-here.yaml", .ran(.error))], seconds: 0, exitCode: 5)
    #expect(files.finish(verdict, until: .now() + .seconds(30)) == [])
    #expect(folder.text("all.html")?.contains(Self.id) == true)
  }

  @Test("A folder without events is told, and nothing is taken")
  func empty() throws {
    let folder = try TemporaryFolder()
    try folder.write("r/\(Self.id)/events.jsonl", "")
    let files = try SeriesReportFiles(
      [ReportTarget(.json, folder.path("all.jsonl"))], of: "qa", in: .living(in: folder))
    let problem = files.take(run: Self.id, in: folder.path("r"), sources: [:], surroundings: .living(in: folder))
    #expect(
      problem?.hasPrefix("cannot read \(folder.path("r"))/\(Self.id) for the reports: ") == true, "\(problem ?? "")")
    _ = files.finish(SeriesVerdict([], seconds: 0, exitCode: 0), until: .now() + .seconds(30))
  }
}
