import Foundation
import Testing

/// The command line on a bad day: each wrong way ends with its exit code and a sentence that says what to do.
@Suite struct CommandLineTests {
  static let wrong: [(arguments: [String], exitCode: Int32, says: String)] = [
    (["frobnicate"], 2, "error: there is no command `frobnicate`\nhelp: `showcaller --help` lists the commands"),
    (["check"], 2, "missing expected argument"),
    (["check", "examples/nothing.yaml"], 2, "cannot read examples/nothing.yaml"),
    (["check", "Sources/CYAML"], 2, "no documents in Sources/CYAML"),
    (["check", "/dev/zero"], 2, "cannot read /dev/zero: it is no regular file"),
    (["check", "--format", "xml", "examples/ads.yaml"], 2, "is invalid for '--format"),
    (["check", "--stdin-name", "a.yaml", "examples/ads.yaml"], 2, "--stdin-name names standard input"),
    (["check", "--set", "speed", "examples/ads.yaml"], 2, "write `--set name=value`"),
    (["check", "--set", "speed=7", "examples/ads.yaml"], 3, "error[T213]"),
    (["check", "--set", "sped=1", "examples/ads.yaml"], 3, "did you mean `speed`?"),
    (["run", "--virtual", "playlists/cafe.yaml"], 2, "is a playlist: it is served, not run"),
    (["run", "--speed", "20x", "examples/hello.yaml"], 2, "--speed needs --virtual"),
    (["run", "--virtual", "--speed", "1000x", "examples/hello.yaml"], 2, "is invalid for '--speed"),
    (["run", "--virtual", "--host", "192.0.2.1", "examples/hello.yaml"], 2, "--virtual brings its own device"),
    (["run", "--virtual", "--device", "TV", "examples/hello.yaml"], 2, "--virtual brings its own device"),
    (["run", "--virtual", "--report", "html", "examples/hello.yaml"], 2, "is invalid for '--report"),
    (
      ["run", "--virtual", "--report", "junit=/proc/nonexistent/x.xml", "examples/hello.yaml"], 8,
      "cannot write /proc/nonexistent/x.xml"
    ),
    (["run", "--virtual", "--runs", "/proc/nope", "examples/hello.yaml"], 8, "cannot make /proc/nope"),
    (["run", "--host", "[::1", "examples/hello.yaml"], 2, "is invalid for '--host"),
    (["receive", "--app", "A1B2C3D4,urn:other"], 2, "is invalid for '--app"),
    (["receive", "--app", ",urn:x-cast:a"], 2, "is invalid for '--app"),
    (["receive", "--port", "99999"], 2, "--port is a number from 0 to 65535"),
    (["receive", "--listen", "203.0.113.9", "--port", "0"], 2, "no address"),
    (["discover", "--timeout", "0"], 2, "--timeout is above 0"),
    (["discover", "--timeout", "soon"], 2, "is invalid for '--timeout"),
    (["discover", "--can", "fly"], 2, "is invalid for '--can"),
    (["discover", "--runs", "a b"], 2, "`a b` is not an app id"),
    (["discover", "--watch", "--runs", "CC1AD845"], 2, "leave out --watch"),
    (["discover", "--watch", "--host", "192.0.2.1"], 2, "cannot be watched"),
    (["config", "--device", "TV", "--host", "192.0.2.1"], 2, "use --host or --device"),
  ]

  @Test("A wrong command line or environment is told in a sentence", arguments: wrong)
  func wrongWay(arguments: [String], exitCode: Int32, says: String) async throws {
    let finished = try await Showcaller.start(arguments).finish()
    #expect(finished.exitCode == exitCode, "\(finished.output)\(finished.errors)")
    #expect((finished.output + finished.errors).contains(says), "\(finished.output)\(finished.errors)")
  }

  @Test("A port in use is busy, 75; the receiver that has it ends with 0 on SIGTERM")
  func portInUse() async throws {
    let first = try Showcaller.start(["receive", "--port", "0"])
    let port = try #require(try await first.firstLine().split(separator: ":").last.map(String.init))
    let second = try await Showcaller.start(["receive", "--port", port]).finish()
    #expect(second.exitCode == 75)
    #expect(second.errors.contains("127.0.0.1:\(port) is in use") && second.errors.contains("--port 0"))
    first.signal(SIGTERM)
    #expect(try await first.finish().exitCode == 0)
  }

  @Test("Standard input is a document, too")
  func standardInput() async throws {
    let document = "scenario: x\ndevice: TV\nsteps: [{ expect: { app: none } }]\n"
    let checked = try await Showcaller.run("check", "-", input: document)
    #expect(checked.exitCode == 0, "\(checked.output)\(checked.errors)")
    let broken = try await Showcaller.run("check", "-", input: "scenario: [")
    #expect(broken.exitCode == 3 && broken.output.contains("<stdin>:1:"))
  }

  @Test("Quiet tells the verdict only, verbose every status, wire every message")
  func levels() async throws {
    let folder = try TemporaryFolder()
    func run(_ flag: String...) async throws -> String {
      let finished = try await Showcaller.start(
        ["run", "--virtual", "--runs", folder.path("runs"), "examples/hello.yaml"] + flag
      ).finish()
      #expect(finished.exitCode == 0 && finished.output.isEmpty, "\(finished.output)\(finished.errors)")
      return finished.errors
    }
    let (quiet, normal) = (try await run("-q"), try await run())
    let (verbose, wire) = (try await run("-v"), try await run("--wire"))
    #expect(quiet.hasPrefix("PASSED hello") && !quiet.contains("s1"))
    #expect(normal.contains("s1 passed load"))
    #expect(!normal.contains("buffering") && verbose.contains("buffering"), "\(verbose)")
    #expect(!verbose.contains("\"LAUNCH\"") && wire.contains("LAUNCH"), "\(wire)")
    for text in [quiet, normal, verbose, wire] { #expect(!text.contains("\u{1B}")) }
  }

  @Test("On a terminal the run is redrawn in place, in colour unless NO_COLOR is set", arguments: ["", "1"])
  func terminal(noColor: String) async throws {
    let folder = try TemporaryFolder()
    let command = "\(Showcaller.binary.path) run --virtual --speed 5x --runs \(folder.path("runs")) examples/ads.yaml"
    // util-linux's `script` gives the command a terminal.
    let running = try Running(
      URL(filePath: "/usr/bin/script"), ["-qec", command, "/dev/null"],
      environment: ["TERM": "xterm", "NO_COLOR": noColor], in: Showcaller.root)
    let finished = try await running.finish()
    #expect(finished.exitCode == 0, "\(finished.output)")
    let plain = finished.output.replacing(/\u{1B}\[\d*m/, with: "")
    #expect(plain.contains("✓ s3  Pre-roll first, then the film"))
    #expect(plain.contains("▶ s5 "))
    #expect(finished.output.contains(/\u{1B}\[\dA/), "moves up to redraw")
    #expect(finished.output.contains(/\u{1B}\[\d+m/) == noColor.isEmpty)
    #expect(finished.output.contains("PASSED ads"))
  }

  @Test("--version names the program and its version")
  func version() async throws {
    let finished = try await Showcaller.run("--version")
    #expect(finished.exitCode == 0)
    #expect(finished.output.contains(/^showcaller \d+\.\d+\.\d+\n$/))
  }
}
