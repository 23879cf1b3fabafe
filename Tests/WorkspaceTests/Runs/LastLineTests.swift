import Glibc
import RunReporting
import ScenarioLanguage
import Testing

@testable import Workspace

/// The mark that the last command line leaves, where something is in its way.
@Suite struct LastLineTests {
  @Test("A mark that cannot be used says why, and how to make it anew")
  func damaged() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("r/\(LastLine.file)", "")
    func message() -> String? {
      do {
        _ = try LastLine(in: folder.path("r"))
        return nil
      } catch {
        #expect(error.code == .commandLineWrong)
        #expect(error.help == "run the documents without --last-failed; that writes it anew")
        return error.message
      }
    }
    let start = "cannot tell how the last command line ended: cannot use \(path): "
    for text in [
      #"{"v":1,"files":["a",1],"tags":[],"only":[],"exit":0}"#, #"{"v":1,"files":[],"tags":[],"only":[],"exit":"0"}"#,
      #"{"v":1,"files":[[[[["a"]]]]],"tags":[],"only":[],"exit":0}"#,
    ] {
      try folder.write("r/\(LastLine.file)", text)
      #expect(message() == start + "it is not what a run writes", "\(text)")
    }
    try #require(truncate(path, 16 << 20 + 1) == 0)
    #expect(message() == start + "it is larger than 16384 KiB")
    unlink(path)
    #expect(message() == nil, "without a mark there is nothing wrong")
    try folder.pipe("r/\(LastLine.file)")
    #expect(message() == start + "it is a pipe")
  }

  @Test("A mark is its owner's alone, and a folder of runs that is none has no mark")
  func place() throws {
    let folder = try TemporaryFolder()
    try folder.folder("r")
    try LastLine(files: ["a"], exitCode: 0).store(in: folder.path("r"))
    #expect(folder.mode("r/\(LastLine.file)") == 0o600)
    try folder.write("file", "")
    #expect(try LastLine(in: folder.path("file")) == nil)
  }

  @Test("A mark that cannot be written is a warning, for whatever else the command line came to")
  func warning() throws {
    let folder = try TemporaryFolder()
    let heard = HeardMessages()
    try folder.folder("r/\(LastLine.file)")
    let record = LastLineRecord(
      of: .init(files: ["qa"], selection: DocumentSelection(), isLastFailed: false), in: folder.path("r"),
      surroundings: .living(in: folder, heardBy: heard))
    record.end(.passed)
    let path = folder.path("r/\(LastLine.file)")
    #expect(
      heard.lines == ["warning: cannot write \(path): Is a directory; --last-failed does not know this run"])
  }
}
