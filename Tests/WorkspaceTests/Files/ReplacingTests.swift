import Glibc
import Testing

@testable import Workspace

@Suite struct ReplacingTests {
  private let new = Array("new".utf8)

  @Test("A new file gets the mode asked for; an existing one keeps its own", arguments: [0o600, 0o640, 0o444, 0o755])
  func modes(mode: Int) throws {
    let folder = try TemporaryFolder()
    try folder.write("old", "old", mode: mode_t(mode))
    try Files.replace(new, at: folder.path("old"), mode: 0o666)
    try Files.replace(new, at: folder.path("made"), mode: 0o600)
    #expect(folder.text("old") == "new")
    #expect(folder.mode("old") == mode_t(mode))
    #expect(folder.mode("made") == 0o600)
    #expect(try folder.names() == ["made", "old"])
  }

  @Test("Who has the old file open reads it to its end")
  func reader() throws {
    let folder = try TemporaryFolder()
    let reader = try Files.open(folder.write("file", "old text"), O_RDONLY)
    try Files.replace(new, at: folder.path("file"), mode: 0o600)
    #expect(try reader.contents(limit: 100) == Array("old text".utf8))
    #expect(folder.text("file") == "new")
  }

  @Test("A link stays one, whether or not its target is there; its target is replaced")
  func links() throws {
    let folder = try TemporaryFolder()
    try folder.write("real/file", "old")
    try folder.link("link", to: "real/file")
    try folder.link("chain", to: "link")
    try folder.link("dangling", to: "real/made")
    try folder.link("second", to: "dangling")
    for name in ["chain", "second"] { try Files.replace(new, at: folder.path(name), mode: 0o600) }
    #expect(folder.text("real/file") == "new")
    #expect(folder.text("real/made") == "new")
    for name in ["link", "chain", "dangling", "second"] {
      #expect(try FileKind(#require(folder.status(name))) == .link, "\(name)")
    }
    #expect(try folder.names("real") == ["file", "made"])
  }

  @Test("Where nothing can be written nothing is left behind")
  func failures() throws {
    let folder = try TemporaryFolder()
    try folder.link("loop", to: "loop")
    try folder.write("file", "old")
    try folder.folder("folder")
    let cases: [(String, Int32)] = [
      ("loop", ELOOP), ("missing/file", ENOENT), ("file/below", ENOTDIR), ("folder", EISDIR),
    ]
    for (name, code) in cases {
      #expect(throws: FileError.system(code), "\(name)") {
        try Files.replace(new, at: folder.path(name), mode: 0o600)
      }
    }
    #expect(try folder.names() == ["file", "folder", "loop"])
    #expect(folder.text("file") == "old")
  }

  @Test("Rewriting wants a file that is there and may be changed")
  func rewriting() throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "old", mode: 0o640)
    try folder.write("fixed", "old", mode: 0o444)
    try Files.rewrite(new, at: folder.path("file"))
    #expect(folder.text("file") == "new")
    #expect(folder.mode("file") == 0o640)
    #expect(throws: FileError.readOnly) { try Files.rewrite(new, at: folder.path("fixed")) }
    #expect(folder.text("fixed") == "old")
    #expect(throws: FileError.system(ENOENT)) { try Files.rewrite(new, at: folder.path("missing")) }
    #expect(FileError.readOnly.message == "it is read-only")
  }

  @Test(
    "Temporary files that nobody writes any more are removed, and nothing else",
    arguments: [
      (".showcaller-0123456789abcdef.tmp", 700, false),
      (".showcaller-0123456789abcdef.tmp", 500, true),
      (".showcaller-0123456789abcde.tmp", 7000, true),
      (".showcaller-0123456789abcdeg.tmp", 7000, true),
      (".showcaller-0123456789abcdef.tmp2", 7000, true),
      ("showcaller-0123456789abcdef.tmp", 7000, true),
      ("notes.txt", 7000, true),
    ])
  func temporaries(name: String, age: Int, stays: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write(name, "")
    try folder.age(name, age)
    try Files.replace(new, at: folder.path("file"), mode: 0o600)
    #expect(try folder.names().contains(name) == stays)
  }

  @Test("A folder or a link that is called like a temporary file stays")
  func disguised() throws {
    let folder = try TemporaryFolder()
    let names = [".showcaller-0000000000000001.tmp", ".showcaller-0000000000000002.tmp"]
    try folder.folder(names[0])
    try folder.link(names[1], to: "nowhere")
    for name in names { try folder.age(name, 7000) }
    try Files.replace(new, at: folder.path("file"), mode: 0o600)
    #expect(try folder.names() == names + ["file"])
  }

  @Test("Names of temporary files are never the same")
  func names() { #expect(Set((0..<1000).map { _ in TemporaryFiles.newName() }).count == 1000) }

  @Test("Many who replace one file leave one of their texts, whole")
  func together() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("file")
    let texts = (0..<8).map { String(repeating: "\($0)", count: 20_000) }
    await withTaskGroup { group in
      for text in texts {
        group.addTask { try? Files.replace(Array(text.utf8), at: path, mode: 0o600, isDurable: false) }
      }
    }
    #expect(texts.contains(try #require(folder.text("file"))))
    #expect(try folder.names() == ["file"])
  }

  @Test("Two paths are the same file where what is written to one is written to the other")
  func identity() throws {
    let folder = try TemporaryFolder()
    try folder.write("a/file", "")
    try folder.link("link", to: "a/file")
    try folder.link("dangling", to: "a/later")
    try folder.link("b", to: "a")
    link(folder.path("a/file"), folder.path("hard"))
    let cases: [(String, String, Bool)] = [
      ("a/file", "a/file", true), ("a/file", "link", true), ("a/file", "b/file", true), ("a/file", "hard", true),
      ("a/file", "a/./../a/file", true), ("a/file", "a/other", false), ("dangling", "a/later", true),
      ("b/later", "dangling", true), ("a/later", "a/latest", false), ("no/folder", "no/folder", true),
      ("no/folder", "no/other", false),
    ]
    for (one, other, areSame) in cases {
      #expect(FileIdentity.areSame(folder.path(one), folder.path(other)) == areSame, "\(one) \(other)")
      #expect(FileIdentity.areSame(folder.path(other), folder.path(one)) == areSame, "\(other) \(one)")
    }
    #expect(!FileIdentity.areSame("/dev/null", "/dev/null"), "it takes what many write")
  }
}
