import Foundation
import Testing

/// `fmt` as a person and a build server use it.
@Suite struct FormatTests {
  private static let messy = "scenario:   Hello\ndevice: TV # mine\nsteps:\n- play\n-   stop\n"
  private static let tidy = "scenario: Hello\ndevice: TV # mine\nsteps:\n  - play\n  - stop\n"

  private func folder(_ files: [String: String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, text) in files {
      let url = URL(filePath: folder.path(name))
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: url, atomically: false, encoding: .utf8)
    }
    return folder
  }

  private func text(_ folder: TemporaryFolder, _ name: String) -> String {
    (try? String(contentsOf: URL(filePath: folder.path(name)), encoding: .utf8)) ?? "unreadable"
  }

  @Test("Files are rewritten in place, keep their mode, and are named only when they changed")
  func inPlace() async throws {
    let folder = try folder(["a.yaml": Self.messy, "b.yaml": Self.tidy])
    chmod(folder.path("a.yaml"), 0o640)
    let finished = try await Showcaller.run("fmt", folder.path("a.yaml"), folder.path("b.yaml"))
    #expect(finished.exitCode == 0)
    #expect(finished.output == "formatted \(folder.path("a.yaml"))\n")
    #expect(text(folder, "a.yaml") == Self.tidy)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("a.yaml"))
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
    #expect(left.sorted() == ["a.yaml", "b.yaml"], "nothing else is left")
  }

  @Test("--check and --diff write nothing; --check exits 3 when something would change")
  func checking() async throws {
    let folder = try folder(["a.yaml": Self.messy])
    let check = try await Showcaller.run("fmt", "--check", folder.path("a.yaml"))
    #expect(check.exitCode == 3)
    #expect(check.output == "\(folder.path("a.yaml"))\n")
    let diff = try await Showcaller.run("fmt", "--diff", folder.path("a.yaml"))
    #expect(diff.exitCode == 0)
    #expect(diff.output.contains("-scenario:   Hello\n"))
    #expect(diff.output.contains("+scenario: Hello\n device: TV # mine\n"))
    #expect(text(folder, "a.yaml") == Self.messy)
    #expect(try await Showcaller.run("fmt", folder.path("a.yaml")).exitCode == 0)
    #expect(try await Showcaller.run("fmt", "--check", folder.path("a.yaml")).exitCode == 0)
  }

  @Test("Standard input goes to standard output")
  func standardInput() async throws {
    let finished = try await Showcaller.run("fmt", "-", input: Self.messy)
    #expect(finished.exitCode == 0)
    #expect(finished.output == Self.tidy)
  }

  @Test("In a folder only our documents are touched")
  func folders() async throws {
    let other = "services:\n    web:   { image: x }\n"
    let folder = try folder(["a.yaml": Self.messy, "deep/b.yml": Self.messy, "compose.yaml": other])
    let finished = try await Showcaller.run("fmt", folder.path(""))
    #expect(finished.exitCode == 0)
    #expect(text(folder, "a.yaml") == Self.tidy)
    #expect(text(folder, "deep/b.yml") == Self.tidy)
    #expect(text(folder, "compose.yaml") == other)
    let none = try self.folder(["readme.txt": ""])
    #expect(try await Showcaller.run("fmt", none.path("")).exitCode == 2)
  }

  @Test("What cannot be read as YAML stays as it is, and the other files are done")
  func broken() async throws {
    let folder = try folder(["a.yaml": "a: b: c\n", "b.yaml": Self.messy])
    let finished = try await Showcaller.run("fmt", folder.path("a.yaml"), folder.path("b.yaml"))
    #expect(finished.exitCode == 3)
    #expect(finished.errors.contains("error[Y309]"))
    #expect(text(folder, "a.yaml") == "a: b: c\n")
    #expect(text(folder, "b.yaml") == Self.tidy)
  }

  @Test("A document that is indented by tabs comes out right")
  func tabs() async throws {
    let folder = try folder(["a.yaml": "scenario: Hello\nsteps:\n\t- play\n\t- load:\n\t\t\tmedia: film\n"])
    #expect(try await Showcaller.run("fmt", folder.path("a.yaml")).exitCode == 0)
    #expect(text(folder, "a.yaml") == "scenario: Hello\nsteps:\n  - play\n  - load:\n      media: film\n")
  }

  @Test("A file that must not be written is left alone: 8")
  func readOnly() async throws {
    let folder = try folder(["a.yaml": Self.messy])
    chmod(folder.path("a.yaml"), 0o444)
    let finished = try await Showcaller.run("fmt", folder.path("a.yaml"))
    #expect(finished.exitCode == 8)
    #expect(finished.errors.contains("it is read-only"))
    #expect(text(folder, "a.yaml") == Self.messy)
  }

  @Test("A link stays a link, and what it points at is rewritten")
  func links() async throws {
    let folder = try folder(["real/a.yaml": Self.messy])
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.yaml"), withDestinationPath: "real/a.yaml")
    #expect(try await Showcaller.run("fmt", folder.path("link.yaml")).exitCode == 0)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link.yaml")) == "real/a.yaml")
    #expect(text(folder, "real/a.yaml") == Self.tidy)
  }

  @Test(
    "A pipe, a missing file and a file that is no text end at once", arguments: ["fifo", "missing.yaml", "bytes.yaml"])
  func noText(name: String) async throws {
    let folder = try folder([:])
    mkfifo(folder.path("fifo"), 0o600)
    try Data([0x61, 0x3A, 0x20, 0xFF, 0x0A]).write(to: URL(filePath: folder.path("bytes.yaml")))
    let finished = try await Showcaller.run("fmt", folder.path(name), limit: 10)
    #expect(finished.exitCode == (name == "bytes.yaml" ? 3 : 2))
    #expect(finished.errors.contains("error"))
  }

  @Test("Our own examples and playlists are laid out as `fmt` would")
  func ownDocuments() async throws {
    let finished = try await Showcaller.run("fmt", "--check", "examples", "playlists")
    #expect(finished.exitCode == 0, "\(finished.output)\(finished.errors)")
    #expect(finished.output.isEmpty && finished.errors.isEmpty)
  }
}
