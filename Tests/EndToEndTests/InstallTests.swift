import Foundation
import TestSupport
import Testing

/// `make install`, and the service file, judged by make, man and systemd.
@Suite struct InstallTests {
  private static func run(_ program: String, _ arguments: [String], limit: Double = 60) async throws -> Finished {
    try await Running(
      URL(filePath: "/usr/bin/env"), [program] + arguments, environment: [:], in: Showcaller.root, limit: limit
    ).finish()
  }

  @Test("make install puts every part in its place below DESTDIR, and make uninstall removes all of it")
  func install() async throws {
    let folder = try TemporaryFolder()
    let places = ["DESTDIR=\(folder.path("root"))", "PREFIX=/opt/show", "BINARY=\(Showcaller.binary.path)"]
    let made = try await Self.run("make", ["-s", "install"] + places)
    #expect(made.exitCode == 0, "\(made.errors)")
    let root = folder.path("root") + "/opt/show"
    func text(_ name: String) throws -> String { try String(contentsOfFile: "\(root)/\(name)", encoding: .utf8) }
    #expect(try text("lib/systemd/system/showcaller.service").contains("\nExecStart=/opt/show/bin/showcaller serve"))
    #expect(try text("share/bash-completion/completions/showcaller").contains("complete "))
    #expect(try text("share/zsh/vendor-completions/_showcaller").contains("compdef"))
    #expect(try text("share/fish/vendor_completions.d/showcaller.fish").contains("complete "))
    #expect(try text("share/man/man1/showcaller.1").hasPrefix(".TH \"SHOWCALLER\" 1"))
    #expect(try text("share/showcaller/playlists/cafe.yaml").contains("\nplaylist:"))
    #expect(try text("share/doc/showcaller/README.md").contains("Showcaller"))
    let installed = try await Self.run("\(root)/bin/showcaller", ["--version"])
    #expect(installed.exitCode == 0 && installed.output.hasPrefix("showcaller "))
    let symbols = try await Self.run("nm", ["\(root)/bin/showcaller"])
    #expect(symbols.output.isEmpty && symbols.errors.contains("no symbols"), "\(symbols.output.prefix(200))")
    #expect(try await Self.run("make", ["-s", "uninstall"] + places).exitCode == 0)
    let left = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    var isFolder: ObjCBool = false
    let files = left.filter {
      FileManager.default.fileExists(atPath: "\(root)/\($0)", isDirectory: &isFolder) && !isFolder.boolValue
    }
    #expect(files == [])
  }

  @Test("The manual page has every command and every exit code")
  func manual() async throws {
    let page = try await Showcaller.run("man")
    for command in ["check", "serve", "schedule export", "ledger verify", "queue load"] {
      #expect(page.output.contains("\n.SS \"\(command)\"\n"), "\(command)")
    }
    for code in [0, 1, 2, 3, 75, 130] { #expect(page.output.contains("\n.TP\n.B \(code)\n")) }
    #expect(!page.output.split(separator: "\n").contains { $0.hasPrefix("'") })
  }

  private static let hasSystemd = FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")

  @Test("systemd accepts the service file, and finds its exposure at most 1.5", .enabled(if: hasSystemd))
  func service() async throws {
    let folder = try TemporaryFolder()
    let text = try String(contentsOf: Showcaller.root.appending(path: "examples/showcaller.service"), encoding: .utf8)
    // Only programs that are there are accepted.
    let file = try folder.write(
      "showcaller.service", text.replacingOccurrences(of: "/usr/bin/showcaller", with: Showcaller.binary.path))
    let verified = try await Self.run("systemd-analyze", ["verify", "--man=no", file])
    #expect(verified.exitCode == 0 && !verified.errors.contains("showcaller.service"), "\(verified.errors)")
    let judged = try await Self.run("systemd-analyze", ["security", "--offline=true", "--threshold=15", file])
    #expect(judged.exitCode == 0, "\(judged.output.suffix(200))")
  }
}
