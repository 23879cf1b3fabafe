import Glibc
import ScenarioLanguage
import Testing

@testable import Workspace

/// What the failures of files are called, by number, in words, and where a document names the file.
@Suite struct FileErrorTests {
  static let errors: [(error: FileError, code: Int32, message: String, problem: FileProblem)] = [
    (.system(ENOENT), ENOENT, "No such file or directory", .notFound),
    (.system(ENOTDIR), ENOTDIR, "Not a directory", .notFound),
    (.system(ENAMETOOLONG), ENAMETOOLONG, "File name too long", .notFound),
    (.system(ELOOP), ELOOP, "Too many levels of symbolic links", .symbolicLink),
    (.system(EACCES), EACCES, "Permission denied", .unreadable("Permission denied")),
    (.system(EIO), EIO, "Input/output error", .unreadable("Input/output error")),
    (.readOnly, EACCES, "it is read-only", .unreadable("it is read-only")),
    (.irregular(.folder), EISDIR, "it is a folder", .notRegular("a folder")),
    (.irregular(.link), ELOOP, "it is a link", .symbolicLink),
    (.irregular(.pipe), EINVAL, "it is a pipe", .notRegular("a pipe")),
    (.irregular(.socket), EINVAL, "it is a socket", .notRegular("a socket")),
    (.irregular(.device), EINVAL, "it is a device", .notRegular("a device")),
    (.tooLarge(limit: 1 << 16), EFBIG, "it is larger than 64 KiB", .tooLarge(1 << 16)),
  ]

  @Test("Each failure has a number, words for people, and a meaning for documents", arguments: errors)
  func words(_ example: (error: FileError, code: Int32, message: String, problem: FileProblem)) {
    #expect(example.error.code == example.code && example.error.message == example.message)
    #expect(FileProblem(example.error) == example.problem)
  }

  @Test("What stands at a path is told by its own status, also of a socket and a link")
  func kinds() throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "")
    try folder.pipe("pipe")
    try folder.link("link", to: "file")
    try #require(mknod(folder.path("socket"), S_IFSOCK | 0o600, 0) == 0)
    let cases: [(String, FileKind)] = [
      ("file", .regular), ("pipe", .pipe), ("link", .link), ("socket", .socket), (".", .folder),
    ]
    for (name, kind) in cases { #expect(try FileKind(#require(folder.status(name))) == kind, "\(name)") }
    #expect(throws: FileError.system(ENXIO), "nobody listens") { try Files.read(folder.path("socket"), limit: 9) }
  }

  @Test("A lock is shared by all who share it, and had by one alone who does not")
  func locks() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("file", "")
    func locked(_ kind: Descriptor.LockKind, while other: Descriptor.LockKind) throws -> Bool {
      let first = try Files.open(path, O_RDONLY)
      let second = try Files.open(path, O_RDONLY)
      #expect(try Descriptor.lock(first.descriptor, other))
      let isFree = try Descriptor.lock(second.descriptor, kind)
      try first.close()
      // The one that had it is gone.
      #expect(try Descriptor.lock(second.descriptor, .exclusive))
      return isFree
    }
    #expect(try locked(.shared, while: .shared))
    #expect(try !locked(.exclusive, while: .shared) && !locked(.shared, while: .exclusive))
    #expect(try !locked(.exclusive, while: .exclusive))
    #expect(throws: FileError.system(EBADF)) { try Descriptor.lock(-1, .shared) }
  }

  @Test("A link whose target is no text is not followed to where a file would be made")
  func textlessLink() throws {
    let folder = try TemporaryFolder()
    let target: [CChar] = [CChar(bitPattern: 0xFF), 0]
    try #require(symlink(target, folder.path("link")) == 0)
    #expect(throws: FileError.system(EILSEQ)) { try Files.replace([], at: folder.path("link"), mode: 0o600) }
    #expect(try folder.names() == ["link"])
  }

  @Test("A chain of links to a file that is not there ends where the system would give up")
  func chain() throws {
    let folder = try TemporaryFolder()
    for number in 1...41 { try folder.link("\(number)", to: "\(number - 1)") }
    #expect(try Files.destination(of: folder.path("39")) == folder.path("0"))
    #expect(throws: FileError.system(ELOOP)) { try Files.destination(of: folder.path("41")) }
    // A link with a whole path begins anew; one without counts from its own folder.
    try folder.link("whole", to: "/nowhere/file")
    try folder.link("deep/part", to: "../0")
    #expect(try Files.destination(of: folder.path("whole")) == "/nowhere/file")
    #expect(try Files.destination(of: folder.path("deep/part")) == folder.path("deep/../0"))
    #expect(try Files.destination(of: "plain") == "plain")
  }

  @Test("A file that is not there has no place where its name says only a folder")
  func noPlace() throws {
    let folder = try TemporaryFolder()
    for (one, other) in [("a/", "b/.."), ("nowhere/a", "./nowhere/a"), ("a/.", "a/..")] {
      #expect(!FileIdentity.areSame(folder.path(one), folder.path(other)), "\(one) \(other)")
    }
    #expect(FileIdentity.areSame(folder.path("./new"), folder.path("new")))
  }
}
