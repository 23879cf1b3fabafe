import ScenarioLanguage
import Testing

@testable import Workspace

@Suite struct ProjectFilesTests {
  /// A project with a document in `docs`, and things outside of it.
  private static func project() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in ["project/.git/HEAD", "project/docs/main.yaml", "project/docs/deep/c.yaml", "project/b.yaml"] {
      try folder.write(name, name)
    }
    try folder.write("outside/secret.yaml", "secret")
    try folder.write("project-2/near.yaml", "near")
    try folder.link("project/docs/link.yaml", to: "../b.yaml")
    try folder.link("project/docs/out.yaml", to: "../../outside/secret.yaml")
    try folder.link("project/docs/out", to: "../../outside")
    try folder.link("project/docs/in", to: "../docs/deep")
    try folder.pipe("project/docs/pipe.yaml")
    return folder
  }

  @Test("Files of the project are read, and called as people would write them")
  func inside() throws {
    let folder = try Self.project()
    let document = folder.path("project/docs/main.yaml")
    let files = try ProjectFiles(of: document, allowing: [])
    let cases: [(path: String, name: String, text: String)] = [
      ("deep/c.yaml", "project/docs/deep/c.yaml", "project/docs/deep/c.yaml"),
      ("./deep/./c.yaml", "project/docs/deep/c.yaml", "project/docs/deep/c.yaml"),
      ("../b.yaml", "project/b.yaml", "project/b.yaml"),
      ("deep/../../b.yaml", "project/b.yaml", "project/b.yaml"),
      ("main.yaml", "project/docs/main.yaml", "project/docs/main.yaml"),
      // A folder may be a link that stays inside.
      ("in/c.yaml", "project/docs/in/c.yaml", "project/docs/deep/c.yaml"),
    ]
    for (path, name, text) in cases {
      let source = try files.read(path, includedBy: document).get()
      #expect(source.name == folder.path(name), "\(path)")
      #expect(source.bytes == Array(text.utf8), "\(path)")
    }
  }

  @Test("Nothing leads out: no .., no absolute path, no link")
  func confinement() throws {
    let folder = try Self.project()
    let document = folder.path("project/docs/main.yaml")
    let files = try ProjectFiles(of: document, allowing: [])
    let out = FileProblem.outside(root: folder.path("project"))
    let cases: [(path: String, problem: FileProblem)] = [
      ("../../outside/secret.yaml", out), ("../../project-2/near.yaml", out), ("out/secret.yaml", out),
      ("deep/../../../outside/secret.yaml", out), (String(repeating: "../", count: 40) + "etc/passwd", out),
      ("out.yaml", .symbolicLink), ("link.yaml", .symbolicLink),
      ("missing.yaml", .notFound), ("missing/c.yaml", .notFound), ("", .notFound), ("a\0b", .notFound),
      ("main.yaml/c.yaml", .notFound), (String(repeating: "x", count: 300), .notFound),
      ("deep", .notRegular("a folder")), ("deep/", .notRegular("a folder")), ("..", .notRegular("a folder")),
      (".", .notRegular("a folder")), ("pipe.yaml", .notRegular("a pipe")),
    ]
    for (path, problem) in cases {
      #expect(files.read(path, includedBy: document) == .failure(problem), "\(path)")
    }
  }

  @Test("An absolute path is one below the document, never one of the computer")
  func absolute() throws {
    let folder = try Self.project()
    let document = folder.path("project/docs/main.yaml")
    let files = try ProjectFiles(of: document, allowing: [])
    #expect(files.read("/etc/passwd", includedBy: document) == .failure(.notFound))
    #expect(files.read(folder.path("project/b.yaml"), includedBy: document) == .failure(.notFound))
  }

  @Test("An include of an include is found from the folder of that one")
  func nested() throws {
    let folder = try Self.project()
    let files = try ProjectFiles(of: folder.path("project/docs/main.yaml"), allowing: [])
    let source = try files.read("../main.yaml", includedBy: folder.path("project/docs/deep/c.yaml")).get()
    #expect(source.name == folder.path("project/docs/main.yaml"))
  }

  @Test("Without a project around it a document has the files of its own folder")
  func alone() throws {
    let folder = try TemporaryFolder()
    for name in ["top.yaml", "docs/main.yaml", "docs/deep/c.yaml"] { try folder.write(name, name) }
    let document = folder.path("docs/main.yaml")
    let files = try ProjectFiles(of: document, allowing: [])
    #expect(throws: Never.self) { try files.read("deep/c.yaml", includedBy: document).get() }
    #expect(files.read("../top.yaml", includedBy: document) == .failure(.outside(root: folder.path("docs"))))
  }

  @Test("The nearest project counts, also one whose .git is a file")
  func nearest() throws {
    let folder = try TemporaryFolder()
    try folder.folder("outer/.git")
    try folder.write("outer/a.yaml", "")
    try folder.write("outer/inner/.git", "gitdir: elsewhere")
    try folder.write("outer/inner/docs/main.yaml", "")
    try folder.write("outer/inner/b.yaml", "")
    let document = folder.path("outer/inner/docs/main.yaml")
    let files = try ProjectFiles(of: document, allowing: [])
    #expect(throws: Never.self) { try files.read("../b.yaml", includedBy: document).get() }
    #expect(
      files.read("../../a.yaml", includedBy: document) == .failure(.outside(root: folder.path("outer/inner"))))
  }

  @Test("A folder that is allowed adds its files and no others")
  func allowed() throws {
    let folder = try Self.project()
    let document = folder.path("project/docs/main.yaml")
    let files = try ProjectFiles(of: document, allowing: [folder.path("outside")])
    #expect(throws: Never.self) { try files.read("../../outside/secret.yaml", includedBy: document).get() }
    #expect(throws: Never.self) { try files.read("out/secret.yaml", includedBy: document).get() }
    #expect(
      files.read("../../project-2/near.yaml", includedBy: document)
        == .failure(.outside(root: folder.path("project"))))
  }

  @Test("What is allowed has to be a folder", arguments: ["missing", "project/b.yaml"])
  func notAllowed(name: String) throws {
    let folder = try Self.project()
    #expect(throws: WorkspaceError(.commandLineWrong, "`--allow-path \(folder.path(name))` is no folder")) {
      try ProjectFiles(of: folder.path("project/docs/main.yaml"), allowing: [folder.path(name)])
    }
  }

  @Test("A file of a mebibyte is read, a larger one is not", arguments: [(0, true), (1, false)])
  func size(extra: Int, isRead: Bool) throws {
    let folder = try TemporaryFolder()
    let document = try folder.write("main.yaml", "")
    try folder.write("large.yaml", String(repeating: "#", count: (1 << 20) + extra))
    let result = try ProjectFiles(of: document, allowing: []).read("large.yaml", includedBy: document)
    if isRead {
      #expect(try result.get().bytes.count == 1 << 20)
    } else {
      #expect(result == .failure(.tooLarge(1 << 20)))
    }
  }
}
