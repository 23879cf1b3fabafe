import Glibc
import ScenarioLanguage
import Testing

@testable import Workspace

@Suite struct SourceFileReadingTests {
  @Test("A document keeps the name it was asked for by")
  func read() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.yaml", "scenario: A\n")
    #expect(try SourceFile(readingFrom: path) == SourceFile(name: path, bytes: Array("scenario: A\n".utf8)))
  }

  @Test("Of a document that is too large a byte more than the limit is read, for the compiler to see")
  func large() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.yaml", String(repeating: "#", count: (1 << 20) + 5000))
    #expect(try SourceFile(readingFrom: path).bytes.count == (1 << 20) + 1)
  }

  @Test("What cannot be read is told with a cure")
  func failures() throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "")
    try folder.pipe("pipe")
    let check = "check the path; it is relative to the directory the command runs in"
    let redirect = "name it `-` and redirect standard input to read from a pipe or a device"
    let cases: [(path: String, reason: String, help: String?)] = [
      (folder.path("missing"), "No such file or directory", check),
      (folder.path("file/below"), "Not a directory", check),
      (folder.path("pipe"), "it is no regular file", redirect),
      ("/dev/null", "it is no regular file", redirect),
      (folder.path, "it is a folder", "name one of the documents in it; `check`, `run` and `fmt` take folders"),
      (folder.path("\u{FFFD}"), "No such file or directory", "names of files are UTF-8 here: rename it"),
    ]
    for (path, reason, help) in cases {
      #expect(throws: WorkspaceError(.notReadable, "cannot read \(path): \(reason)", help: help)) {
        try SourceFile(readingFrom: path)
      }
    }
    #expect(
      throws: WorkspaceError(
        .commandLineWrong, "a name of a file is empty", help: "is a variable of the shell not set?")
    ) { try SourceFile(readingFrom: "") }
  }

  @Test("A dash is standard input, whatever kind of file it is")
  func standardInput() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let reader = OpenFile(adopting: ends[0])
    let writer = OpenFile(adopting: ends[1])
    try writer.write(Array("scenario: A\n".utf8))
    try writer.close()
    let source = try SourceFile(readingFrom: "-", standardInput: reader.descriptor)
    #expect(source == SourceFile(name: "<stdin>", bytes: Array("scenario: A\n".utf8)))
    #expect(throws: WorkspaceError(.notReadable, "cannot read <stdin>: Bad file descriptor")) {
      try SourceFile(readingFrom: "-", standardInput: -1)
    }
  }

  @Test("A pipe is read where a shell opened it, and nowhere else", arguments: ["/dev/fd/", "/proc/self/fd/"])
  func shellPipe(folder: String) throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let reader = OpenFile(adopting: ends[0])
    let writer = OpenFile(adopting: ends[1])
    try writer.write(Array("scenario: A\n".utf8))
    try writer.close()
    let path = "\(folder)\(reader.descriptor)"
    #expect(try SourceFile(readingFrom: path) == SourceFile(name: path, bytes: Array("scenario: A\n".utf8)))
    // The same pipe under a path that no shell gives.
    let other = "/proc/\(getpid())/fd/\(reader.descriptor)"
    let error = #expect(throws: WorkspaceError.self) { try SourceFile(readingFrom: other) }
    #expect(error?.message == "cannot read \(other): it is no regular file")
    try reader.close()
  }

  @Test("Who may not read a file is told to look at its mode", .enabled(if: geteuid() != 0, "root may read every file"))
  func forbidden() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.yaml", "", mode: 0)
    #expect(
      throws: WorkspaceError(
        .notReadable, "cannot read \(path): Permission denied", help: "you may not read it: see `ls -l`")
    ) { try SourceFile(readingFrom: path) }
  }
}
