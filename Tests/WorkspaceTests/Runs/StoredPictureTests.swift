import Glibc
import RunReporting
import Testing

@testable import Workspace

/// What reports get of a stored run besides its events.
@Suite struct StoredPictureTests {
  private static let id = "01ARZ3NDEKTSV4RRFFQ69G5001"

  @Test("Pictures are files of `screenshots/` alone; links, other folders and longer files are none")
  func pictures() throws {
    let folder = try TemporaryFolder()
    let run = folder.path("runs/\(Self.id)")
    try folder.write("runs/\(Self.id)/events.jsonl", "")
    try folder.write("runs/\(Self.id)/screenshots/s1.png", "picture")
    try folder.write("runs/\(Self.id)/secret.png", "secret")
    #expect(symlink("\(run)/secret.png", "\(run)/screenshots/link.png") == 0)
    #expect(symlink("\(run)/screenshots", "\(run)/linked") == 0)
    let files = RunFiles.folder(events: "\(run)/events.jsonl")
    #expect(files.picture("screenshots/s1.png", limit: 7) == Array("picture".utf8))
    #expect(files.picture("screenshots/s1.png", limit: 6) == nil)
    for path in [
      "screenshots/link.png", "linked/s1.png", "secret.png", "screenshots/../secret.png", "screenshots/", "screenshots",
      "/etc/passwd", "screenshots/nothing.png", "",
    ] {
      #expect(files.picture(path, limit: 1000) == nil, "\(path)")
    }
    #expect(RunFiles.input([]).picture("screenshots/s1.png", limit: 7) == nil)
  }
}
