import Foundation
import Testing

/// What is packed: the Debian package, and the parts of the container image that need no container engine.
@Suite struct PackageTests {
  private static func run(
    _ program: String, _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> Finished {
    let running = try Running(
      URL(filePath: "/usr/bin/env"), [program] + arguments, environment: environment, in: Showcaller.root, limit: 240)
    running.closeInput()
    return try await running.finish()
  }

  private static func has(_ programs: String...) -> Bool {
    programs.allSatisfy { FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)") }
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: Showcaller.root.appending(path: path), encoding: .utf8)
  }

  @Test(
    "make deb makes a package that has what it needs, its version from the program, and no error by lintian",
    .enabled(if: has("dpkg-deb", "dpkg-shlibdeps", "chrpath"), "SKIPPED: dpkg-dev and chrpath are not installed"))
  func deb() async throws {
    let folder = try TemporaryFolder()
    let made = try await Self.run("packaging/deb.sh", [Showcaller.binary.path, folder.url.path])
    #expect(made.exitCode == 0, "\(made.errors)")
    let package = made.output.trimmingCharacters(in: .newlines)
    let fields = try await Self.run("dpkg-deb", ["-f", package]).output
    let version = try await Showcaller.run("--version").output.trimmingCharacters(in: .newlines)
    #expect("showcaller \(try #require(fields.firstMatch(of: /\nVersion: (\S+)/)).1)" == version)
    for name in ["libc6", "libssl3", "libyaml-0-2", "tzdata"] {
      #expect(fields.contains(try Regex("\nDepends: .*\\b\(name)\\b")), "\(name): \(fields)")
    }
    #expect(fields.contains(/\nRecommends: .*libavahi-compat-libdnssd1/))
    let unpacked = folder.path("unpacked")
    #expect(try await Self.run("dpkg-deb", ["-R", package, unpacked]).exitCode == 0)
    let sums = try await Self.run("env", ["-C", unpacked, "md5sum", "--quiet", "-c", "DEBIAN/md5sums"])
    #expect(sums.exitCode == 0, "\(sums.output)")
    let conffiles = try String(contentsOfFile: "\(unpacked)/DEBIAN/conffiles", encoding: .utf8)
    for name in conffiles.split(separator: "\n") {
      #expect(FileManager.default.fileExists(atPath: unpacked + name), "\(name)")
    }
    for script in ["postinst", "prerm", "postrm"] {
      #expect(try await Self.run("sh", ["-n", "\(unpacked)/DEBIAN/\(script)"]).exitCode == 0, "\(script)")
    }
    guard Self.has("lintian") else { return print("SKIPPED: lintian is not installed") }
    let judged = try await Self.run("lintian", ["--allow-root", "--fail-on", "error", package])
    #expect(judged.exitCode == 0, "\(judged.output)")
  }

  @Test(
    "What the Containerfile copies is there, its labels say what it is, and no stage is without a name or a version")
  func containerfile() throws {
    let lines = try Self.text("Containerfile").replacing("\\\n", with: " ").split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.map { $0.split(separator: " ").map(String.init) }
    let stages = lines.filter { $0[0] == "FROM" }
    #expect(stages.map { $0[1] } == ["docker.io/library/swift:6.3-bookworm", "docker.io/library/debian:12-slim"])
    let sources = lines.filter { $0[0] == "COPY" && !$0[1].hasPrefix("--from=") }.flatMap { $0.dropFirst().dropLast() }
    #expect(sources.count > 8)
    for source in sources {
      #expect(FileManager.default.fileExists(atPath: Showcaller.root.appending(path: source).path), "\(source)")
    }
    // All that the build reads, and that a package is made of, goes in.
    for name in ["Package.swift", "Makefile", "Sources", "Tests", "docs", "examples", "playlists", "packaging"] {
      #expect(sources.contains(name), "\(name)")
    }
    let labels = lines.filter { $0[0] == "LABEL" }.flatMap { $0.dropFirst() }.joined(separator: " ")
    for label in ["title", "description", "licenses", "documentation", "base.name"] {
      #expect(labels.contains("org.opencontainers.image.\(label)=\""), "\(label)")
    }
    #expect(lines.contains { $0 == ["USER", "65532:65532"] })
  }

  @Test(
    "The image has the program in its place, folders to keep things in, and the libraries that a package depends on")
  func rootfs() async throws {
    let folder = try TemporaryFolder()
    let root = folder.path("root")
    let made = try await Self.run("packaging/rootfs.sh", [Showcaller.binary.path, root])
    #expect(made.exitCode == 0, "\(made.errors)")
    for name in ["usr/bin/showcaller", "var/lib/showcaller", "var/cache/showcaller", "etc/showcaller/playlists"] {
      #expect(FileManager.default.fileExists(atPath: "\(root)/\(name)"), "\(name)")
    }
    #expect(!FileManager.default.fileExists(atPath: "\(root)/usr/lib"))
    let playlist = "\(root)/usr/share/showcaller/playlists/cafe.yaml"
    let checked = try await Self.run("\(root)/usr/bin/showcaller", ["check", playlist])
    #expect(checked.exitCode == 0, "\(checked.errors)")
    let packages = try Self.text("packaging/runtime-packages").split(separator: "\n").map(String.init)
    for name in ["libssl3", "libyaml-0-2", "libavahi-compat-libdnssd1", "tzdata"] { #expect(packages.contains(name)) }
  }
}
