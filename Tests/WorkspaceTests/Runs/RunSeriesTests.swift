import CastProtocol
import Foundation
import Testing
import Workspace

/// Which runs belong together, as their folders say it.
@Suite struct RunSeriesTests {
  @Test("What was stored in a run's folder is read again")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    var series = RunSeries(first: "01", documents: ["qa/a.yaml", "Ünïcode \"b\".yaml"])
    for rows: [String: [JSONObject]] in [[:], ["qa/a.yaml": [["lang": "no", "n": 1], ["lang": "no", "n": "1"]]]] {
      series.rows = rows
      try series.store(in: folder.path)
      #expect(RunSeries(in: folder.path) == series)
    }
  }

  static let texts = ["", "{", "[]", "{\"v\":1}", "{\"v\":1,\"first\":1,\"documents\":[]}"]

  @Test("A file that is none says nothing", arguments: texts)
  func damaged(text: String) throws {
    let folder = try TemporaryFolder()
    #expect(RunSeries(in: folder.path) == nil)
    try Data(text.utf8).write(to: URL(filePath: "\(folder.path)/\(RunSeries.file)"))
    #expect(RunSeries(in: folder.path) == nil)
  }

  @Test("Where it cannot be written, the run does not begin")
  func notWritten() throws {
    #expect(throws: WorkspaceError.self) {
      try RunSeries(first: "01", documents: []).store(in: "/proc/nonexistent")
    }
  }
}
