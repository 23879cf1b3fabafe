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
      series.left = rows.isEmpty ? [] : [.init("c.yaml"), .init("qa/a.yaml", rows: [["lang": "en"]])]
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

  @Test("Rows that cannot be read whole are none, so that all of their document are run again")
  func damagedRows() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      RunSeries.file,
      #"{"v":1,"first":"01","documents":["a",1,"b"],"rows":{"a":[{"n":1}],"b":[{"n":1},2],"c":"all","d":[]}}"#)
    let series = try #require(RunSeries(in: folder.path))
    #expect(series.documents == ["a", "b"])
    #expect(series.rows == ["a": [["n": 1]], "c": [], "d": []])
    try folder.write(
      RunSeries.file,
      #"{"v":1,"first":"01","documents":[],"left":[{"file":"a","rows":[1]},{"rows":[]},2,{"file":"b","rows":[{}]}]}"#)
    #expect(RunSeries(in: folder.path)?.left == [.init("a"), .init("b", rows: [[:]])])
  }

  @Test("A link or a folder in its place says nothing, and the file is its owner's alone")
  func place() throws {
    let folder = try TemporaryFolder()
    try RunSeries(first: "01", documents: ["a"]).store(in: folder.path)
    #expect(folder.mode(RunSeries.file) == 0o600)
    try folder.folder("run/\(RunSeries.file)")
    #expect(RunSeries(in: folder.path("run")) == nil)
    #expect(
      throws: WorkspaceError(
        .notWritten, "cannot write \(folder.path("run/\(RunSeries.file)")): Is a directory")
    ) { try RunSeries(first: "01", documents: []).store(in: folder.path("run")) }
  }
}
