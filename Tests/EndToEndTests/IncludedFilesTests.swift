import Foundation
import Testing

/// What documents may reach on this computer, with real files.
@Suite struct IncludedFilesTests {
  /// A project with a `.git` below a folder that is not part of it.
  private static func project() throws -> (folder: TemporaryFolder, root: URL) {
    let folder = try TemporaryFolder()
    let root = folder.url.appending(path: "project")
    for path in ["project/.git", "project/shows", "project/lib", "outside", "project/folder.yaml"] {
      try FileManager.default.createDirectory(
        at: folder.url.appending(path: path), withIntermediateDirectories: true)
    }
    let library = "library: Brand\nvars: { title: From the library }\n"
    for path in ["project/lib/brand.yaml", "project/shows/near.yaml", "outside/secret.yaml"] {
      try Data(library.utf8).write(to: folder.url.appending(path: path))
    }
    let links = [
      ("project/link.yaml", "../outside/secret.yaml"), ("project/inner.yaml", "lib/brand.yaml"),
      ("project/away", "../outside"), ("project/round", "lib"), ("project/dangling.yaml", "nowhere"),
      ("project/zero.yaml", "/dev/zero"), ("project/loop.yaml", "loop.yaml"),
    ]
    for (path, target) in links {
      try FileManager.default.createSymbolicLink(
        atPath: folder.url.appending(path: path).path, withDestinationPath: target)
    }
    _ = mkfifo(root.appending(path: "pipe.yaml").path, 0o600)
    try Data(count: (1 << 20) + 1).write(to: root.appending(path: "huge.yaml"))
    try Data().write(to: root.appending(path: "empty.yaml"))
    return (folder, root)
  }

  private func check(_ include: String, in root: URL, _ arguments: String...) async throws -> Finished {
    let document = "scenario: S\ndevice: TV\ninclude: ['\(include)']\nsteps:\n  - log: ${title}\n"
    let file = root.appending(path: "shows/lobby.yaml")
    try Data(document.utf8).write(to: file)
    return try await Showcaller.start(["check", "shows/lobby.yaml"] + arguments, in: root, limit: 20).finish()
  }

  @Test(
    "A library of the project is read, wherever it lies", arguments: ["near.yaml", "../lib/brand.yaml", "./near.yaml"])
  func inside(path: String) async throws {
    let (folder, root) = try Self.project()
    let finished = try await check(path, in: root)
    #expect(finished.exitCode == 0, "\(finished.output)")
    _ = folder
  }

  static let tricks: [(path: String, says: String)] = [
    ("../../outside/secret.yaml", "lies outside the project"),
    ("../lib/../../outside/secret.yaml", "lies outside the project"),
    ("../away/secret.yaml", "lies outside the project"),
    ("../link.yaml", "is a link"), ("../inner.yaml", "is a link"), ("../dangling.yaml", "is a link"),
    ("../zero.yaml", "is a link"), ("../loop.yaml", "is a link"),
    ("../pipe.yaml", "is a pipe"), ("../folder.yaml", "is a folder"), ("..", "is a folder"), (".", "is a folder"),
    ("../lib/", "is a folder"),
    ("/etc/passwd", "is relative to its file"), ("/dev/zero", "is relative to its file"),
    ("../../../../../../../../etc/passwd", "lies outside the project"),
    ("../../../../../../../../dev/zero", "lies outside the project"),
    ("../../../../../../../../proc/self/environ", "lies outside the project"),
    ("%2e%2e/lib/brand.yaml", "is not there"), ("~/brand.yaml", "is not there"), ("nowhere.yaml", "is not there"),
    ("../lib/brand.yaml/x", "is not there"), ("near.yaml\u{2028}", "U+2028"),
    ("../huge.yaml", "is larger than 1 MiB"), ("file:near.yaml", "is not a path"),
    ("http://127.0.0.1:1/x.yaml", "is not a path"), ("../empty.yaml", "K105"),
  ]
  @Test("No path leads out of the project, hangs or reads what is no file", arguments: tricks)
  func trick(_ example: (path: String, says: String)) async throws {
    let (folder, root) = try Self.project()
    let finished = try await check(example.path, in: root)
    #expect(finished.exitCode == 3, "\(finished.output)")
    #expect(finished.output.contains(example.says), "\(finished.output)")
    #expect(!finished.output.contains("root:"))
    _ = folder
  }

  @Test("A link to a folder of the project is a way like others; --allow-path opens another folder")
  func allowed() async throws {
    let (folder, root) = try Self.project()
    #expect(try await check("../round/brand.yaml", in: root).exitCode == 0)
    let opened = try await check("../../outside/secret.yaml", in: root, "--allow-path", "../outside")
    #expect(opened.exitCode == 0, "\(opened.output)")
    let wrong = try await check("near.yaml", in: root, "--allow-path", "../nowhere")
    #expect(wrong.exitCode == 2 && wrong.errors.contains("is no folder"))
    _ = folder
  }

  @Test("Without a `.git` anywhere the document's own folder is the project")
  func noRepository() async throws {
    let (folder, root) = try Self.project()
    try FileManager.default.removeItem(at: root.appending(path: ".git"))
    #expect(try await check("near.yaml", in: root).exitCode == 0)
    let outside = try await check("../lib/brand.yaml", in: root)
    #expect(outside.output.contains("lies outside the project"), "\(outside.output)")
    _ = folder
  }

  @Test("A mistake in a library is shown where it is")
  func place() async throws {
    let (folder, root) = try Self.project()
    try Data("library: Brand\nvars: { title: { type: txt } }\n".utf8).write(to: root.appending(path: "lib/brand.yaml"))
    let finished = try await check("../lib/brand.yaml", in: root)
    #expect(finished.output.contains(" --> lib/brand.yaml:2:24\n"), "\(finished.output)")
    _ = folder
  }
}
