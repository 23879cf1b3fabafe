import Glibc
import Testing

@testable import Workspace

@Suite struct OpenFolderTests {
  @Test("Only a folder is opened as one, and the names in it are all but its own and that of the one around it")
  func names() throws {
    let folder = try TemporaryFolder()
    for name in ["file", ".hidden", "é"] { try folder.write(name, "") }
    try folder.folder("inner")
    try folder.link("link", to: "inner")
    let open = try #require(OpenFolder(folder.path))
    #expect(Set(open.names) == ["file", ".hidden", "é", "inner", "link"])
    #expect(Set(open.names).count == open.names.count, "they can be asked for again")
    #expect(OpenFolder(folder.path("file")) == nil && OpenFolder(folder.path("missing")) == nil)
    #expect(OpenFolder(folder.path("link")) != nil, "the way to it may be a link")
  }

  @Test("From an open folder no link is followed, neither to a folder nor to a file")
  func links() throws {
    let folder = try TemporaryFolder()
    try folder.write("inner/file", "text")
    try folder.link("folder-link", to: "inner")
    try folder.link("file-link", to: "inner/file")
    let open = try #require(OpenFolder(folder.path))
    #expect(open.folder("inner")?.names == ["file"] && open.folder("folder-link") == nil)
    #expect(throws: FileError.system(ELOOP)) { _ = try open.file("file-link") }
    #expect(open.status(of: "file-link").map(FileKind.init) == .link)
    let inner = try #require(open.folder("inner"))
    #expect(try inner.file("file").contents(limit: 9) == Array("text".utf8))
    #expect(inner.status(of: "missing") == nil)
  }

  @Test("It stays the same folder when another takes its path")
  func renamed() throws {
    let folder = try TemporaryFolder()
    try folder.write("one/old", "")
    let open = try #require(OpenFolder(folder.path("one")))
    try #require(rename(folder.path("one"), folder.path("two")) == 0)
    try folder.write("one/new", "")
    #expect(open.names == ["old"])
    open.makeFile("mark")
    #expect(try folder.names("two") == ["mark", "old"] && folder.names("one") == ["new"])
    #expect(folder.mode("two/mark") == 0o600)
  }

  @Test("A mark is made where there is none, and takes the place of nothing")
  func marks() throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "text")
    try folder.link("link", to: "elsewhere")
    let open = try #require(OpenFolder(folder.path))
    for name in ["file", "link"] { open.makeFile(name) }
    #expect(folder.text("file") == "text")
    #expect(try folder.names() == ["file", "link"])
  }

  @Test("What is removed is a file or an empty folder, as it is asked for")
  func removal() throws {
    let folder = try TemporaryFolder()
    try folder.write("full/file", "")
    try folder.folder("empty")
    let open = try #require(OpenFolder(folder.path))
    open.remove("empty", isFolder: false)
    open.remove("full", isFolder: true)
    #expect(try folder.names() == ["empty", "full"])
    open.remove("empty", isFolder: true)
    open.folder("full")?.remove("file", isFolder: false)
    #expect(try folder.names() == ["full"] && folder.names("full").isEmpty)
  }

  @Test("When something was last made or removed in it is known")
  func changed() throws {
    let folder = try TemporaryFolder()
    try folder.folder("inner")
    try folder.age("inner", 5000)
    let then = try #require(folder.status("inner")).st_mtim.tv_sec
    let open = try #require(OpenFolder(folder.path("inner")))
    #expect(open.changed == then)
    open.makeFile("mark")
    #expect(try #require(open.changed) > then)
  }
}
