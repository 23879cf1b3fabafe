import RunReporting
import TestSupport
import Testing

@testable import Workspace

@Suite struct MergedRunsTests {
  private static func event(_ number: Int, _ kind: EventKind) -> String {
    EventRecord(Event(number: number, wallTime: 0, elapsed: 0, kind: kind)).jsonLine + "\n"
  }

  private static func leave(_ id: String, resumes: String?, exit: Int?, in folder: TemporaryFolder) throws {
    var (started, document) = (EventKind.RunStarted(), EventKind.RunStarted.Document())
    document.file = "film.yaml"
    (started.run, started.resumes, started.documents) = (id, resumes, [document])
    var lines = event(1, .runStarted(started))
    if let exit {
      var finished = EventKind.RunFinished()
      (finished.exit, finished.result) = (exit, exit == 0 ? .passed : .failed)
      lines += event(2, .runFinished(finished))
    }
    try folder.write("r/\(id)/events.jsonl", lines)
  }

  static let cases: [(resumes: String?, exit: Int?, end: String, leftOut: Int)] = [
    ("01RUNA", 0, "PASSED 1 of 1 document in 0.0s · exit 0", 1),
    ("01RUNA", 1, "FAILED 1 of 1 document: film.yaml in 0.0s · exit 1", 1),
    (nil, 0, "ERROR 1 of 1 document: film.yaml in 0.0s · exit 5", 0),
    ("01OTHER", 0, "ERROR 1 of 1 document: film.yaml in 0.0s · exit 5", 0),
  ]

  @Test("A run that another of the merged ones has gone on with does not count, wherever it stands", arguments: cases)
  func resumed(resumes: String?, exit: Int?, end: String, leftOut: Int) throws {
    for isReversed in [false, true] {
      let folder = try TemporaryFolder()
      try Self.leave("01RUNA", resumes: nil, exit: nil, in: folder)
      try Self.leave("01RUNB", resumes: resumes, exit: exit, in: folder)
      let stored = try ["01RUNA", "01RUNB"].map {
        try StoredRun(folder.path("r/\($0)"), in: "", surroundings: .living(in: folder))
      }
      let merged = try MergedRuns(isReversed ? stored.reversed() : stored)
      #expect(merged.leftOut.map(\.run) == (leftOut == 1 ? ["01RUNA"] : []))
      let failures = try merged.write(
        [ReportTarget(.console, folder.path("out"))], hash: { _ in nil }, in: .living(in: folder))
      #expect(failures.isEmpty)
      #expect(folder.text("out")?.hasSuffix(end + "\n") == true, "\(folder.text("out") ?? "")")
    }
  }
}
