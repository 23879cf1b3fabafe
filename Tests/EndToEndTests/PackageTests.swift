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
    let made = try await Self.run(
      "packaging/deb.sh", [Showcaller.binary.path, folder.url.path], environment: ["COMPRESSION_LEVEL": "0"])
    #expect(made.exitCode == 0, "\(made.errors)")
    let package = made.output.trimmingCharacters(in: .newlines)
    let fields = try await Self.run("dpkg-deb", ["-f", package]).output
    let version = try await Showcaller.run("--version").output.trimmingCharacters(in: .newlines)
    #expect("showcaller \(try #require(fields.firstMatch(of: /\nVersion: (\S+)/)).1)" == version)
    for name in ["libc6", "libssl3", "libyaml-0-2", "tzdata"] {
      #expect(fields.contains(try Regex("\nDepends: .*\\b\(name)\\b")), "\(name): \(fields)")
    }
    for name in ["libavahi-compat-libdnssd1", "libmosquitto1"] {
      #expect(fields.contains(try Regex("\nRecommends: .*\\b\(name)\\b")), "\(name): \(fields)")
    }
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
    for label in [
      "title", "description", "licenses", "documentation", "version", "revision", "created", "source", "base.name",
    ] {
      #expect(labels.contains("org.opencontainers.image.\(label)=\""), "\(label)")
    }
    #expect(lines.contains { $0 == ["USER", "65532:65532"] })
    // Each value that a build is told has an argument of the stage, and the script names each argument.
    var arguments: Set<String> = []
    for words in lines where words[0] == "ARG" {
      for word in words.dropFirst() { arguments.insert(String(word.prefix { $0 != "=" })) }
    }
    #expect(Set(labels.matches(of: /\$\{([A-Z]+)\}/).map { String($0.1) }) == arguments)
  }

  @Test("What an image is told of its sources is what the repository says")
  func imageArguments() async throws {
    let folder = try TemporaryFolder()
    let copy = folder.path("copy")
    try FileManager.default.createDirectory(atPath: "\(copy)/Sources/showcaller", withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: Showcaller.root.appending(path: "packaging"), to: URL(filePath: "\(copy)/packaging"))
    let command = "Sources/showcaller/ShowcallerCommand.swift"
    try FileManager.default.copyItem(
      at: Showcaller.root.appending(path: command), to: URL(filePath: "\(copy)/\(command)"))
    let script = """
      cd "$0" && git init -q && git remote add origin https://me:word@git.example/show.git && git add . &&
      git -c user.name=a -c user.email=a@b.c commit -qm a --date 2026-11-25T10:00:00Z && packaging/image-arguments.sh &&
      echo >> packaging/rootfs.sh && packaging/image-arguments.sh && git rev-parse HEAD
      """
    let made = try await Self.run(
      "sh", ["-c", script, copy], environment: ["GIT_COMMITTER_DATE": "2026-11-25T11:00:00+01:00"])
    let lines = made.output.split(separator: "\n")
    #expect(made.exitCode == 0 && lines.count == 3, "\(made.errors)")
    let version = try await Showcaller.run("--version").output.trimmingCharacters(in: .newlines)
      .replacing("showcaller ", with: "")
    func expected(_ revision: String) -> String {
      [
        "VERSION=\(version)", "REVISION=\(revision)", "CREATED=2026-11-25T10:00:00Z",
        "SOURCE=https://git.example/show.git",
      ]
      .map { "--build-arg \($0)" }.joined(separator: " ")
    }
    #expect(lines[0] == expected(String(lines[2])) && lines[1] == expected("\(lines[2])-changed"), "\(made.output)")
  }

  @Test(
    "A package is installed, serves, and is removed and purged without a trace but what its owner wrote",
    .enabled(if: has("dpkg-deb", "dpkg-shlibdeps", "chrpath") && getuid() == 0, "SKIPPED: needs root and dpkg-dev"))
  func life() async throws {
    let folder = try TemporaryFolder()
    let made = try await Self.run(
      "packaging/deb.sh", [Showcaller.binary.path, folder.url.path], environment: ["COMPRESSION_LEVEL": "0"])
    #expect(made.exitCode == 0, "\(made.errors)")
    let linked = try await Self.run("ldd", [Showcaller.binary.path]).output
    let libraries = linked.firstMatch(of: /=> (\S+)\/libswiftCore\.so/).map { String($0.1) } ?? ""
    let root = folder.path("root")
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    let script = Showcaller.root.appending(path: "Tests/EndToEndTests/Peers/package_life.sh").path
    let life = try await Self.run(
      "unshare",
      [
        "--mount", "--pid", "--fork", "--kill-child", script, made.output.trimmingCharacters(in: .newlines), root,
        libraries,
      ])
    let lines = life.output.split(separator: "\n").map(String.init)
    let steps = ["installed", "checked", "completions", "served", "removed", "settings kept", "purged"]
    #expect(lines.filter { !$0.hasPrefix("etc/") } == steps, "\(life.output)\(life.errors)")
    let left = lines.filter { $0.hasPrefix("etc/") }
    #expect(!left.isEmpty && left.allSatisfy { $0.hasPrefix("etc/showcaller/playlists/") }, "\(left)")
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
    for name in ["libssl3", "libyaml-0-2", "libavahi-compat-libdnssd1", "libmosquitto1", "tzdata"] {
      #expect(packages.contains(name))
    }
  }
}
