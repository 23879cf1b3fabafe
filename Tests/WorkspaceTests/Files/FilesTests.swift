import Glibc
import Testing

@testable import Workspace

@Suite struct FilesTests {
  @Test(
    "A file of at most the limit is read whole, a larger one is refused",
    arguments: [
      (0, 0, true), (0, 10, true), (10, 10, true), (11, 10, false), (1, 0, false), (65_535, 65_536, true),
      (65_536, 65_536, true), (65_537, 65_536, false), (200_000, 1 << 20, true),
    ])
  func limit(size: Int, limit: Int, isRead: Bool) throws {
    let folder = try TemporaryFolder()
    let text = String(repeating: "x", count: size)
    let path = try folder.write("file", text)
    if isRead {
      #expect(try Files.read(path, limit: limit) == Array(text.utf8))
    } else {
      #expect(throws: FileError.tooLarge(limit: limit)) { try Files.read(path, limit: limit) }
    }
  }

  @Test("A file that says it is empty and is not is read whole, and no further than the limit")
  func untold() throws {
    #expect(try Files.read("/proc/self/status", limit: 1 << 20).count > 100)
    #expect(throws: FileError.tooLarge(limit: 100)) { try Files.read("/proc/self/status", limit: 100) }
  }

  @Test("What is no regular file is not read, and nothing waits for it")
  func irregular() throws {
    let folder = try TemporaryFolder()
    try folder.pipe("pipe")
    try folder.link("loop", to: "loop")
    try folder.link("dangling", to: "nowhere")
    let cases: [(String, FileError)] = [
      (folder.path, .irregular(.folder)), (folder.path("pipe"), .irregular(.pipe)), ("/dev/null", .irregular(.device)),
      (folder.path("loop"), .system(ELOOP)), (folder.path("dangling"), .system(ENOENT)),
      (folder.path("missing"), .system(ENOENT)), ("", .system(ENOENT)),
    ]
    for (path, error) in cases {
      #expect(throws: error, "\(path)") { try Files.read(path, limit: 100) }
    }
  }

  @Test("A link is followed unless it must not be")
  func links() throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "text")
    try folder.link("link", to: "file")
    #expect(try Files.read(folder.path("link"), limit: 10) == Array("text".utf8))
    #expect(throws: FileError.system(ELOOP)) { try Files.read(folder.path("link"), limit: 10, followsLink: false) }
  }

  @Test("No program inherits what is opened")
  func inheritance() throws {
    let folder = try TemporaryFolder()
    let file = try Files.open(folder.write("file", ""), O_RDONLY)
    #expect(fcntl(file.descriptor, F_GETFD) & FD_CLOEXEC != 0)
  }

  @Test("A file is closed with its owner, and by closing it, once")
  func closing() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("file", "")
    func number() throws -> Int32 {
      let file = try Files.open(path, O_RDONLY)
      return file.descriptor
    }
    // Others open files, too: what counts is that ours is not the same file any more.
    let node = try #require(folder.status("file")).st_ino
    func isOpen(_ number: Int32) -> Bool {
      var status = stat()
      return fstat(number, &status) == 0 && status.st_ino == node
    }
    #expect(!isOpen(try number()))
    let kept = try Files.open(path, O_RDONLY).release()
    #expect(isOpen(kept))
    try OpenFile(adopting: kept).close()
    #expect(!isOpen(kept))
  }

  @Test("Folders are made with those they lie in, for their owner alone; what is there stays")
  func folders() throws {
    let folder = try TemporaryFolder()
    try folder.folder("there")
    chmod(folder.path("there"), 0o755)
    try Files.makeFolders(folder.path("there/a/b"))
    try Files.makeFolders(folder.path("there/a/b"))
    #expect(folder.mode("there") == 0o755)
    #expect(folder.mode("there/a") == 0o700)
    #expect(folder.mode("there/a/b") == 0o700)
    try folder.write("file", "")
    #expect(throws: FileError.system(ENOTDIR)) { try Files.makeFolders(folder.path("file/a")) }
  }

  @Test("Storing empties a file that is there, and keeps it the same one")
  func store() throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "something long", mode: 0o640)
    let node = folder.status("file")?.st_ino
    try Files.store(Array("new".utf8), at: folder.path("file"), mode: 0o600)
    #expect(folder.text("file") == "new")
    #expect(folder.status("file")?.st_ino == node)
    #expect(folder.mode("file") == 0o640)
    try Files.store([], at: folder.path("other"), mode: 0o600)
    #expect(folder.mode("other") == 0o600)
    #expect(throws: FileError.system(ENOENT)) { try Files.store([], at: folder.path("no/file"), mode: 0o600) }
  }

  @Test(
    "The folder of a path is what is before its last slash",
    arguments: [("a/b/c", "a/b"), ("c", "."), ("/c", "/"), ("/", "/"), ("a/", "a"), ("", ".")])
  func folderOfPath(path: String, folder: String) { #expect(Files.folder(of: path) == folder) }

  @Test("What stands at a path is told behind links")
  func kinds() throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "")
    try folder.pipe("pipe")
    for name in ["file", "pipe", ".", "missing"] { try folder.link("to-\(name == "." ? "folder" : name)", to: name) }
    #expect(Files.kind(of: folder.path("to-file")) == .regular)
    #expect(Files.kind(of: folder.path("to-pipe")) == .pipe)
    #expect(Files.kind(of: folder.path("to-folder")) == .folder)
    #expect(Files.kind(of: folder.path("to-missing")) == nil)
    #expect(Files.kind(of: "/dev/null") == .device)
  }

  @Test(
    "A file has its place below a folder whether it is there or not, behind links, and not beside it",
    arguments: [
      ("d/gone.yaml", true), ("d/more/gone.yaml", true), ("to-d/gone.yaml", true), ("d/./gone.yaml", true),
      ("d/../gone.yaml", false), ("dd/gone.yaml", false), ("gone.yaml", false), ("d/file", true),
    ])
  func place(path: String, isBelow: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write("d/file", "")
    try folder.folder("dd")
    try folder.link("to-d", to: "d")
    #expect(Files.isPlace(of: folder.path(path), below: folder.path("d")) == isBelow)
    #expect(Files.isPlace(of: folder.path(path), below: folder.path("to-d")) == isBelow)
    #expect(Files.isPlace(of: folder.path(path), below: "/"))
    #expect(!Files.isPlace(of: folder.path(path), below: folder.path("d/file")))
    #expect(!Files.isPlace(of: folder.path(path), below: folder.path("nowhere")))
  }
}
