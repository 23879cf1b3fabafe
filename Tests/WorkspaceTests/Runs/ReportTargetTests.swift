import Dispatch
import Glibc
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

  @Test("Why there was no run is said in reports that are one document, and in no other")
  func notice() throws {
    let folder = try TemporaryFolder()
    let notice = RunNotice(of: "a.yaml", .notRun, "no such device", at: 0)
    for kind in ReportKind.all { ReportTarget(kind, folder.path(kind.name)).tell(notice, in: .living(in: folder)) }
    #expect(try folder.names() == ["ctrf", "github", "html", "junit", "markdown", "otlp", "tap", "trace"])
    #expect(folder.text("html")?.contains("<b>no such device</b>") == true)
    #expect(folder.text("junit")?.contains("message=\"no such device\"") == true)
  }

  @Test("What is read is refused as the place of a report, under whatever name; standard input and output are no files")
  func overwriting() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a.yaml", "")
    try folder.link("link", to: file)
    func refuse(_ path: String, _ files: [String]) throws {
      try ReportTarget.refuse([ReportTarget(.json, folder.path("free")), ReportTarget(.junit, path)], over: files)
    }
    for (path, names) in [(file, file), (folder.path("link"), "\(folder.path("link")), which is \(file)")] {
      #expect(
        throws: WorkspaceError(
          .commandLineWrong, "a report would overwrite \(names)", help: "give the report a file of its own")
      ) { try refuse(path, ["-", file]) }
    }
    try refuse("-", ["-", "<stdin>"])
    try refuse(folder.path("other"), [file])
    // A file of that name would be another one.
    try refuse("<stdin>", ["<stdin>"])
  }

  @Test("How a report is asked for names every kind there is")
  func usage() {
    for kind in ReportKind.all { #expect(ReportTarget.usage.contains("`\(kind.name)=PATH`"), "\(kind.name)") }
  }

  @Test("A pipe gets the report alone: neither a first text nor anything in its place")
  func pipe() throws {
    let folder = try TemporaryFolder()
    try folder.pipe("pipe")
    let reader = try Files.open(folder.path("pipe"), O_RDONLY)
    let target = ReportTarget(.junit, folder.path("pipe"))
    let file = try target.open(of: "a.yaml", in: .living(in: folder))
    file.write("whole")
    #expect(file.close(until: .now() + .seconds(10)) == nil)
    #expect(try Descriptor.read(reader.descriptor, atMost: 100) == Array("whole".utf8))
    // Why there was no run is the report then.
    target.tell(RunNotice(of: "a.yaml", .notRun, "no device", at: 0), in: .living(in: folder))
    let text = String(decoding: try Descriptor.read(reader.descriptor, atMost: 10_000), as: UTF8.self)
    #expect(text.contains("message=\"no device\""))
    #expect(try folder.names() == ["pipe"])
  }

  @Test("What goes wrong with a report of no run is nobody's concern")
  func untold() throws {
    let folder = try TemporaryFolder()
    let notice = RunNotice(of: "a.yaml", .notRun, "no device", at: 0)
    for path in [folder.path("no/out.xml"), folder.path, "/dev/full"] {
      ReportTarget(.junit, path).tell(notice, in: .living(in: folder))
    }
    #expect(try folder.names() == [])
  }

  @Test("The reports of one run go to files of their own, and each that is not whole is told of")
  func files() throws {
    let folder = try TemporaryFolder()
    let targets = [ReportTarget(.json, folder.path("out")), ReportTarget(.console, folder.path("out"))]
    #expect(throws: WorkspaceError.self) {
      try ReportFiles(targets, of: "a.yaml", sources: [:], in: .living(in: folder))
    }
    let files = try ReportFiles(
      [targets[0], ReportTarget(.json, "/dev/full")], of: "a.yaml", sources: [:], in: .living(in: folder))
    files.record(Event(number: 1, wallTime: 0, elapsed: 1, kind: .runFinished(.init())))
    #expect(files.finish(until: .now() + .seconds(10)) == ["cannot write /dev/full: No space left on device"])
    #expect(folder.text("out")?.contains("run.finished") == true)
  }
}
