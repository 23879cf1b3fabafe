import Conformance
import Testing

@testable import Workspace

@Suite struct ScratchFolderTests {
  @Test("What a killed process left is removed by the next one; what is in use, just being made or none of ours stays")
  func abandoned() throws {
    let folder = try TemporaryFolder()
    let used = try ScratchFolder("ours-", in: folder.path)
    // A lock that nobody holds, none for longer than it takes to make one, and none yet.
    try folder.write("ours-killed/showcaller.lock", "")
    try folder.write("ours-killed/media.seek.yaml", "x")
    try folder.write("ours-old/showcaller.lock.new", "")
    try folder.age("ours-old", ScratchFolder.lockless + 60)
    try folder.folder("ours-new")
    try folder.write("other/showcaller.lock", "")
    try folder.link("ours-link", to: folder.path("other"))
    let next = try ScratchFolder("ours-", in: folder.path)
    let mine = [used, next].map { String($0.path.dropFirst(folder.path.count + 1)) }
    #expect(try folder.names() == (mine + ["other", "ours-link", "ours-new"]).sorted())
    #expect(try folder.names("other") == ["showcaller.lock"])
    used.remove()
    next.remove()
    #expect(try folder.names() == ["other", "ours-link", "ours-new"])
  }

  @Test("A suite's temporary folder is one, made where TMPDIR says and removed with all that is in it")
  func suite() throws {
    let folder = try TemporaryFolder()
    try folder.write("showcaller-conform-killed/showcaller.lock", "")
    let surroundings = Surroundings.living(in: folder, ["TMPDIR=\(folder.path)"])
    let made = try ConformanceFolder.temporary(ConformanceCheck.all, in: surroundings)
    #expect(try folder.names().map { folder.path($0) } == [made.path])
    #expect(folder.mode(String(made.path.dropFirst(folder.path.count + 1))) == 0o700)
    made.remove()
    #expect(try folder.names() == [])
    #expect(throws: WorkspaceError.self) {
      try ConformanceFolder.temporary([], in: .living(in: folder, ["TMPDIR=\(folder.path("none"))"]))
    }
  }
}
