import Foundation
import Testing

/// What the page of one-line commands promises to people who come from other tools.
@Suite(.serialized) struct OneLineDocsTests {
  private static let text =
    (try? String(contentsOf: Showcaller.root.appending(path: "docs/one-line.md"), encoding: .utf8)) ?? ""

  /// Our command lines of the table, and those of the section's other parts.
  private static let commands: [String] = {
    let section = text.components(separatedBy: "## Coming from other tools").last ?? ""
    return section.split(separator: "\n").compactMap { line in
      guard line.hasPrefix("| "), let cell = line.components(separatedBy: " | ").last, cell.hasPrefix("`showcaller")
      else { return nil }
      return cell.split(separator: "`").first.map(String.init)
    }
  }()

  @Test("Each command that replaces one of another tool works as it is written")
  func table() async throws {
    #expect(Self.commands.count >= 30)
    let lobby = try await OneLineLab(name: "Lobby TV", "--app", "A1B2C3D4,urn:x-cast:com.example.chat")
    let bar = try await OneLineLab(name: "Bar TV")
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("showcaller"), withIntermediateDirectories: true)
    _ = try folder.write("showcaller/config.yaml", "device: Lobby TV\n")
    _ = try folder.write("showcaller/hosts", "\(lobby.address) Lobby TV\n\(bar.address) Bar TV\n")
    let port = String(lobby.address.split(separator: ":").last ?? "")
    // A queue whose second item plays, so that there is something before and behind it.
    let start = """
      showcaller load \(OneLineLab.film) --subtitles https://cdn.example.com/en.vtt --duration 10m &&
        showcaller queue add https://cdn.example.com/b.mp4 --before \(OneLineLab.film) &&
        showcaller queue add https://cdn.example.com/c.mp4 &&
      """
    for command in Self.commands {
      // What the virtual receiver needs and a real one does not: films of a known length, and an address to ask.
      var line = command
      if line.contains("--until finished") { line += " --duration 1s" }
      if line.contains("--start ") { line += " --duration 10m" }
      if line == "showcaller discover" { line += " --host 127.0.0.1:\(port)" }
      let running = try Running(
        URL(filePath: "/bin/bash"), ["-c", "showcaller() { \"$S\" \"$@\"; }; \(start)\n\(line)"],
        environment: ["S": Showcaller.binary.path, "PATH": "/usr/bin:/bin", "XDG_CONFIG_HOME": folder.url.path],
        in: folder.url)
      running.closeInput()
      let finished = try await running.finish()
      #expect(finished.exitCode == 0 && finished.errors.isEmpty, "\(command)\n\(finished.output)\(finished.errors)")
    }
    for lab in [lobby, bar] { try await lab.end() }
  }

  @Test("Words of other tools are answered with ours")
  func words() async throws {
    for (word, ours) in [
      ("cast", "load URL"), ("scan", "discover"), ("ffwd", "seek +30s"), ("unmute", "mute off"), ("ls", "discover"),
      ("volumeup", "volume up"), ("add", "queue add URL"), ("play_toggle", "toggle"), ("info", "status --json"),
    ] {
      let finished = try await Showcaller.run(word)
      #expect(finished.exitCode == 2 && finished.errors.hasSuffix("help: here it is `showcaller \(ours)`\n"), "\(word)")
    }
  }

  @Test("The page names every one-line command, and the commands it names are there")
  func complete() async throws {
    let help = try await Showcaller.run("--help")
    for command in [
      "status", "load", "play", "pause", "toggle", "stop", "seek", "rate", "volume", "mute", "tracks", "style",
      "skip-ad",
      "next", "previous", "queue", "transfer", "launch", "stop-app", "send",
    ] {
      #expect(Self.text.contains("`\(command)"), "\(command)")
      #expect(help.output.contains("  \(command) "), "\(command)")
    }
    for command in ["list", "load", "insert", "remove", "reorder", "jump", "repeat", "shuffle"] {
      let page = try await Showcaller.run("queue", command, "--help")
      #expect(page.exitCode == 0 && page.output.contains("USAGE: showcaller queue \(command)"), "\(page.errors)")
      #expect(command == "list" || Self.text.contains("`queue \(command)"), "\(command)")
    }
  }
}
