import CastProtocol
import Foundation
import TestSupport
import Testing

/// `showcaller probe` against a server that is not ours.
@Suite struct ProbeTests {
  @Test("probe tells of each address of a document what a receiver would stumble over, once, and ends with 1")
  func document() async throws {
    let folder = try TemporaryFolder()
    let server = try await FolderServer(folder)
    // 127.0.0.1 as one number: a document may not name loopback.
    let base = "http://2130706433:\(server.port)"
    _ = try folder.write("menu.gif", "GIF89a\u{10}\0\u{10}\0;")
    _ = try folder.write("page.jpg", "<html><body>Sign in</body></html>")
    let file = try folder.write(
      "shop.yaml",
      """
      playlist: Shop
      timezone: UTC
      device: TV
      program: [{ play: ["\(base)/menu.gif", "\(base)/page.jpg", "\(base)/none.jpg", "\(base)/menu.gif"] }]

      """)
    let all = try await Showcaller.run("probe", file)
    #expect(all.exitCode == 1)
    #expect(all.output.contains("ok  \(base)/menu.gif  (image/gif, 11 bytes)\n"), "\(all.output)\(all.errors)")
    #expect(all.output.contains("error[mime]: the server sends a web page, no media"))
    #expect(all.output.contains("error[status]: the server answers 404\n    = help: look at the address"))
    #expect(all.output.hasSuffix("3 addresses, a receiver would fail over 2\n"))
    let json = try await Showcaller.run("probe", "--json", "\(base)/menu.gif")
    let object = try JSONValue(parsing: json.output.trimmingCharacters(in: .newlines))
    #expect(json.exitCode == 0 && object["type"] == "image/gif" && object["findings"] == [], "\(json.output)")
    await server.stop()
  }

  @Test("A step fails where a receiver would, before anything is sent to the device, and passes where it would not")
  func step() async throws {
    let folder = try TemporaryFolder()
    let server = try await FolderServer(folder)
    _ = try folder.write("menu.gif", "GIF89a\u{10}\0\u{10}\0;")
    let receiver = try Showcaller.start(["receive", "--port", "0"], limit: 120)
    let address = try #require(try await receiver.firstLine().split(separator: " ").last.map(String.init))
    for (name, exit, words) in [("menu.gif", Int32(0), "probe"), ("none.gif", 5, "the server answers 404")] {
      let file = try folder.write(
        "\(name).yaml",
        """
        scenario: Probing
        device: TV
        steps:
          - probe: http://2130706433:\(server.port)/\(name)

        """)
      let run = try await Showcaller.run("run", "--host", address, "--runs", folder.path("runs"), file)
      #expect(run.exitCode == exit && (run.output + run.errors).contains(words), "\(run.output)\(run.errors)")
    }
    receiver.signal(SIGTERM)
    _ = try await receiver.finish()
    await server.stop()
  }

  @Test(
    "check --probe tells what is found at the line that has the address, each address fetched once, and exits with 3")
  func check() async throws {
    let folder = try TemporaryFolder()
    let server = try await FolderServer(folder)
    let base = "http://2130706433:\(server.port)"
    _ = try folder.write("menu.gif", "GIF89a\u{10}\0\u{10}\0;")
    _ = try folder.write("page.jpg", "<html><body>Sign in</body></html>")
    let playlist = try folder.write(
      "shop.yaml",
      """
      playlist: Shop
      timezone: UTC
      device: TV
      media: { menu: { url: "\(base)/menu.gif" } }
      program:
        - play:
            - menu
            - \(base)/page.jpg
            - { media: "\(base)/none.jpg", for: 5s }

      """)
    let fine = try folder.write(
      "fine.yaml",
      "scenario: Fine\ndevice: TV\nsteps: [{ load: \"\(base)/menu.gif\" }, { expect: { app: { idle: false } } }]\n")
    let all = try await Showcaller.run("check", "--probe", playlist, fine)
    #expect(all.exitCode == 3, "\(all.output)\(all.errors)")
    #expect(all.output.contains("error[A806]: the server sends a web page, no media\n --> \(playlist):8:9\n"))
    #expect(all.output.contains("error[A802]: the server answers 404\n --> \(playlist):9:18\n"), "\(all.output)")
    #expect(all.output.hasSuffix("2 documents, 1 with errors\n"), "\(all.output)")
    let json = try await Showcaller.run("check", "--probe", "--format", "json", playlist)
    let object = try JSONValue(parsing: json.output.trimmingCharacters(in: .newlines))
    let first = try #require(object["diagnostics"]?.array?.first)
    #expect(json.exitCode == 3 && first["code"] == "A806" && first["line"] == 8, "\(json.output)")
    #expect(first["help"] == ["open the address in a browser: is it behind a login?"])
    let alone = try await Showcaller.run("check", playlist)
    #expect(alone.exitCode == 0, "without --probe nothing is fetched: \(alone.output)")
    await server.stop()
    let late = try await Showcaller.run("check", "--probe", "--timeout", "1ms", fine)
    #expect(late.exitCode == 0 && late.output.contains("warning[A815]: this was not looked at"), "\(late.output)")
  }

  static let wrong: [(arguments: [String], words: String)] = [
    ([], "missing expected argument"), (["--model", "toaster", "https://e.com/a"], "toaster"),
    (["--resolver", "dns.google", "https://e.com/a"], "dns.google"),
    (["--at", "soon", "https://e.com/a"], "`soon` is not a date and a time"),
  ]

  @Test("What cannot be probed is 2, and nothing is asked", arguments: wrong)
  func refused(arguments: [String], words: String) async throws {
    let all = try await Showcaller.start(["probe"] + arguments, limit: 30).finish()
    #expect(all.exitCode == 2 && all.errors.contains(words), "\(all.errors)")
  }
}
