import Dispatch
import RunReporting
import Testing

@testable import Workspace

@Suite struct ReportTargetTests {
  @Test(
    "A report is a kind and a path",
    arguments: [
      ("junit=out.xml", "junit", "out.xml"), ("json=-", "json", "-"), ("console=a=b", "console", "a=b"),
      ("junit=", nil, nil), ("junit", nil, nil), ("pdf=a", nil, nil), ("=a", nil, nil),
    ] as [(String, String?, String?)])
  func spelled(text: String, kind: String?, path: String?) {
    let target = ReportTarget(spelled: text)
    #expect(target?.kind.name == kind && target?.path == path)
  }

  @Test("Two reports do not go to one file, under whatever names")
  func shared() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a", "")
    try folder.link("b", to: file)
    let other = folder.path("c")
    try ReportTarget.refuseSharedFiles([ReportTarget(.junit, file), ReportTarget(.json, other)])
    for (path, names) in [(file, file), (folder.path("b"), "\(file) and \(folder.path("b"))")] {
      #expect(
        throws: WorkspaceError(
          .commandLineWrong, "two reports go to the same file: \(names)", help: "give each a file of its own")
      ) { try ReportTarget.refuseSharedFiles([ReportTarget(.junit, file), ReportTarget(.json, path)]) }
    }
  }

  @Test("A JUnit file says from the start that the run is not finished, and a run's own report replaces that")
  func unfinished() throws {
    let folder = try TemporaryFolder()
    let file = try ReportTarget(.junit, folder.path("out.xml")).open(of: "a.yaml", in: .living(in: folder))
    #expect(folder.text("out.xml")?.contains("the run did not finish") == true)
    file.write("whole")
    #expect(file.close(until: .distantFuture) == nil && folder.text("out.xml") == "whole")
  }

  @Test("Why there was no run is said in JUnit files alone")
  func notice() throws {
    let folder = try TemporaryFolder()
    let notice = RunNotice(of: "a.yaml", .notRun, "no such device", at: 0)
    for kind in ReportKind.all { ReportTarget(kind, folder.path(kind.name)).tell(notice, in: .living(in: folder)) }
    #expect(try folder.names() == ["junit"])
    #expect(folder.text("junit")?.contains("message=\"no such device\"") == true)
  }
}
