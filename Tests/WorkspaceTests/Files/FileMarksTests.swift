import Foundation
import Testing
import Workspace

@Suite struct FileMarksTests {
  @Test("Marks tell a file that was written, replaced, removed or made, and nothing else")
  func marks() throws {
    let folder = try TemporaryFolder()
    let (path, other) = (try folder.write("a", "one"), folder.path("b"))
    func marks() -> FileMarks { FileMarks(of: [path, other]) }
    func date(_ path: String) throws {
      try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1_000)], ofItemAtPath: path)
    }
    try date(path)
    let first = marks()
    #expect(first == marks())
    // Longer in the same moment.
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.write(contentsOf: Data("longer".utf8))
    try handle.close()
    try date(path)
    #expect(first != marks())
    let second = marks()
    try folder.write("b", "new")
    #expect(second != marks())
    let third = marks()
    try FileManager.default.removeItem(atPath: path)
    #expect(third != marks())
  }
}
