import Dispatch
import Glibc
import Testing

@testable import Workspace

@Suite struct ReplacedFileTests {
  @Test("The file has its first text at once, and the last one when it is closed")
  func texts() throws {
    let folder = try TemporaryFolder()
    try folder.write("report", "of an earlier run", mode: 0o640)
    let file = try ReplacedFile(folder.path("report"), mode: 0o666, holding: "not finished")
    #expect(folder.text("report") == "not finished")
    for number in 1...20 { file.write("text \(number)") }
    #expect(file.close(until: .now() + .seconds(10)) == nil)
    #expect(folder.text("report") == "text 20")
    #expect(folder.mode("report") == 0o640)
    #expect(try folder.names() == ["report"])
  }

  @Test("Where no text came the report is missing")
  func missing() throws {
    let folder = try TemporaryFolder()
    let file = try ReplacedFile(folder.path("report"), mode: 0o666, holding: "not finished")
    #expect(
      file.close(until: .now() + .seconds(10))
        == "cannot write \(folder.path("report")): its disk is too slow, the report is missing")
  }

  @Test("A folder that goes away meanwhile is told of at the end")
  func gone() throws {
    let folder = try TemporaryFolder()
    try folder.folder("reports")
    let file = try ReplacedFile(folder.path("reports/report"), mode: 0o666, holding: "not finished")
    unlink(folder.path("reports/report"))
    rmdir(folder.path("reports"))
    file.write("text")
    #expect(
      file.close(until: .now() + .seconds(10))
        == "cannot write \(folder.path("reports/report")): No such file or directory")
  }

  @Test("One that cannot be made is told of at once")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("missing/report")
    #expect(throws: WorkspaceError(.notWritten, "cannot write \(path): No such file or directory")) {
      try ReplacedFile(path, mode: 0o666, holding: "")
    }
  }

  @Test("Only files can be replaced")
  func kinds() throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "")
    try folder.pipe("pipe")
    try folder.link("link", to: "file")
    try folder.link("piped", to: "pipe")
    let cases = [
      (folder.path("file"), true), (folder.path("missing"), true), (folder.path("link"), true), ("-", false),
      (folder.path("pipe"), false), (folder.path("piped"), false), (folder.path, false), ("/dev/null", false),
    ]
    for (path, can) in cases { #expect(ReplacedFile.canBe(at: path) == can, "\(path)") }
  }
}
